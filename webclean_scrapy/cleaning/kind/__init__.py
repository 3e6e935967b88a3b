"""What kind of page it is: an article, a listing, a product ... or none of these."""
