"""Ready-made spiders with their settings."""

from webclean_scrapy.spiders.site_spider import CRAWL_SETTINGS, SiteSpider
from webclean_scrapy.spiders.watch.spider import WatchSpider

__all__ = ["CRAWL_SETTINGS", "SiteSpider", "WatchSpider"]
