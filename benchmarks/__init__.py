"""Measurements against other extractors: ``python -m benchmarks --help``."""
