"""Reports for people: the cleaning of a page, learned templates, the outcome of a crawl."""
