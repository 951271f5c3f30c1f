"""REST routes of the log."""
