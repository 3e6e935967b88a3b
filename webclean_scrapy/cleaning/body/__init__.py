"""Find the body of a page, and the lines in it that are not body."""
