"""Fuzzing: inputs of our own, mutated by their structure, and what must hold for each."""
