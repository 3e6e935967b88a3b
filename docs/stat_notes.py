"""What docs/stats.md says of each stat beside its meaning: unit, what is normal, what to do if not.

The meaning itself is the comment in ``webclean_scrapy/stats.py``. "Normal" is what a healthy crawl
of articles shows: the demo portal, and the sites of ``python -m benchmarks requests``.
"""

from __future__ import annotations

from typing import NamedTuple

from webclean_scrapy import stats


class Note(NamedTuple):
    """One row of the table."""

    unit: str
    normal: str
    otherwise: str = ""  # what to do; empty: nothing


_SLOW = "slow the crawl down (`DOWNLOAD_DELAY`, AutoThrottle)"
_NO_MATTER = "any number"

NOTES = {
    stats.SPIDER_REPEATED: Note(
        "links", _NO_MATTER, "pages are missing: `WEBCLEAN_SHORTEN_ADDRESSES = False`"
    ),
    stats.SPIDER_VIEWS_LEFT: Note(
        "links", "0, or many at a calendar", "pages are missing: the same setting"
    ),
    stats.SPIDER_NO_ADDRESS: Note("entries", "0", "look at what writes into the list of the queue"),
    stats.SIBLING_KNOWN: Note(
        "pages", "most pages", "few: the site has a template for nearly every page"
    ),
    stats.SIBLING_RECOGNISED: Note("pages", _NO_MATTER),
    stats.SIBLING_SHARED: Note("pages", "at most `CONCURRENT_REQUESTS` for each template"),
    stats.SIBLING_MET: Note("pages", "one or two for each template when pages come in parallel"),
    stats.SIBLING_MET_REFUSED: Note(
        "pages",
        "some: lists between the articles",
        "most: the address has the form of articles, "
        "the pages are something else; look at one with `webclean explain`",
    ),
    stats.SIBLING_NO_LINK: Note(
        "pages", "few", "many: the links are made by scripts; `WEBCLEAN_RENDER`"
    ),
    stats.SIBLING_SPENT: Note(
        "pages", "few", "many: two fetches taught nothing; `WEBCLEAN_SIBLING_MAX_FETCHES` = 4"
    ),
    stats.SIBLING_HOST_SPENT: Note("pages", "0 on sites with up to ten templates"),
    stats.SIBLING_HOST_GIVEN_UP: Note(
        "pages", "0", f"the host refuses or fails: {_SLOW}; see `webclean/sibling/refused`"
    ),
    stats.SIBLING_CLOSING: Note("pages", "0, or the pages that were on their way at the end"),
    stats.SIBLING_LATE: Note(
        "pages",
        "0",
        "the host is slow, or the search waits behind others: a larger "
        "`WEBCLEAN_SIBLING_TIMEOUT_S`, fewer `CONCURRENT_REQUESTS`",
    ),
    stats.SIBLING_REQUESTED: Note(
        "requests", "one or two for each template", "more: [siblings.md](siblings.md#what-it-costs)"
    ),
    stats.SIBLING_LEARNED: Note("responses", "most of those requested"),
    stats.SIBLING_REFUSED: Note(
        "responses",
        "up to a third of those requested",
        f"`status_403`, `status_429`: {_SLOW}; "
        "`address`: the link leads to a private network, and is not followed on purpose",
    ),
    stats.SIBLING_FAILED: Note(
        "requests",
        "0",
        "timeouts: as with any page of the host; `IgnoreRequest`: robots.txt forbids it",
    ),
    stats.SIBLING_HANDED_OVER: Note(
        "responses", "most of those learned: they cost no request of their own"
    ),
    stats.RENDER_PAGES: Note("pages", "the pages that `WEBCLEAN_RENDER` names"),
    stats.RENDER_SKIPPED: Note(
        "pages", "few", "`less_text`: the page hides its text after loading; do not render it"
    ),
    stats.RENDER_FAILED: Note(
        "pages",
        "0",
        "`TimeoutError`: a larger `WEBCLEAN_RENDER_TIMEOUT_S`, fewer "
        "`WEBCLEAN_RENDER_TABS`; else [rendering.md](rendering.md#how-it-works)",
    ),
    stats.RENDER_RESOURCES: Note(
        "resources",
        "at most 150 for each page",
        "`refused_robots` and an empty page: its scripts are forbidden to crawlers",
    ),
    stats.TEMPLATES_TAKEN: Note("URL shapes", "grows with each crawl of the same sites"),
    stats.TEMPLATES_MISSING: Note("URL shapes", "all of them in the first crawl"),
    stats.TEMPLATES_GIVEN: Note("times", "the 1st, 4th, 16th ... page of a shape"),
    stats.TEMPLATES_FAILED: Note("times", "0", "the server of the index: `webclean doctor`"),
    stats.CLEAN_PAGES: Note(
        "pages",
        "every page of which an item is made",
        "0: no item has a place for an article; [item.md](item.md#which-items-are-filled)",
    ),
    stats.CLEAN_KIND: Note(
        "pages",
        "mostly `article` where the spider makes items of articles",
        "`webclean explain` names the reason of one page",
    ),
    stats.CLEAN_FAILED: Note(
        "pages",
        "0",
        "`not_html`: the spider follows files, or a server names them HTML; "
        "`too_large`: `WEBCLEAN_MAX_SCAN_BYTES`; `worker_...`: the stat `webclean/clean/source`",
    ),
    stats.CLEAN_REMOVED: Note(
        "removals",
        "one to four for each page, `template` among them",
        "no `template`: none was learned; see the stats of siblings",
    ),
    stats.CLEAN_DENOISED: Note(
        "pages", "nearly all articles of a site with templates", "few: see the stats of siblings"
    ),
    stats.CLEAN_FALLBACK: Note("pages", "0 with the default extractor"),
    stats.CLEAN_SOURCE: Note(
        "pages",
        "0",
        "`worker_died`: memory; `worker_timeout`: a larger "
        "`WEBCLEAN_WORKER_TIMEOUT_S` on a slow machine; the others: huge pages, read as well as "
        "can be",
    ),
    stats.CLEAN_REPAIRED: Note("pages", "0, or all pages of a site that encodes its text twice"),
    stats.CLEAN_INTEREST: Note(
        "pages", "most at 0", "all at 0: the profile is of another language or subject"
    ),
    stats.CLEAN_CONFIDENCE: Note(
        "pages",
        "at most a third below .5 ([monitoring.md](monitoring.md#the-defaults))",
        "`webclean explain` on some of the lowest",
    ),
    stats.CLEAN_LOW_CONFIDENCE: Note(
        "items", "as many as `WEBCLEAN_MIN_CONFIDENCE` asks for", "too many: a smaller value"
    ),
    stats.CLEAN_NO_PAGE: Note(
        "items", "0", "items of `start` or of a signal have no page: make them in a callback"
    ),
    stats.CLEAN_DROPPED: Note(
        "items",
        "the lists of the site",
        "articles among them: `webclean explain`, then "
        "[faq.md](faq.md#why-is-an-article-not-taken-for-one)",
    ),
    stats.ATTACH_LEFT_ALONE: Note(
        "items", "0 in projects of articles", "[item.md](item.md#which-items-are-filled)"
    ),
    stats.ATTACH_EVICTED: Note(
        "pages", "0", "items wait too long before the pipelines: fewer `CONCURRENT_ITEMS`"
    ),
    stats.DEDUP_SEEN: Note("items", "as many as articles"),
    stats.DEDUP_SKIPPED: Note(
        "items", "few", "`no_text`: the page has no body; `no_url`: give the item a `url`"
    ),
    stats.DEDUP_DROPPED: Note(
        "items",
        "up to a fifth; nearly all in a crawl that repeats another with its index",
        "[faq.md](faq.md#why-was-my-article-dropped-as-a-duplicate)",
    ),
    stats.DEDUP_KEPT: Note("items", "the short ones; others as the settings say"),
    stats.DEDUP_REPLACED: Note("items", 'only with `WEBCLEAN_DEDUP_UPDATE = "replace"`'),
    stats.DEDUP_WAITED: Note("copies", "few; differs from run to run"),
    stats.DEDUP_STEPPED_IN: Note(
        "copies", "0", "a pipeline of the project drops items or fails on them"
    ),
    stats.DEDUP_UNDECIDED: Note(
        "copies", "0", "a pipeline takes more than 20 s for an item: make it faster"
    ),
    stats.DEDUP_LOST_COPIES: Note(
        "copies", "0", "the same; crawl the site again: what is missing is exported then"
    ),
    stats.DEDUP_CONFIRMED: Note(
        "fingerprints",
        "as many as new items in the feed",
        "fewer: the feed was not stored, or the store was away",
    ),
    stats.DEDUP_UNFOLLOWED: Note(
        "items", "0", "a later pipeline returns other items: let it keep the `url`"
    ),
    stats.DEDUP_FAILED: Note(
        "items", "0", "the log names the cause; `webclean dedup` cleans the feed afterwards"
    ),
    stats.DEDUP_NOT_EXPORTED: Note("items", "0", "the disk or the feed: the log names the cause"),
    stats.DEDUP_RECOVERED: Note("times", "0", "the store was away meanwhile"),
    stats.REPORT_FAILED: Note("times", "0", "the log names the cause; [report.md](report.md)"),
    stats.CLASS_ITEMS: Note("items", "as many as articles"),
    stats.CLASS_SKIPPED: Note("items", "few", "many: the model is of another language"),
}
