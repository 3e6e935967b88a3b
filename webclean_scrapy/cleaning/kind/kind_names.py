"""The kinds of pages, by name."""

ARTICLE, FORUM, PRODUCT = "article", "forum", "product"
LISTING, OTHER = "listing", "other"
#: The kinds that the model tells apart; the rules of `page_kind` add OTHER.
KINDS = (ARTICLE, FORUM, PRODUCT, "documentation", LISTING, "service")
