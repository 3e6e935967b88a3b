"""The names of the methods that a configuration can choose; imports nothing, so settings can."""

#: How the body is detected: the default method of `body`, then the papers' own of `papers`.
EXTRACTORS = ("webclean", "decay", "entropy", "relevance", "lcs")

#: How template text is removed before: by keys, by alignment with a sibling, or not at all.
DENOISERS = ("template", "lcs", "off")
