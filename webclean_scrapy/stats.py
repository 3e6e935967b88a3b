"""Names of all our stats. ``<...>`` names stand for a family: ``NAME/<reason>``.

Reasons come from a closed set or are the name of an exception's class, never a URL.
"""

PREFIX = "webclean/"

# pages of the crawl that came by the sibling middleware
SIBLING_KNOWN = "webclean/sibling/known"  # the template was known: nothing to fetch
SIBLING_RECOGNISED = "webclean/sibling/recognised"  # a new URL pattern, but a template we know
SIBLING_SHARED = "webclean/sibling/shared"  # waited for the search that another page had begun
SIBLING_MET = "webclean/sibling/met"  # pages of the crawl that taught others which came with them
SIBLING_MET_REFUSED = "webclean/sibling/met_refused"  # /<why>: and those that could not
SIBLING_NO_LINK = "webclean/sibling/no_link"  # no link of the page leads to a likely sibling
SIBLING_SPENT = "webclean/sibling/budget_spent"  # the template has had its fetches
SIBLING_HOST_SPENT = "webclean/sibling/host_spent"  # all templates of the host have had theirs
SIBLING_HOST_GIVEN_UP = "webclean/sibling/host_given_up"  # failures in a row: asked no more
SIBLING_CLOSING = "webclean/sibling/closing"  # the crawl is being stopped: nothing is begun
SIBLING_LATE = "webclean/sibling/late"  # went on before the search for its sibling had ended
# sibling requests
SIBLING_REQUESTED = "webclean/sibling/requested"
SIBLING_LEARNED = "webclean/sibling/learned"
SIBLING_REFUSED = "webclean/sibling/refused"  # /<why>: status_<code>, address, or the Cleaner's
SIBLING_FAILED = "webclean/sibling/failed"  # /<exception class>
SIBLING_HANDED_OVER = "webclean/sibling/handed_over"  # the crawl asked for it: no second download

# pages that a browser renders
RENDER_PAGES = "webclean/render/pages"
# passed on as they came: /not_html, /too_large, /cached, /less_text; /<exception class>
RENDER_SKIPPED = "webclean/render/skipped"
RENDER_FAILED = "webclean/render/failed"
# what they ask for: /fetched, /shared, /failed, /refused_<why>: type, address, robots, limit
RENDER_RESOURCES = "webclean/render/resources"

# templates shared with other crawls
TEMPLATES_TAKEN = "webclean/templates/taken"  # shapes of address that another crawl had learned
TEMPLATES_MISSING = "webclean/templates/missing"  # shapes that none had learned
TEMPLATES_GIVEN = "webclean/templates/given"  # times that templates were put up for others
TEMPLATES_FAILED = "webclean/templates/failed"  # /<exception class>: the crawl went on without

# items
CLEAN_PAGES = "webclean/clean/pages"  # pages cleaned; their items may be more
CLEAN_KIND = "webclean/clean/kind"  # /article, /list, /other
CLEAN_FAILED = "webclean/clean/failed"  # /<reason of the PageError>: the item passed unchanged
CLEAN_REMOVED = "webclean/clean/removed"  # /<what>: how many removals of this sort
CLEAN_DENOISED = "webclean/clean/denoised"  # /template, /lcs: pages compared with others so
CLEAN_FALLBACK = "webclean/clean/fallback"  # /nothing, /little: what WEBCLEAN_EXTRACTOR found
CLEAN_NO_PAGE = "webclean/clean/no_page"  # items that came without a page
CLEAN_DROPPED = "webclean/clean/dropped_non_articles"
ATTACH_EVICTED = "webclean/attach/evicted"  # pages let go before their item was cleaned

DEDUP_SEEN = "webclean/dedup/seen"
DEDUP_SKIPPED = "webclean/dedup/skipped"  # /no_text, /no_url: items that cannot be compared
DEDUP_DROPPED = "webclean/dedup/dropped"  # /duplicate, /update, /short
DEDUP_KEPT = "webclean/dedup/kept"  # /duplicate, /update, /short: what the settings keep
DEDUP_REPLACED = "webclean/dedup/replaced"  # updates kept in the place of an older page
DEDUP_CONFIRMED = "webclean/dedup/confirmed"  # fingerprints whose items are in the feed
DEDUP_FAILED = "webclean/dedup/failed"  # /<exception class>: the item passed un-deduplicated
DEDUP_RECOVERED = "webclean/dedup/recovered"  # times that a store answered again after failures
