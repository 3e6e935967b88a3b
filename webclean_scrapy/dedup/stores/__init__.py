"""Where fingerprints are kept."""
