"""How articles are written: tables, documents, a database."""
