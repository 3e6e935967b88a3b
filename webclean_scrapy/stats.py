"""Names of all our stats; docs/stats.md is generated from the comments beside them.

A comment that begins with ``/`` names the family: ``NAME/<reason>``. Reasons come from a closed set
or are the name of an exception's class, never a URL.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

PREFIX = "webclean/"

# feeds, as Scrapy itself counts them
LOST_FEED = "feedexport/failed_count"  # /<storage>: files that could not be stored

# addresses that the ready-made crawl leaves out
SPIDER_VIEWS_LEFT = "webclean/spider/views_left"  # further days of a calendar that has nothing new

# pages that reach the sibling middleware
SIBLING_KNOWN = "webclean/sibling/known"  # the template is known: nothing to fetch
SIBLING_RECOGNISED = "webclean/sibling/recognised"  # a new URL shape with a template that is known
SIBLING_SHARED = "webclean/sibling/shared"  # pages that waited for the search of another page
SIBLING_MET = "webclean/sibling/met"  # pages of the crawl that taught a template to others
SIBLING_MET_REFUSED = "webclean/sibling/met_refused"  # /<why>: pages of the crawl that could not
SIBLING_NO_LINK = "webclean/sibling/no_link"  # no link of the page leads to a likely sibling
SIBLING_SPENT = "webclean/sibling/budget_spent"  # the template has used its fetches
SIBLING_HOST_SPENT = "webclean/sibling/host_spent"  # the host has used the fetches of its templates
SIBLING_HOST_GIVEN_UP = "webclean/sibling/host_given_up"  # failures in a row: no more requests
SIBLING_CLOSING = "webclean/sibling/closing"  # the crawl is closing: no search begins
SIBLING_LATE = "webclean/sibling/late"  # continued before the search had ended

# sibling requests
SIBLING_REQUESTED = "webclean/sibling/requested"  # requests sent
SIBLING_LEARNED = "webclean/sibling/learned"  # responses that taught a template
SIBLING_REFUSED = "webclean/sibling/refused"  # /<why>: /status_<code>, /address, or the Cleaner's
SIBLING_FAILED = "webclean/sibling/failed"  # /<exception>
SIBLING_HANDED_OVER = "webclean/sibling/handed_over"  # responses that the crawl used too

# parts of articles, and canonical pages
PARTS_REQUESTED = "webclean/parts/requested"  # requests sent
PARTS_FAILED = "webclean/parts/failed"  # /<exception>
PARTS_HANDED_OVER = "webclean/parts/handed_over"  # responses that the crawl used too
PARTS_JOINED = "webclean/parts/joined"  # pages that went into the article of their first page
PARTS_DROPPED = "webclean/parts/dropped"  # items of pages that are parts of an article
PARTS_NOT_ASKED = "webclean/parts/not_asked"  # pages whose links were as others' that led to none
PARTS_MISSING = "webclean/parts/missing"  # articles of which a part could not be had

# pages that a browser renders
RENDER_PAGES = "webclean/render/pages"  # pages rendered
RENDER_SKIPPED = "webclean/render/skipped"  # /not_html, /too_large, /cached, /less_text
RENDER_FAILED = "webclean/render/failed"  # /<exception>: the page passed unchanged
# what pages ask for: /fetched, /shared, /failed, /refused_<why> (type, address, robots, limit)
RENDER_RESOURCES = "webclean/render/resources"

# what became of the pages that the spider asked for, each in one of them
# /article, /update, /other_kind, /copy, /already_exported, /part, /low_confidence, /low_interest,
# /other_class, /no_article, /uncleaned, /other_item, /lost, /no_item, /left_alone, /not_html,
# /failed/<status or exception>, /refused/<robots.txt, offsite, repeated, other>
OUTCOME = "webclean/page"

# items
CLEAN_PAGES = "webclean/clean/pages"  # pages cleaned; one page may have several items
CLEAN_KIND = "webclean/clean/kind"  # /article, /listing, /forum and so on: one of seven
CLEAN_FAILED = "webclean/clean/failed"  # /<reason>, of the PageError: the item passed unchanged
CLEAN_REMOVED = "webclean/clean/removed"  # /<what>: removals of this step
# /known (of a well-known template: read where it is open alone), /template, /aligned (a template
# was learned by alignment), /lcs: pages compared with others
CLEAN_DENOISED = "webclean/clean/denoised"
# /nothing, /little: what WEBCLEAN_EXTRACTOR found
CLEAN_FALLBACK = "webclean/clean/fallback"
# /bytes, /tags, /attributes, /levels, /lines: the limit of pages that were read without a parser;
# /worker_died, /worker_timeout: what became of the worker that parsed them; /failing_host: of the
# workers that parsed several other pages of their host
CLEAN_SOURCE = "webclean/clean/source"
CLEAN_CONFIDENCE = "webclean/clean/confidence"  # /from_<share>: pages by tenths of confidence
CLEAN_LOW_CONFIDENCE = "webclean/clean/low_confidence"  # /flagged, /dropped: items
CLEAN_LOW_INTEREST = "webclean/clean/low_interest"  # items dropped
CLEAN_NO_PAGE = "webclean/clean/no_page"  # items without a page
CLEAN_DROPPED = "webclean/clean/dropped_non_articles"  # lists and other pages
ATTACH_LEFT_ALONE = "webclean/attach/left_alone"  # items that are not articles
ATTACH_EVICTED = "webclean/attach/evicted"  # pages dropped before their item was cleaned

# near-duplicates
DEDUP_SEEN = "webclean/dedup/seen"  # items compared
DEDUP_SKIPPED = "webclean/dedup/skipped"  # /no_text, /no_url: items that cannot be compared
DEDUP_DROPPED = "webclean/dedup/dropped"  # /duplicate, /already_exported, /update, /short
DEDUP_KEPT = "webclean/dedup/kept"  # /overlap, /duplicate, /update, /short: marked and kept
DEDUP_REPLACED = "webclean/dedup/replaced"  # updates that take the place of an older page
DEDUP_VERSIONS = "webclean/dedup/versions"  # texts that are new at an address that is known
DEDUP_WAITED = "webclean/dedup/waited"  # copies that waited for the fate of their original
DEDUP_CONFIRMED = "webclean/dedup/confirmed"  # fingerprints whose items are in the feed
# items not confirmed: later pipelines replaced so many by others without their URL
DEDUP_UNFOLLOWED = "webclean/dedup/unfollowed"
DEDUP_FAILED = "webclean/dedup/failed"  # /<exception>: the item passed un-deduplicated
DEDUP_NOT_EXPORTED = "webclean/dedup/not_exported"  # /<exception>: items a feed could not write
DEDUP_RECOVERED = "webclean/dedup/recovered"  # times that a store answered again after failures

# the database of articles
STORE_ROWS = "webclean/store/rows"  # /articles, /versions, /copies: rows written
STORE_SKIPPED = "webclean/store/skipped"  # /no_url: items that cannot be found again
STORE_FAILED = "webclean/store/failed"  # /<exception>: items not stored, and so not exported

# the report of the crawl
# /<exception>: it could not be written; counted after Scrapy has logged its stats
REPORT_FAILED = "webclean/report/failed"

# classes of items that are not dropped
CLASS_ITEMS = "webclean/class/items"  # /<class>, as the model names it
CLASS_DROPPED = "webclean/class/dropped"  # /<class>: items of other classes than WEBCLEAN_CLASSES
CLASS_SKIPPED = "webclean/class/skipped"  # /no_text, /no_terms: items without text or known words


def total_of(crawl_stats: Mapping[str, Any], *names: str) -> int:
    """Return the sum of the stats with these names or name prefixes."""
    families = tuple(f"{name}/" for name in names)
    return sum(
        count
        for name, count in crawl_stats.items()
        if (name in names or name.startswith(families)) and isinstance(count, int)
    )


def has_lost_feed(crawl_stats: Mapping[str, Any]) -> bool:
    """True if a feed was not stored.

    Nothing else says so: the signal of a closed feed is sent in both cases.
    """
    return any(name.startswith(LOST_FEED) for name in crawl_stats)
