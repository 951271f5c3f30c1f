"""Log lines around messages."""
