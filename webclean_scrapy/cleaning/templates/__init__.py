"""Learn the templates of sites: the common parts of similar pages."""
