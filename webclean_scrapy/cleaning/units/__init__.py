"""Finds what a page repeats, and reads pages that consist of it: threads and lists."""
