"""Classes of pages, such as the sections of a newspaper, learned from labelled pages."""
