"""What kind of page it is: an article, a list or neither."""
