"""webclean_scrapy: clean, de-duplicated articles from a crawl of noisy pages."""
