"""Find, fetch and limit sibling requests."""
