"""Decide the kind of a page: article, listing, product and others, or "other"."""
