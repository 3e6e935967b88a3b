"""What the page of a crawl's report shows, made of its data: values for the template, no HTML."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from webclean_scrapy.cleaning.method_names import LOW_CONFIDENCE
from webclean_scrapy.report.charts import Chart, lying, median_step, ticks_of, time_bars, upright
from webclean_scrapy.report.crawl_checks import VERDICTS, check_crawl, verdict_of
from webclean_scrapy.report.crawl_figures import GROUPS, Figures, make_funnel
from webclean_scrapy.report.crawl_tables import (
    SHOWN,
    cluster_row,
    host_row,
    least_row,
    lost_rows,
    say_more,
    say_rest,
    template_rows,
)
from webclean_scrapy.report.crawl_tally import CONFIDENCE_STEPS, LENGTHS
from webclean_scrapy.report.wording import count_of, size_of, time_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webclean_scrapy.report.crawl_checks import Check
    from webclean_scrapy.report.crawl_figures import Step


class Tile(NamedTuple):
    """A figure in large type."""

    name: str
    value: str
    note: str
    number: float  # that crawls are sorted by


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlView:
    """Everything that is shown of one crawl, in the order of the page."""

    anchor: str  # begins the anchors of its sections
    name: str
    site: str  # the largest host, and how many others
    begun: str  # "2026-11-22 20:15"
    level: str
    verdict: str
    sentence: str
    checks: list[Check]
    notes: list[str]
    tiles: list[Tile]
    funnel: list[Step]
    groups: dict[str, str]  # of the funnel, those that occur
    charts: list[Chart]
    least: list[dict[str, Any]]
    clusters: list[dict[str, Any]]
    clusters_note: str
    templates: list[dict[str, Any]]
    templates_note: str
    hosts: list[dict[str, Any]]
    hosts_note: str
    lost: list[dict[str, Any]]
    settings: dict[str, str]
    stats: dict[str, Any]


def view_crawl(data: Mapping[str, Any], number: int = 1) -> CrawlView:
    """Return what is shown of a crawl, the *number*-th of a page.

    Raises:
        KeyError, TypeError, ValueError, AttributeError: *data* is not that of a report.
    """
    figures = Figures(data)
    checks = check_crawl(figures, figures.stats)
    level = verdict_of(checks)
    clusters = [cluster_row(row) for row in data["clusters"]["rows"][: SHOWN["clusters"]]]
    templates = template_rows(data)
    return CrawlView(
        anchor=f"c{number}-",
        name=str(data["spider"]) or "crawl",
        site=_site(data["hosts"]),
        begun=str(figures.stats.get("start_time", "")).replace("T", " ")[:16],
        level=level,
        verdict=VERDICTS[level],
        sentence=_sentence(figures),
        checks=checks,
        notes=_notes(data, figures),
        tiles=_tiles(data, figures),
        funnel=make_funnel(figures),
        groups={group: name for group, name in GROUPS.items() if figures.of_group(group)},
        charts=_charts(data, figures),
        least=[
            least_row(place, row) for place, row in enumerate(data["least"][: SHOWN["least"]], 1)
        ],
        clusters=clusters,
        clusters_note=say_rest(data["clusters"], len(clusters), "pages with copies", "copies"),
        templates=templates[: SHOWN["templates"]],
        templates_note=say_more(len(templates), SHOWN["templates"], "templates"),
        hosts=[host_row(row) for row in data["hosts"]["rows"][: SHOWN["hosts"]]],
        hosts_note=say_rest(data["hosts"], SHOWN["hosts"], "hosts", "pages"),
        lost=lost_rows(data, figures),
        settings=dict(data["settings"]),
        stats=figures.stats,
    )


def _sentence(figures: Figures) -> str:
    seconds = figures.stats.get("elapsed_time_seconds", 0)
    return (
        f"{count_of(figures.exported, 'item')} exported of {count_of(figures.fetched, 'page')}"
        f" fetched in {time_of(seconds)}; {count_of(figures.copies, 'duplicate')} dropped."
    )


def _site(hosts: Mapping[str, Any]) -> str:
    names = [row["name"] for row in hosts["rows"] if row["fetched"]]
    others = len(names) - 1 + hosts["left_out"]
    return names[0] + (f" and {count_of(others, 'other')}" if others > 0 else "") if names else ""


def _notes(data: Mapping[str, Any], figures: Figures) -> list[str]:
    notes = [
        f"{count_of(count, 'item')} written to {place}" for place, count in data["feeds"].items()
    ]
    if data["is_job"]:
        notes.append("With JOBDIR, a report covers this run alone, not the runs that it resumed")
    kept = figures.fates["other"].get("exported", 0)
    if data["keeps_lists"] and kept:
        notes.append(
            f"{count_of(kept, 'page')} that are no articles were kept, as"
            " WEBCLEAN_DROP_NON_ARTICLES is off"
        )
    if alone := figures.stat("webclean/attach/left_alone"):
        notes.append(f"{count_of(alone, 'item')} of other classes were left alone")
    if forbidden := figures.stat("robotstxt/forbidden"):
        notes.append(f"{count_of(forbidden, 'request')} not sent, as robots.txt forbids them")
    return notes


def _tiles(data: Mapping[str, Any], figures: Figures) -> list[Tile]:
    middle = median_step(figures.confidence)
    requests = figures.stat("downloader/request_count")
    share = figures.siblings / requests if requests else 0
    nbytes = sum(row["sibling_nbytes"] for row in data["hosts"]["rows"])
    seconds = figures.stats.get("elapsed_time_seconds", 0) or 0
    pace = f"{60 * figures.fetched / seconds:,.0f} pages a minute" if seconds else ""
    considered = figures.exported + figures.copies
    typical = -1 if middle is None else (middle + 0.5) / CONFIDENCE_STEPS
    return [
        Tile("Exported", f"{figures.exported:,}", f"of {figures.fetched:,} pages fetched",
             figures.exported),
        Tile("Duplicates", f"{figures.copies:,}",
             f"{figures.copies / considered:.0%} of what was compared" if considered else "",
             figures.copies),
        Tile("Confidence", "-" if middle is None else f"{typical:.2f}",
             f"median; {figures.low:,} below .5", typical),
        Tile("Sibling requests", f"{figures.siblings:,}",
             f"{share:.1%} of all requests, {size_of(nbytes)}", figures.siblings),
        Tile("Time", time_of(seconds), pace, seconds),
    ]  # fmt: skip


def _charts(data: Mapping[str, Any], figures: Figures) -> list[Chart]:
    steps = [f"{place / CONFIDENCE_STEPS:.2f}" for place in range(CONFIDENCE_STEPS)]
    low = int(LOW_CONFIDENCE * CONFIDENCE_STEPS)
    confidence = upright(steps, figures.confidence, lambda place: place < low)
    lengths = upright(_length_labels(), data["lengths"])
    days = dict(data["days"])
    undated = days.pop("", 0)
    bars, step = time_bars(days)
    languages = {name or "unknown": count for name, count in data["languages"].items()}
    edges = tuple((round(place * 340 / 4, 1), f"{place / 4:g}") for place in range(5))
    dated = [step] if step else []
    if undated:
        dated.append(f"{count_of(undated, 'item')} without a date")
    return [
        Chart(name="confidence", title="Confidence of the bodies", unit="articles",
              bars=confidence, ticks=edges, note="Below .5 a body is more likely wrong than right"),
        Chart(name="length", title="Length of the bodies", unit="items", bars=lengths,
              ticks=ticks_of(lengths, 6), note="Characters; a bar begins at its figure"),
        Chart(name="dates", title="Dates of publication", unit="items", bars=bars,
              ticks=ticks_of(bars, 3), note="; ".join(dated)),
        Chart(name="kinds", title="Kinds of pages", unit="items", bars=lying(data["kinds"]),
              is_upright=False, note="Those dropped as well"),
        Chart(name="languages", title="Languages", unit="items", bars=lying(languages),
              is_upright=False),
    ]  # fmt: skip


def _length_labels() -> list[str]:
    return [f"{n // 1000}k" if n >= 1000 else str(n) for n in LENGTHS]
