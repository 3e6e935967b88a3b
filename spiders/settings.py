"""Settings of the ready-made crawls: the example of how a project uses webclean_scrapy.

Only ``ADDONS`` is needed; the rest is how a guest behaves. Every ``WEBCLEAN_`` setting is in
docs/settings.md, with its default, unit and meaning.
"""

BOT_NAME = "webclean"
SPIDER_MODULES = ["spiders"]

# One line adds every component at its position.
ADDONS = {"webclean_scrapy.Addon": 500}

# Politeness: obey robots.txt, let AutoThrottle set the delay, skip huge files.
ROBOTSTXT_OBEY = True
AUTOTHROTTLE_ENABLED = True
AUTOTHROTTLE_START_DELAY = 0.5  # seconds; adapts within a few pages
AUTOTHROTTLE_TARGET_CONCURRENCY = 2.0  # parallel requests per site
DOWNLOAD_MAXSIZE = 10_000_000  # bytes

# List pages are needed for their links, not in the output.
WEBCLEAN_DROP_NON_ARTICLES = True
WEBCLEAN_PARTS = True

# Articles as CSV without loss, and as XML without the word None; the add-on knows Parquet.
FEED_EXPORTERS = {
    "csv": "webclean_scrapy.export.tables.ArticleCsvExporter",
    "xml": "webclean_scrapy.export.tables.ArticleXmlExporter",
}

# Useful options: WEBCLEAN_DEDUP_URI ("sqlite:///pages.db" keeps fingerprints between crawls),
# WEBCLEAN_DEDUP_UPDATE ("replace" compares later pages with the longer version of a page only,
# "drop" exports the first version alone),
# WEBCLEAN_SIBLING_ENABLED (False: sends no requests besides those of the spider).
