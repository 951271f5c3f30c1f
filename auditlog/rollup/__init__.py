"""Counts of packets by day and value, kept in the transaction that stores the packets."""
