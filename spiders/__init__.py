"""Ready-made crawls of this repository, and the example of how a project is configured."""
