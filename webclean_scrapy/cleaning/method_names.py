"""Names shared by methods, settings and reports; imports no other module."""

#: How the body is detected: the default method of `body`, then the papers' own of `papers`.
EXTRACTORS = ("webclean", "decay", "entropy", "relevance", "lcs")

#: What finds the body of a page that must not be parsed; none can choose it.
SOURCE = "source"

#: How template text is removed before: by keys, by alignment with a sibling, or not at all.
DENOISERS = ("template", "lcs", "off")

#: Which of two faults costs more: text that is no body, or body that is missing.
FAVORS = ("balanced", "precision", "recall")

#: All fields of a clean page; ``interest`` is there with an interest profile only.
FIELDS = (
    "url", "title", "text", "html", "is_article", "kind", "kind_reason", "kind_confidence",
    "kind_probabilities", "confidence", "canonical_url", "description", "main_image", "images",
    "site_name", "date_published", "date_modified", "authors", "source", "language", "keywords",
    "body_xpath", "sibling_url", "denoised", "extractor", "fallback", "link_blocks", "repaired",
    "interest", "removed", "parts",
)  # fmt: skip

#: Fields that are made only when they are named.
ON_REQUEST = ("markdown", "chunks", "comments", "link_groups")


def go_together(extractor: str, denoise: str) -> bool:
    """True if a configuration can combine both: alignment needs siblings."""
    return extractor != "lcs" or denoise != "off"
