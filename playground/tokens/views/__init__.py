"""Pages of the token tools."""
