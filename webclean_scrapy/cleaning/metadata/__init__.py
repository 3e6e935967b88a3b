"""What a page says about itself: title, date, authors, outlet, language and its own metadata."""
