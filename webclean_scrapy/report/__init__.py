"""Reports for people: how a page was cleaned, what was learned, and what a crawl did."""
