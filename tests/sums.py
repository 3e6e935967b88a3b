"""Whether the stats of a crawl add up: each page is exported, or dropped for a reason."""

from collections.abc import Mapping
from typing import Any

from webclean_scrapy import stats


def wrong_sums(found: Mapping[str, Any], pages: int | None = None) -> list[str]:
    """Return the wrong sums in the stats of a crawl with one item per page, in words.

    *pages*: how many the spider was given; None: as many as were cleaned.
    """

    def count(name: str) -> int:
        return int(found.get(name, 0))

    def family(name: str) -> int:
        return sum(int(value) for key, value in found.items() if key.startswith(f"{name}/"))

    scraped, dropped = count("item_scraped_count"), count("item_dropped_count")
    cleaned = count(stats.CLEAN_PAGES)
    left_out = count(stats.CLEAN_DROPPED) + count(f"{stats.CLEAN_LOW_CONFIDENCE}/dropped")
    compared = count(stats.DEDUP_SEEN) + family(stats.DEDUP_SKIPPED)
    sums = {
        "pages = exported + dropped": (
            cleaned if pages is None else pages,
            scraped + dropped + count("item_error_count"),
        ),
        "dropped = no articles + copies": (dropped, left_out + family(stats.DEDUP_DROPPED)),
        "cleaned = kinds + failed": (
            cleaned,
            family(stats.CLEAN_KIND) + family(stats.CLEAN_FAILED),
        ),
        "compared = cleaned - no articles": (compared, cleaned - left_out),
        "confirmed = exported + kept copies - without text": (
            count(stats.DEDUP_CONFIRMED),
            scraped - family(stats.DEDUP_SKIPPED),
        ),
        "requests and pages handed over = responses + exceptions": (
            count("downloader/request_count") + count(stats.SIBLING_HANDED_OVER),
            count("downloader/response_count") + count("downloader/exception_count"),
        ),
    }
    return [f"{name}: {one} is not {other}" for name, (one, other) in sums.items() if one != other]
