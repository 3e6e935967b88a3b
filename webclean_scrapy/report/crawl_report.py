"""The report of one crawl, or of several side by side: its data in a file, and its page."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from webclean_scrapy.cleaning.method_names import LOW_CONFIDENCE
from webclean_scrapy.crawl.named_files import REPORT_ENDINGS
from webclean_scrapy.errors import ReportFileError
from webclean_scrapy.file_modes import replace_text
from webclean_scrapy.report.crawl_health import (
    VERDICTS,
    Figures,
    check_crawl,
    explain_loss,
    make_funnel,
)
from webclean_scrapy.report.crawl_tally import CONFIDENCE_STEPS, LENGTHS
from webclean_scrapy.report.web_page import render_page
from webclean_scrapy.stats import CLEAN_KIND

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

FILE_FORMAT, FILE_VERSION = "webclean-crawl-report", 1
PAGE, DATA = REPORT_ENDINGS
MAX_BYTES = 50_000_000  # of a file of data; the largest that a crawl writes takes some 5 MB
MAX_NAMES = 8  # of a chart with a name for each bar
Bars = list[tuple[str, int]]  # label and count


def write_report(data: dict[str, Any], path: Path) -> None:
    """Write the page, or the *data* where *path* ends in .json, in one step. Raises OSError."""
    if path.suffix.lower() == DATA:
        text = json.dumps({"format": FILE_FORMAT, "version": FILE_VERSION, **data}, indent=1)
    else:
        text = render_report([data])
    replace_text(path, text)


def read_report(path: Path) -> dict[str, Any]:
    """Return the data that a crawl has written.

    Raises:
        OSError: the file cannot be read.
        ReportFileError: it is something else, or of another version.
    """
    with path.open("rb") as file:
        content = file.read(MAX_BYTES + 1)
    try:
        data = json.loads(content) if len(content) <= MAX_BYTES else None
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict) or data.get("format") != FILE_FORMAT:
        raise ReportFileError(
            f"{path} is not the data of a crawl report (WEBCLEAN_REPORT = x.json)"
        )
    if data.get("version") != FILE_VERSION:
        raise ReportFileError(f"{path} has version {data.get('version')!r}, not {FILE_VERSION}")
    return data


def render_report(crawls: Sequence[Mapping[str, Any]], names: Sequence[str] = ()) -> str:
    """Return the page of *crawls*, each the data that a crawl has collected.

    *names*: of each where several are compared, by default that of its spider.

    Raises:
        ReportFileError: values of a crawl are missing or of another type.
    """
    try:
        views = [view_crawl(data, number) for number, data in enumerate(crawls, 1)]
        for view, name in zip(views, names, strict=False):
            view["name"] = name
        return render_page("crawl_report", {"crawls": views})
    except Exception as error:  # whatever the template stumbles over has come from the data
        raise ReportFileError(f"the data of a crawl report are damaged: {error!r}") from error


def view_crawl(data: Mapping[str, Any], number: int = 1) -> dict[str, Any]:
    """Return the values that the template shows of a crawl, the *number*-th of a page."""
    figures = Figures(data)
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


def _charts(data: Mapping[str, Any], figures: Figures) -> list[tuple[str, str, Bars, int | None]]:
    """Return of each chart title, unit, bars, and how many columns are low; None: bars lie."""
    confidence = [
        (f"{step / CONFIDENCE_STEPS:.2f}", count) for step, count in enumerate(figures.confidence)
    ]
    lengths = [
        (f"{n // 1000}k" if n >= 1000 else str(n), count)
        for n, count in zip(LENGTHS, data["lengths"], strict=True)
    ]
    start = f"{CLEAN_KIND}/"
    kinds = {n.removeprefix(start): c for n, c in figures.stats.items() if n.startswith(start)}
    languages = {name or "unknown": count for name, count in data["languages"].items()}
    unit = "articles; below .5 more likely wrong than right"
    return [
        ("Confidence of the bodies", unit, confidence, int(LOW_CONFIDENCE * CONFIDENCE_STEPS)),
        ("Length of the bodies", "items by characters, from each figure on", lengths, 0),
        ("Kinds of pages", "all pages, dropped ones too", rank_names(kinds), None),
        ("Languages", "items", rank_names(languages), None),
    ]


def rank_names(counts: Mapping[str, int]) -> Bars:
    """Return a bar for each name, the longest first; of more than MAX_NAMES one for the rest."""
    ranked = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    if len(ranked) > MAX_NAMES:
        rest = ranked[MAX_NAMES - 1 :]
        ranked = [*ranked[: MAX_NAMES - 1], (f"{len(rest)} others", sum(n for _, n in rest))]
    return ranked


def _lost(data: Mapping[str, Any], figures: Figures) -> list[dict[str, Any]]:
    """Return the reasons of losses; those without a response have no examples."""
    rows = [{**row, "what": explain_loss(row["name"])} for row in data["reasons"]["rows"]]
    rows += [
        {"what": f"no response: {name}", "size": count, "examples": []}
        for name, count in figures.no_response.items()
    ]
    return sorted(rows, key=lambda row: -row["size"])
