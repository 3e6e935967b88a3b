"""Finds the lines that are left out of a body: a module for each reason, all of them in `table`."""
