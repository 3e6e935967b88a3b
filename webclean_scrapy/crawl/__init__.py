"""State shared by the components of one crawl."""
