"""What the package shows to people: why a page came out as it did, and what was learned."""
