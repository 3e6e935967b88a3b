"""``python -m spiders.demo_run``: what ``make demo`` does, once everything is installed.

Crawls the demo portal with the real components, writes ``out/articles.jsonl``, prints a summary and
compares the result with the portal's gold. The exit code is 1 when they differ.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.crawler import AsyncCrawlerProcess
from scrapy.settings import Settings

from spiders.demo import build_portal, compare
from spiders.demo.spider import Demo
from webclean_scrapy.crawl.summary import Summary

if TYPE_CHECKING:
    from spiders.demo import Comparison

OUT = Path("out/articles.jsonl")
MAX_REQUESTS_PER_PAGE = 1.2
LABELS = {
    "pages": "pages fetched",
    "requests": "requests in total",
    "siblings": "siblings fetched",
    "siblings_reused": "of these, also used by the crawl",
    "articles": "articles",
    "lists": "list pages detected",
    "reposts": "reposts dropped",
    "updates": "updates of earlier pages kept",
    "link_blocks": "link blocks removed",
    "failed": "pages passed through uncleaned",
}


def main() -> int:
    """Crawl, compare, print; return the exit code."""
    stats = crawl(OUT)
    records = [json.loads(line) for line in OUT.read_text(encoding="utf-8").splitlines()]
    result = compare(records, build_portal().articles)
    summary = Summary(stats)
    print(as_table(summary), end="\n\n")
    problems = list_problems(result, summary)
    print(f"bodies equal to the gold: {result.bodies_equal} of {result.bodies}")
    print(f"reposts dropped: {result.reposts_dropped} of {result.reposts}", end="")
    print(f", longer versions kept: {len(result.updates)}")
    print(
        f"articles that share a quoted paragraph, whole: {result.quoting_whole} of {result.quoting}"
    )
    print(f"output: {OUT}")
    for problem in problems:
        print(f"ERROR: {problem}", file=sys.stderr)
    return 1 if problems else 0


def crawl(out: Path) -> dict[str, Any]:
    """Crawl the portal into *out*, a file of JSON lines, and return the stats."""
    settings = Settings()
    settings.setmodule("spiders.settings")
    settings.setdict(
        {
            "FEEDS": {str(out): {"format": "jsonlines", "overwrite": True, "store_empty": True}},
            "LOG_LEVEL": "WARNING",
            "TELNETCONSOLE_ENABLED": False,
            "CONCURRENT_REQUESTS": 1,  # pages in one order: the same result on every machine
        }
    )
    process = AsyncCrawlerProcess(settings)
    crawler = process.create_crawler(Demo)
    process.crawl(crawler)
    process.start()
    return dict(crawler.stats.get_stats())


def requests_per_page(summary: Summary) -> float:
    """Return how many requests a page cost; 0.0 without pages."""
    return summary.requests / summary.pages if summary.pages else 0.0


def as_table(summary: Summary) -> str:
    """Return one line per count, labels left and numbers right."""
    rows = [(label, f"{getattr(summary, name):,}") for name, label in LABELS.items()]
    rows.append(("requests per page", f"{requests_per_page(summary):.2f}"))
    left, right = (max(map(len, column)) for column in zip(*rows, strict=True))
    return "\n".join(f"{label:<{left}}  {value:>{right}}" for label, value in rows)


def list_problems(result: Comparison, summary: Summary) -> list[str]:
    """Return one line per difference between the crawl and the gold, empty when they agree."""
    names = ("missing", "extra", "doubled", "reposts_kept")
    wrong = [f"{name}: {', '.join(getattr(result, name))}" for name in names]
    problems = [line for line in wrong if not line.endswith(": ")]
    problems.extend(f"another body: {path} {where}" for path, where in result.differences.items())
    cost = requests_per_page(summary)
    if cost > MAX_REQUESTS_PER_PAGE:
        problems.append(f"{cost:.2f} requests per page, limit {MAX_REQUESTS_PER_PAGE}")
    return problems


if __name__ == "__main__":
    sys.exit(main())
