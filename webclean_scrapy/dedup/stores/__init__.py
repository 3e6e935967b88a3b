"""Stores of fingerprints."""
