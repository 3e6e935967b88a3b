"""Whether a crawl went well: what is looked at, from which figure on, and what it says.

The limits are ours, and few: each is where a person would want to look. docs/report.md lists them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from webclean_scrapy import stats

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from webclean_scrapy.report.crawl_figures import Figures

GOOD, LOOK, BAD = "good", "look", "bad"
_RANKS = (BAD, LOOK, GOOD)
VERDICTS = {GOOD: "Went well", LOOK: "Worth a look", BAD: "Went wrong"}
#: Shares from which a crawl is worth a look, and from which something is wrong.
REFUSED, UNCLEANED, LOW, LOST = (0.1, 0.5), (0.01, 0.1), (0.1, 0.3), (0.0, 0.1)
SIBLINGS = 0.5  # of sibling requests that taught nothing
MIN_SIBLINGS = 8  # requests; of fewer, a share says little
ENDED_BADLY = frozenset({"disk_full", "feed_failed"})


class Check(NamedTuple):
    """One thing that was looked at."""

    level: str  # GOOD, LOOK or BAD
    text: str
    place: str = ""  # anchor of the section that says more


def check_crawl(figures: Figures, found: Mapping[str, Any]) -> list[Check]:
    """Return the checks of a crawl with the stats *found*, the worst first."""
    checks = [*_check_end(figures, found), *_check_pages(figures), *_check_rest(figures, found)]
    return sorted(checks, key=lambda check: _RANKS.index(check.level))


def verdict_of(checks: list[Check]) -> str:
    """Return the worst level."""
    return min((check.level for check in checks), key=_RANKS.index, default=GOOD)


def _check_end(figures: Figures, found: Mapping[str, Any]) -> Iterator[Check]:
    reason = str(found.get("finish_reason", ""))
    if reason == "finished":
        yield Check(GOOD, "It ran to its end")
    elif reason in ENDED_BADLY:
        yield Check(BAD, f"It was ended: {reason}")
    else:
        yield Check(LOOK, f"It was stopped before its end: {reason or 'for no known reason'}")
    if not figures.exported:
        yield Check(BAD, "Nothing was exported", "funnel")
    if figures.unwritten:
        yield Check(BAD, f"{figures.unwritten:,} items could not be written to a feed", "lost")
    if stats.has_lost_feed(found):
        yield Check(BAD, "A feed could not be stored", "stats")


def _check_pages(figures: Figures) -> Iterator[Check]:
    refused = figures.refused + figures.failed
    asked = figures.fetched + figures.failed
    if asked:
        share = refused / asked
        some = f"{refused:,} of {asked:,} pages could not be fetched ({share:.0%})"
        text = some if refused else "Every page that was asked for was fetched"
        yield Check(_level(share, REFUSED), text, "lost" if refused else "")
    if figures.entered:
        share = figures.uncleaned / figures.entered
        some = f"{figures.uncleaned:,} items passed without a cleaned body ({share:.1%})"
        text = some if figures.uncleaned else "Every page was cleaned"
        yield Check(_level(share, UNCLEANED), text, "lost" if figures.uncleaned else "")
    if figures.rated:
        share = figures.low / figures.rated
        text = f"{figures.low:,} of {figures.rated:,} articles are of low confidence ({share:.0%})"
        yield Check(_level(share, LOW), text, "least")


def _check_rest(figures: Figures, found: Mapping[str, Any]) -> Iterator[Check]:
    if figures.errors:
        share = figures.errors / max(figures.entered, 1)
        text = f"{figures.errors:,} errors in callbacks or pipelines"
        yield Check(_level(share, LOST), text, "lost")
    if failed := figures.family(stats.DEDUP_FAILED):
        text = f"{failed:,} failures of the fingerprint store: copies may have passed"
        yield Check(LOOK, text, "stats")
    if figures.siblings >= MIN_SIBLINGS:
        learned = figures.siblings_learned
        text = f"{learned:,} of {figures.siblings:,} sibling requests taught a template"
        level = LOOK if 1 - learned / figures.siblings > SIBLINGS else GOOD
        yield Check(level, text, "templates")
    if logged := int(found.get("log_count/ERROR", 0)):
        yield Check(LOOK, f"{logged:,} errors in the log", "stats")


def _level(share: float, limits: tuple[float, float]) -> str:
    look, bad = limits
    if share > bad:
        return BAD
    return LOOK if share > look else GOOD
