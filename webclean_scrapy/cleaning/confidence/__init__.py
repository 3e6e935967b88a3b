"""How likely the body is right."""
