"""Metadata of a page: title, date, authors, outlet, language and declared metadata."""
