"""Data of made-up crawls, as `CrawlTally` collects them."""

import random
from collections.abc import Callable
from typing import Any

from webclean_scrapy.dedup.fingerprint import Match
from webclean_scrapy.report.crawl_tally import (
    ARTICLE,
    EXPORTED,
    OTHER,
    UNCLEANED,
    CrawlTally,
    ItemNote,
)


def fill_tally(items: int, url_of: Callable[[int], str], title: str = "Story {}") -> CrawlTally:
    """Return the counts of a crawl of some pages: one in six a list, one in six a copy."""
    chance = random.Random(7)
    tally = CrawlTally()
    for number in range(items):
        url = url_of(number)
        tally.add_response(url, 404 if number % 50 == 49 else 200)
        tally.add_counts(url, nbytes=20_000 + number)
        note = ItemNote(
            url=url, group=ARTICLE, confidence=chance.betavariate(6, 2),
            length=int(chance.lognormvariate(7.6, 0.9)), language=chance.choice(("en", "zh", "de")),
            title=title.format(number),
        )  # fmt: skip
        if number % 40 == 0:
            tally.add_counts(url, nbytes=9_000, siblings=1, sibling_nbytes=9_000)
        if number % 6 == 5:
            note = note._replace(group=OTHER, confidence=None)
            tally.add_item(note, "not_article", detail="links on the page")
        elif number % 6 == 4:
            match = Match(key=url_of(number - number % 60), similarity=0.9, verdict="duplicate")
            tally.add_item(note, "duplicate", match)
        elif number % 100 == 3:
            tally.add_item(note._replace(group=UNCLEANED, confidence=None), EXPORTED)
            tally.add_reason("clean/not_html", url, "not an HTML page: a PDF file")
        else:
            tally.add_item(note, EXPORTED)
    return tally


def data_of(tally: CrawlTally, **stats: Any) -> dict[str, Any]:
    """Return the data written by a crawl with these counts."""
    data = tally.to_data()
    return {
        "spider": "news",
        "is_job": False,
        "feeds": {"articles.jsonl": 3},
        "settings": {"WEBCLEAN_DROP_NON_ARTICLES": "True"},
        "stats": {
            "downloader/request_count": 2 * sum(data["statuses"].values()),
            "elapsed_time_seconds": 61.5,
            "finish_reason": "finished",
            "start_time": "2026-11-22T20:15:00+00:00",
            "webclean/clean/kind/article": 5,
            **stats,
        },
        **data,
    }


def news_url(number: int) -> str:
    """Return the address of a story on one of 300 sites with a few templates each."""
    host = f"site{number * 7919 % 300}.example"
    return f"https://{host}/{'news' if number % 3 else 'sport'}/2026/03/{number}.html"
