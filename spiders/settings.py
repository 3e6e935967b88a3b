"""Settings of the ready-made crawls: the example of how a project uses webclean_scrapy.

Every ``WEBCLEAN_`` setting is in
docs/settings.md, with its default, unit and meaning.
"""

from webclean_scrapy.spiders import CRAWL_SETTINGS

BOT_NAME = "webclean"
SPIDER_MODULES = ["spiders"]

# The settings of ``webclean crawl``: the add-on, politeness, articles alone, lossless tables. A
# project of its own needs ``ADDONS = {"webclean_scrapy.Addon": 500}`` alone.
globals().update(CRAWL_SETTINGS)

# Useful options: WEBCLEAN_DEDUP_URI ("sqlite:///pages.db" keeps fingerprints between crawls),
# WEBCLEAN_DEDUP_UPDATE ("replace" compares later pages with the longer version of a page only,
# "drop" exports the first version alone),
# WEBCLEAN_SIBLING_ENABLED (False: sends no requests besides those of the spider).
