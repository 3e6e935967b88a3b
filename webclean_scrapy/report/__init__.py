"""Reports for people: how a page was cleaned, the learned templates, the outcome of a crawl."""
