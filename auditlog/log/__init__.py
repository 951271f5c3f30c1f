"""The only way into the log, and back out of it."""
