"""Pages of the AACP tools."""
