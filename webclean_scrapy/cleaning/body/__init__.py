"""Where the body of a page is, and which of its lines are not body."""
