"""The published methods as printed, each selectable by name."""
