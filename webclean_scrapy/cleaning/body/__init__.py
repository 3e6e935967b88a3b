"""Find the subtree that holds the body of a page, and the lines inside it to leave out."""
