"""Names and limits that settings and reports share with the methods; imports nothing."""

#: How the body is detected: the default method of `body`, then the papers' own of `papers`.
EXTRACTORS = ("webclean", "decay", "entropy", "relevance", "lcs")

#: What finds the body of a page that must not be parsed; none can choose it.
SOURCE = "source"

#: How template text is removed before: by keys, by alignment with a sibling, or not at all.
DENOISERS = ("template", "lcs", "off")

#: Which of two faults costs more: text that is no body, or body that is missing.
FAVORS = ("balanced", "precision", "recall")

#: What is counted between two links of a block: tokens of text, or characters of code.
DISTANCES = ("text", "code")

#: Confidence below which a body is more likely wrong than right.
LOW_CONFIDENCE = 0.5


def go_together(extractor: str, denoise: str) -> bool:
    """True if one configuration can have both: alignment with a sibling needs siblings."""
    return extractor != "lcs" or denoise != "off"
