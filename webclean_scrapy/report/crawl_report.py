"""The report of one or several crawls: its data in a file, and its page.

The page has the main figures, the funnel from pages to articles, and the health checks.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from webclean_scrapy import stats
from webclean_scrapy.cleaning.confidence import LOW_CONFIDENCE
from webclean_scrapy.crawl.settings_files import REPORT_ENDINGS
from webclean_scrapy.crawl.summary import reasons_in
from webclean_scrapy.errors import ReportFileError
from webclean_scrapy.file_modes import replace_text
from webclean_scrapy.json_files import read_json, write_json
from webclean_scrapy.report.crawl_tally import (
    ALREADY_EXPORTED,
    ARTICLE,
    CONFIDENCE_STEPS,
    EXPORTED,
    LENGTHS,
    OTHER,
    UNCLEANED,
)
from webclean_scrapy.report.web_page import render_page

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

FORM = "webclean-crawl-report", 2  # of a file: its name and version
PAGE, DATA = REPORT_ENDINGS
MAX_NAMES = 8  # of a chart with a name for each bar
Bars = list[tuple[str, int]]  # label and count
GOOD, LOOK, BAD = LEVELS = ("good", "look", "bad")
VERDICTS = {GOOD: "Went well", LOOK: "Worth a look", BAD: "Went wrong"}
ENDED_BADLY = frozenset({"disk_full", "feed_failed"})
MIN_SIBLINGS = 8  # requests; of fewer, a share says little
#: Why items were dropped on purpose, and the section that has more.
DROPS = {
    "not_article": ("not an article", "lost"),
    "part": ("parts of articles, joined there", "lost"),
    "low_confidence": ("of low confidence", "lost"),
    "low_interest": ("of low interest", "lost"),
    "other_class": ("of other classes", "lost"),
    "duplicate": ("near-duplicates", "copies"),
    "update": ("longer versions of a page", "copies"),
    ALREADY_EXPORTED: ("already exported, with the same text", "copies"),
    "short": ("too short to compare", "lost"),
}
#: Other losses, by stage; the rest of a reason is its name.
LOSSES = {
    "status": "answered with status {}",
    "clean": "could not be cleaned: {}",
    "callback": "a callback failed: {}",
    "dropped": "dropped by another pipeline ({})",
    "error": "failed ({})",
}
_NEVER = 1.0  # no share is above it
#: Health checks of a crawl: metric (a field of `CrawlTotals`), of how many, the shares above which
#: it is worth a look and above which something is wrong, message, section that has more.
CHECKS = (
    ("failed", "asked", 0.1, 0.5, "Pages that could not be fetched", "lost"),
    ("uncleaned", "items", 0.01, 0.1, "Items that passed without a cleaned body", "lost"),
    ("low", "rated", 0.1, 0.3, "Articles of low confidence", "least"),
    ("errors", "items", 0.0, 0.1, "Errors in callbacks and pipelines", "lost"),
    ("unwritten", "items", 0.0, 0.0, "Items that a feed could not write", "lost"),
    ("lost_feeds", "", 0.0, 0.0, "Feeds that could not be stored", "stats"),
    ("store_failures", "", 0.0, _NEVER, "Failures of the index: copies may have passed", "stats"),
    ("untaught", "judged_siblings", 0.5, _NEVER, "Sibling requests without use", "templates"),
    ("log_errors", "", 0.0, _NEVER, "Errors in the log", "stats"),
)


class Check(NamedTuple):
    """The result of one health check."""

    level: str  # GOOD, LOOK or BAD
    text: str
    place: str = ""  # anchor of the section that says more


Loss = tuple[int, str, str]  # how many, why, anchor of the section that says more


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the funnel, with the losses before it."""

    name: str
    count: int
    losses: list[Loss]


