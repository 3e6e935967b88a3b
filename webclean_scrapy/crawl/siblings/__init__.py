"""Sibling requests: finding, fetching and limiting them."""
