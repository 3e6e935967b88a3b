"""Ready-made crawls of this repository, and an example of project settings."""
