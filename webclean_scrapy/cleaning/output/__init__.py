"""Render the body as text, HTML, Markdown, TEI and chunks."""
