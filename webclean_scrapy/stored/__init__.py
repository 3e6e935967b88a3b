"""Pages that lie in files and archives: read, with siblings found among them, and cleaned."""
