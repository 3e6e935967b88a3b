"""What is new on many sites, found once over any number of rounds."""
