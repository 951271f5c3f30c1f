"""The list of packets as a table."""
