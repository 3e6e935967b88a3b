"""Estimate the probability that an extracted body is right."""
