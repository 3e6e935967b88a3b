"""``python -m spiders.demo_run``: what ``make demo`` does, once everything is installed.

Crawls the demo portal through the real components, writes ``out/articles.jsonl``, prints what was
done and how it compares with the portal's gold. Ends with 1 when the two disagree.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.crawler import AsyncCrawlerProcess
from scrapy.settings import Settings

from spiders.demo import Demo
from webclean_scrapy.demo import build_portal, compare
from webclean_scrapy.report.summary import summarize

if TYPE_CHECKING:
    from webclean_scrapy.demo import Comparison
    from webclean_scrapy.report.summary import Summary

OUT = Path("out/articles.jsonl")
MIN_EQUAL_BODIES = 0.95  # share of the exported articles
MAX_REQUESTS_PER_PAGE = 1.2


def main() -> int:
    """Crawl, compare, print; return the exit code."""
    stats = crawl(OUT)
    records = [json.loads(line) for line in OUT.read_text(encoding="utf-8").splitlines()]
    result = compare(records, build_portal().articles)
    summary = summarize(stats)
    print(summary.table(), end="\n\n")
    faults = list_faults(result, summary)
    print(f"bodies equal to the gold: {result.bodies_equal} of {result.bodies}")
    print(f"reposts dropped: {result.reposts_dropped} of {result.reposts}")
    print(f"result: {OUT}")
    for fault in faults:
        print(f"FAULT: {fault}", file=sys.stderr)
    return 1 if faults else 0


def crawl(out: Path) -> dict[str, Any]:
    """Crawl the portal into *out*, a file of JSON lines, and return the stats."""
    settings = Settings()
    settings.setmodule("spiders.settings")
    settings.setdict(
        {
            "FEEDS": {str(out): {"format": "jsonlines", "overwrite": True, "store_empty": True}},
            "LOG_LEVEL": "WARNING",
            "TELNETCONSOLE_ENABLED": False,
        }
    )
    process = AsyncCrawlerProcess(settings)
    crawler = process.create_crawler(Demo)
    process.crawl(crawler)
    process.start()
    return dict(crawler.stats.get_stats())


def list_faults(result: Comparison, summary: Summary) -> list[str]:
    """Return a sentence for each way in which the crawl falls short of the gold."""
    names = ("missing", "extra", "doubled", "reposts_kept")
    wrong = [f"{name}: {', '.join(getattr(result, name))}" for name in names]
    faults = [line for line in wrong if not line.endswith(": ")]
    if result.body_share < MIN_EQUAL_BODIES:
        faults.append(f"only {result.body_share:.0%} of the bodies are equal to the gold")
        faults.extend(f"{path}: {difference}" for path, difference in result.differences.items())
    if summary.requests_per_page > MAX_REQUESTS_PER_PAGE:
        faults.append(f"{summary.requests_per_page:.2f} requests a page")
    return faults


if __name__ == "__main__":
    sys.exit(main())
