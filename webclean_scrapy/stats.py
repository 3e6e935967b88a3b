"""The names of all stats of this package. A comment of the form ``/x, /y`` lists suffixes.

A suffix is from a closed set or the name of an exception class, never a URL.
"""

PREFIX = "webclean/"

# pages of the crawl, counted by the sibling middleware
SIBLING_KNOWN = "webclean/sibling/known"  # template known: nothing to fetch
SIBLING_RECOGNISED = "webclean/sibling/recognised"  # new URL shape, known template
SIBLING_SHARED = "webclean/sibling/shared"  # waited for the search of another page
SIBLING_MET = "webclean/sibling/met"  # pages of the crawl used as siblings of others
SIBLING_MET_REFUSED = "webclean/sibling/met_refused"  # /<reason>: those that could not be used
SIBLING_NO_LINK = "webclean/sibling/no_link"  # no link of the page is a likely sibling
SIBLING_SPENT = "webclean/sibling/budget_spent"  # fetch budget of the template is used up
SIBLING_HOST_SPENT = "webclean/sibling/host_spent"  # fetch budget of the host is used up
SIBLING_HOST_GIVEN_UP = (
    "webclean/sibling/host_given_up"  # too many failures in a row: no more requests
)
SIBLING_CLOSING = "webclean/sibling/closing"  # the crawl is stopping: no search is started
SIBLING_LATE = "webclean/sibling/late"  # the search timed out for this page
# sibling requests
SIBLING_REQUESTED = "webclean/sibling/requested"
SIBLING_LEARNED = "webclean/sibling/learned"
SIBLING_REFUSED = "webclean/sibling/refused"  # /<reason>: status_<code>, address, or of the Cleaner
SIBLING_FAILED = "webclean/sibling/failed"  # /<exception class>
SIBLING_HANDED_OVER = (
    "webclean/sibling/handed_over"  # later requested by the crawl: no second download
)

# pages rendered in a browser
RENDER_PAGES = "webclean/render/pages"
# passed through unchanged: /not_html, /too_large, /cached, /less_text; /<exception class>
RENDER_SKIPPED = "webclean/render/skipped"
RENDER_FAILED = "webclean/render/failed"
# resources of pages: /fetched, /shared, /failed, /refused_<type, address, robots or limit>
RENDER_RESOURCES = "webclean/render/resources"

# templates shared with other crawls
TEMPLATES_TAKEN = "webclean/templates/taken"  # URL shapes whose templates came from another crawl
TEMPLATES_MISSING = "webclean/templates/missing"  # URL shapes that no other crawl has learned
TEMPLATES_GIVEN = "webclean/templates/given"  # times that templates were published
TEMPLATES_FAILED = "webclean/templates/failed"  # /<exception class>: the crawl continued without

# items
CLEAN_PAGES = "webclean/clean/pages"  # pages cleaned; one page may have several items
CLEAN_KIND = "webclean/clean/kind"  # /article, /list, /other
CLEAN_FAILED = (
    "webclean/clean/failed"  # /<reason of the PageError>: the item was passed through unchanged
)
CLEAN_REMOVED = "webclean/clean/removed"  # /<what>: number of removals of this kind
CLEAN_DENOISED = (
    "webclean/clean/denoised"  # /template, /lcs: pages compared with siblings by this method
)
CLEAN_FALLBACK = "webclean/clean/fallback"  # /nothing, /little: what WEBCLEAN_EXTRACTOR extracted
CLEAN_NO_PAGE = "webclean/clean/no_page"  # items without a page
CLEAN_DROPPED = "webclean/clean/dropped_non_articles"
ATTACH_EVICTED = "webclean/attach/evicted"  # pages removed before their item was cleaned

DEDUP_SEEN = "webclean/dedup/seen"
DEDUP_SKIPPED = "webclean/dedup/skipped"  # /no_text, /no_url: items that cannot be compared
DEDUP_DROPPED = "webclean/dedup/dropped"  # /duplicate, /update, /short
DEDUP_KEPT = "webclean/dedup/kept"  # /duplicate, /update, /short: kept by the settings
DEDUP_REPLACED = "webclean/dedup/replaced"  # updates that replaced an older page
DEDUP_CONFIRMED = "webclean/dedup/confirmed"  # fingerprints of exported items
DEDUP_FAILED = "webclean/dedup/failed"  # /<exception class>: the item was not de-duplicated
DEDUP_RECOVERED = "webclean/dedup/recovered"  # times the store became available again
