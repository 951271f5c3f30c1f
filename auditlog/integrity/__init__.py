"""Integrity: whether what is stored is what the leaves of a log commit to."""
