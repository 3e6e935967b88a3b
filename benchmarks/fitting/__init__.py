"""Fit the numbers of the models that find the body, ``weights.json``, on labelled pages."""
