"""REST routes of the token tools."""
