"""Feeds in every format that ``dedup`` takes: what a file is, its rows, and how one is written."""
