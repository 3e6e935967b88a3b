"""The body as text and as clean HTML."""
