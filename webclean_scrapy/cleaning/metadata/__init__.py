"""What a page states about itself: title, date, authors, outlet, language and its own metadata."""
