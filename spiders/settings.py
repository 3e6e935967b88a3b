"""Settings of the ready-made crawls: the example of how a project uses webclean_scrapy.

Only ``ADDONS`` is needed; the rest is how a guest behaves. Every ``WEBCLEAN_`` setting stands in
docs/settings.md, with its default, unit and meaning.
"""

BOT_NAME = "webclean"
SPIDER_MODULES = ["spiders"]

# One line puts every component at its place.
ADDONS = {"webclean_scrapy.Addon": 500}

# Behave: obey robots.txt, let AutoThrottle find the pace, take no huge files.
ROBOTSTXT_OBEY = True
AUTOTHROTTLE_ENABLED = True
AUTOTHROTTLE_START_DELAY = 0.5  # seconds; it settles within a few pages
AUTOTHROTTLE_TARGET_CONCURRENCY = 2.0  # requests under way at each site
DOWNLOAD_MAXSIZE = 10_000_000  # bytes

# Lists are there for their links, not for the result.
WEBCLEAN_DROP_NON_ARTICLES = True

# Worth knowing: WEBCLEAN_DEDUP_URI ("sqlite:///pages.db" remembers pages between crawls),
# WEBCLEAN_DEDUP_UPDATE ("keep" also exports longer versions of a page seen before, "replace" lets
# them stand for it),
# WEBCLEAN_SIBLING_ENABLED (False: never ask for a page that the spider did not).
