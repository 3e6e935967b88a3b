"""A page goes in, an article comes out. Pure: knows no Scrapy, network, clock, log or settings."""
