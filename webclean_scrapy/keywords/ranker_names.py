"""The names of the ways to rank keywords; imports nothing, so settings can."""

METHODS = ("tfidf", "network")  # by frequency; by the network of words (extra `network`)
