"""``scrapy crawl site -a url=URL [-a max_pages=N] [-a within=/news/] [-O FILE]``."""

from webclean_scrapy.spiders import SiteSpider


class Site(SiteSpider):
    """Crawls any site from one URL."""

    name = "site"
