"""Programs for those who keep the package; nothing here is installed with it."""
