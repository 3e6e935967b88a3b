"""Turn a page into an article. Pure: no Scrapy, network, clock, log or settings."""
