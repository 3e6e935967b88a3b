"""Render pages in a real browser."""
