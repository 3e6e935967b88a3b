"""Cleaning in processes of their own, so that the event loop is free."""
