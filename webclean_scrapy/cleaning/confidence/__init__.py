"""Estimate the probability that an extracted body is right."""

#: Confidence below which a body is more likely wrong than right.
LOW_CONFIDENCE = 0.5
