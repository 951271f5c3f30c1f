"""One package for each protocol."""
