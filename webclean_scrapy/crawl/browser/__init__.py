"""Pages rendered by a real browser."""
