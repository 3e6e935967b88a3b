"""A page is a table: its bytes are decoded, checked, parsed and measured once."""
