"""A site is a set of templates: what similar pages of one site have in common."""
