"""What leaves lines out of a body: one module a reason, all in one table."""
