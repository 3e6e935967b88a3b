"""The kind of a page: article, listing, product and others, or none of these."""
