"""The names of the ways to rank keywords; imports nothing, so settings can."""

#: By frequency; by several features; by the network of words, and as printed (extra `network`).
METHODS = ("tfidf", "features", "network", "network-directed")
NETWORKS = ("network", "network-directed")
