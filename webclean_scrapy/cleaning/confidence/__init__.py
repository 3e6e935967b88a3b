"""Confidence: the probability that the body is right."""