class CrawlTotals:
    """Sums over the data of one crawl, for items filled and compared by `webclean`."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        values, fates = data["stats"], data["fates"]
        self.stats: dict[str, Any] = values
        self.fates: dict[str, int] = fates
        self.statuses: dict[str, int] = data["statuses"]
        self.no_response = _failed_downloads(values)
        self.fetched = sum(self.statuses.values())
        self.asked = self.fetched + sum(self.no_response.values())
        self.failed = stats.total_of(values, f"{stats.OUTCOME}/failed")
        self.items = sum(fates.values())
        self.unwritten = stats.total_of(values, stats.DEDUP_NOT_EXPORTED)
        self.exported = max(fates.get(EXPORTED, 0) - self.unwritten, 0)
        by_kind = data["exported"]
        self.uncleaned, self.others = by_kind.get(UNCLEANED, 0), by_kind.get(OTHER, 0)
        self.articles = max(by_kind.get(ARTICLE, 0) - self.unwritten, 0)
        self.copies = sum(fates.get(fate, 0) for fate in ("duplicate", "update"))
        self.already_exported = fates.get(ALREADY_EXPORTED, 0)
        self.confidence: list[int] = data["confidence"]
        self.rated = sum(self.confidence)
        self.low = sum(self.confidence[: int(LOW_CONFIDENCE * CONFIDENCE_STEPS)])
        self.errors = sum(n for fate, n in fates.items() if fate.startswith("error/"))
        self.errors += stats.total_of(values, "spider_exceptions")
        self.errors -= int(values.get("spider_exceptions/count", 0))
        self.siblings = int(values.get(stats.SIBLING_REQUESTED, 0))
        self.judged_siblings = self.siblings if self.siblings >= MIN_SIBLINGS else 0
        self.untaught = max(self.judged_siblings - int(values.get(stats.SIBLING_LEARNED, 0)), 0)
        self.lost_feeds = int(stats.has_lost_feed(values))
        self.store_failures = stats.total_of(values, stats.DEDUP_FAILED)
        self.log_errors = int(values.get("log_count/ERROR", 0))
        self.requests = int(values.get("downloader/request_count", 0))
        self.sibling_nbytes = sum(row["sibling_nbytes"] for row in data["hosts"]["rows"])
        middle = bisect_left(list(accumulate(self.confidence)), self.rated / 2)  # a step
        edges = (f"{step / CONFIDENCE_STEPS:.2f}" for step in (middle, middle + 1))
        self.median = "–".join(edges) if self.rated else "-"
        self.seconds = float(values.get("elapsed_time_seconds", 0) or 0)


def _failed_downloads(values: Mapping[str, Any]) -> dict[str, int]:
    """Return failed page requests by error, except ones that a retry mended."""
    start, again = "downloader/exception_type_count/", "retry/reason_count/"
    failures = Counter[str]()
    for name in (each.removeprefix(start) for each in values if each.startswith(start)):
        short = name.rpartition(".")[2]
        sibling = f"{stats.SIBLING_FAILED}/{short}"
        counts = (int(values.get(each, 0)) for each in (start + name, again + name, sibling))
        failures[short] += max(next(counts) - sum(counts), 0)
    return +failures - Counter(IgnoreRequest=failures["IgnoreRequest"])  # that one was not sent


def make_funnel(figures: CrawlTotals) -> list[Step]:
    """Return the steps from fetched pages to exported articles, each with its losses."""
    missing = max(figures.fetched - figures.items, 0)
    losses: list[Loss] = []
    for status, count in sorted(figures.statuses.items()):
        if int(status) >= 300:
            losses.append((min(count, missing), f"status {status}", "lost"))
            missing -= losses[-1][0]
    steps = [Step("Fetched", figures.fetched, [])]
    losses.append((missing, "the spider made no article of them", ""))
    steps.append(Step("Items", figures.items, losses))
    fates = figures.fates
    losses = [(fates.get(fate, 0), *reason) for fate, reason in DROPS.items()]
    steps.append(Step("Kept", figures.items - sum(loss[0] for loss in losses), losses))
    rest = sorted(set(fates) - {*DROPS, EXPORTED})
    losses = [(fates[fate], explain_loss(fate), "lost") for fate in rest]
    losses.append((figures.unwritten, "a feed could not write them", "lost"))
    steps.append(Step("Exported", figures.exported, losses))
    others = [
        (figures.uncleaned, "without a cleaned body", "lost"),
        (figures.others, "pages of other kinds (WEBCLEAN_DROP_NON_ARTICLES drops them)", "charts"),
    ]
    steps.append(Step("Articles", figures.articles, others))
    return steps


def explain_loss(reason: str) -> str:
    """Return the explanation of a reason for losing pages or items."""
    stage, _, name = reason.removeprefix("item/").partition("/")
    if stage in DROPS:
        return f"dropped: {DROPS[stage][0]}"
    return LOSSES[stage].format(name.replace("_", " "))


def check_crawl(figures: CrawlTotals) -> list[Check]:
    """Return the applicable health checks of a crawl, the worst first."""
    reason = str(figures.stats.get("finish_reason", "")) or "for no known reason"
    level = GOOD if reason == "finished" else BAD if reason in ENDED_BADLY else LOOK
    checks = [Check(level, f"End of the crawl: {reason}")]
    if not figures.exported:
        checks.append(Check(BAD, "Nothing was exported", "funnel"))
    for metric, of_metric, look, bad, message, place in CHECKS:
        count = getattr(figures, metric)
        total = getattr(figures, of_metric) if of_metric else 0
        if not count and not total:
            continue
        share = count / total if total else float(count > 0)
        level = BAD if share > bad else LOOK if share > look else GOOD
        of_total = f" of {total:,} ({share:.1%})" if total and count else ""
        checks.append(Check(level, f"{message}: {count:,}{of_total}", place if count else ""))
    return sorted(checks, key=lambda check: -LEVELS.index(check.level))


def write_report(data: dict[str, Any], path: Path) -> None:
    """Write the page, or *data* to a path in .json, atomically. Raises OSError."""
    if path.suffix.lower() == DATA:
        write_json(path, FORM, data)
    else:
        replace_text(path, render_report([data]))


def read_report(path: Path) -> dict[str, Any]:
    """Read the data written by a crawl. Raises ReportFileError."""
    try:
        return read_json(path, FORM, ReportFileError)
    except ReportFileError as error:
        hint = "WEBCLEAN_REPORT = 'crawl.json' makes a crawl write such a file"
        raise ReportFileError(f"{error}; {hint}") from error


def render_report(crawls: Sequence[Mapping[str, Any]], names: Sequence[str] = ()) -> str:
    """Render the page of *crawls*, the data of each.

    *names*: of each where several are compared, by default that of its spider.
    """
    views = [view_crawl(data, number) for number, data in enumerate(crawls, 1)]
    for view, name in zip(views, names, strict=False):
        view["name"] = name
    return render_page("crawl_report", {"crawls": views})


def view_crawl(data: Mapping[str, Any], number: int) -> dict[str, Any]:
    """Return the values for the template of a crawl, the *number*-th of a page."""
    figures = CrawlTotals(data)
    checks = check_crawl(figures)
    level = checks[0].level
    return {
        "anchor": f"c{number}-",
        "name": str(data["spider"]) or "crawl",
        "hosts_met": [row["name"] for row in data["hosts"]["rows"] if row["fetched"]],
        "level": level,
        "verdict": VERDICTS[level],
        "figures": figures,
        "checks": checks,
        "data": data,
        "funnel": make_funnel(figures),
        "charts": _charts(data, figures),
        "lost": _lost(data, figures),
    }


def _charts(
    data: Mapping[str, Any], figures: CrawlTotals
) -> list[tuple[str, str, Bars, int | None]]:
    """Return title, unit, bars and number of low columns of each chart."""
    confidence = [
        (f"{step / CONFIDENCE_STEPS:.2f}", count) for step, count in enumerate(figures.confidence)
    ]
    lengths = [
        (f"{n // 1000}k" if n >= 1000 else str(n), count)
        for n, count in zip(LENGTHS, data["lengths"], strict=True)
    ]
    kinds = reasons_in(figures.stats, stats.CLEAN_KIND)
    languages = {name or "unknown": count for name, count in data["languages"].items()}
    unit = "articles; of bodies at .3, about 3 of 10 are right"
    return [
        ("Confidence of the bodies", unit, confidence, int(LOW_CONFIDENCE * CONFIDENCE_STEPS)),
        ("Length of the bodies", "items by characters, from each figure on", lengths, 0),
        ("Kinds of pages", "all pages, dropped ones too", rank_names(kinds), None),
        ("Languages", "items", rank_names(languages), None),
    ]


def rank_names(counts: Mapping[str, int]) -> Bars:
    """Return a bar per name, the longest first; names beyond MAX_NAMES share one bar."""
    ranked = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    if rest := ranked[MAX_NAMES - 1 :] if len(ranked) > MAX_NAMES else []:
        ranked[MAX_NAMES - 1 :] = [(f"{len(rest)} others", sum(n for _, n in rest))]
    return ranked


def _lost(data: Mapping[str, Any], figures: CrawlTotals) -> list[dict[str, Any]]:
    rows = [{**row, "what": explain_loss(row["name"])} for row in data["reasons"]["rows"]]
    rows += [
        {"what": f"no response: {name}", "size": count, "examples": []}
        for name, count in figures.no_response.items()
    ]
    return sorted(rows, key=lambda row: -row["size"])
