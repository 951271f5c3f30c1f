"""REST routes of the AACP tools."""
