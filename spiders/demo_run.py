"""``python -m spiders.demo_run``: the program behind ``make demo``.

Crawls the demo portal with the real components, writes ``out/articles.jsonl``, prints a summary and
compares the result with the portal's gold. The exit code is 1 when they differ. Two pages to look
at are written beside it: ``out/explain.html`` and ``out/report.html``.
"""

from __future__ import annotations

import json
import sys
import textwrap
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.crawler import AsyncCrawlerProcess
from scrapy.settings import Settings

from spiders.demo import build_portal, compare
from spiders.demo.compare import path_of_url
from spiders.demo.spider import Demo
from webclean_scrapy.commands.fetching import crawl_progress
from webclean_scrapy.crawl.summary import Summary, reasons_in
from webclean_scrapy.report.crawl_report import read_report, render_report
from webclean_scrapy.report.explain import GivenPage, explain_page
from webclean_scrapy.report.explain_page import render_explanation
from webclean_scrapy.settings import WebcleanConfig
from webclean_scrapy.stats import (
    CLEAN_KIND,
    CLEAN_REMOVED,
    DEDUP_DROPPED,
    OUTCOME,
    SIBLING_HANDED_OVER,
    total_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scrapy.crawler import Crawler

    from spiders.demo import Comparison, DemoPage

OUT = Path("out/articles.jsonl")
REPORT, EXPLAINED = OUT.with_name("report.html"), OUT.with_name("explain.html")
#: The page of an article of the result, another one of its site, and its further pages.
SHOWN = "/harbour/business/tidal-mill-grinds-again-baker-4633"
SIBLING = "/harbour/business/quay-prices-week-to-13-march-4716"
PARTS = [f"{SHOWN}?page={number}" for number in (2, 3)]
WIDTH, SHOWN_LINES = 88, 3  # of the text of an article
MAX_REQUESTS_PER_PAGE = 1.2


def main() -> int:
    """Crawl, compare, print; return the exit code."""
    portal = build_portal()
    print("Crawling a news portal of five sites, served on this machine.", end="\n\n", flush=True)
    with crawl_progress(len(portal.pages), prints=False) as watch:
        stats = crawl(OUT, watch)
    records = [json.loads(line) for line in OUT.read_text(encoding="utf-8").splitlines()]
    result = compare(records, portal.articles)
    print(as_table(stats), end="\n\n")
    problems = list_problems(result, stats)
    print(f"bodies equal to the text as it was written: {result.bodies_equal} of {result.bodies}")
    print(
        f"headlines equal to those as they were written: {result.titles_equal} of {result.bodies}"
    )
    print(f"reposts dropped: {result.reposts_dropped} of {result.reposts}", end="")
    print(f", longer versions kept: {len(result.updates)}")
    print(
        f"articles that share a quoted paragraph, whole: {result.quoting_whole} of {result.quoting}"
    )
    EXPLAINED.write_text(explain(portal.pages), encoding="utf-8")
    print("", *as_teaser(records), sep="\n", end="\n\n")
    print("Open in a browser:")
    print(f"  {EXPLAINED}   its first page line by line: what was kept, what was removed, and why")
    print(f"  {REPORT}    the crawl in figures")
    print("Next, with a site of yours: make crawl URL=https://www.example.com/ MAX_PAGES=100")
    for problem in problems:
        print(f"ERROR: {problem}", file=sys.stderr)
    return 1 if problems else 0


def as_teaser(records: list[dict[str, Any]]) -> list[str]:
    """Return the lines that show an article of the result."""
    lines = [f"articles: {len(records)} in {OUT}; one of them:"]
    for record in (each for each in records if path_of_url(each["url"]) == SHOWN):
        text = textwrap.wrap(record["articleBody"], WIDTH, max_lines=SHOWN_LINES, placeholder=" …")
        lines += [f"  {line}" for line in (record["headline"], *text)]
    return lines


def explain(pages: Mapping[str, DemoPage]) -> str:
    """Return the explanation of the shown page, as a page of HTML."""
    page, sibling, *parts = (
        GivenPage(path, pages[path].body, None)  # no link to a server that has ended
        for path in (SHOWN, SIBLING, *PARTS)
    )
    config = WebcleanConfig.from_settings(Settings()).clean_config()
    return render_explanation(explain_page(page, config, [sibling], parts=parts))


def crawl(out: Path, watch: Callable[[Crawler], object] = id) -> dict[str, Any]:
    """Crawl the portal into *out*, a file of JSON lines with a report beside it; return the stats.

    *watch* is given the crawler before it starts.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    data = out.with_name("report.json")
    settings = Settings()
    settings.setmodule("spiders.settings")
    settings.setdict(
        {
            "FEEDS": {str(out): {"format": "jsonlines", "overwrite": True, "store_empty": True}},
            "WEBCLEAN_REPORT": str(data),
            "LOG_LEVEL": "WARNING",
            "TELNETCONSOLE_ENABLED": False,
            "CONCURRENT_REQUESTS": 1,  # pages in one order: the same result on every machine
        }
    )
    process = AsyncCrawlerProcess(settings)
    crawler = process.create_crawler(Demo)
    watch(crawler)
    process.crawl(crawler)
    process.start()
    write_page(data)
    return dict(crawler.stats.get_stats())


def write_page(data: Path) -> None:
    """Write the page of a report in place of its *data*, without links to the ended server."""
    found = read_report(data)
    server = f"http://{found['hosts']['rows'][0]['name']}"
    found = json.loads(json.dumps(found).replace(server, ""))
    data.with_name(REPORT.name).write_text(render_report([found]), encoding="utf-8")
    data.unlink()


def figures(stats: Mapping[str, Any]) -> dict[str, int]:
    """Return what a crawl has counted, by its label."""
    summary, total = Summary(stats), partial(total_of, stats)
    failed = reasons_in(stats, f"{OUTCOME}/failed")
    no_response = sum(count for reason, count in failed.items() if not reason.isdigit())
    pages = sum(summary.outcomes.values()) - summary.outcomes["refused"]
    return {
        "pages fetched": pages - no_response,
        "requests in total": total("downloader/request_count"),  # robots.txt included
        "siblings fetched": summary.siblings,
        "of these, also used by the crawl": total(SIBLING_HANDED_OVER),
        "articles": summary.articles,
        "list pages detected": total(f"{CLEAN_KIND}/listing"),
        "reposts dropped": total(DEDUP_DROPPED) - summary.known,
        "updates of earlier pages kept": summary.updates,
        "link blocks removed": total(f"{CLEAN_REMOVED}/link_block"),
        "pages passed through uncleaned": summary.failed,
    }


def requests_per_page(counted: Mapping[str, int]) -> float:
    """Return how many requests a page cost; 0.0 without pages."""
    pages = counted["pages fetched"]
    return counted["requests in total"] / pages if pages else 0.0


def as_table(stats: Mapping[str, Any]) -> str:
    """Return one line per count, labels left and numbers right."""
    counted = figures(stats)
    rows = [(label, f"{count:,}") for label, count in counted.items()]
    rows.append(("requests per page", f"{requests_per_page(counted):.2f}"))
    left, right = (max(map(len, column)) for column in zip(*rows, strict=True))
    return "\n".join(f"{label:<{left}}  {value:>{right}}" for label, value in rows)


def list_problems(result: Comparison, stats: Mapping[str, Any]) -> list[str]:
    """Return one line per difference between the crawl and the gold, empty when they agree."""
    names = ("missing", "extra", "doubled", "reposts_kept")
    wrong = [f"{name}: {', '.join(getattr(result, name))}" for name in names]
    problems = [line for line in wrong if not line.endswith(": ")]
    problems.extend(f"another body: {path} {where}" for path, where in result.differences.items())
    if wrong_titles := result.bodies - result.titles_equal:
        problems.append(f"another headline: {wrong_titles} articles")
    cost = requests_per_page(figures(stats))
    if cost > MAX_REQUESTS_PER_PAGE:
        problems.append(f"{cost:.2f} requests per page, limit {MAX_REQUESTS_PER_PAGE}")
    return problems


if __name__ == "__main__":
    sys.exit(main())
