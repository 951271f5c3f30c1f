"""Searches that stay: pinned to a size of their log, or saved in it with a name."""
