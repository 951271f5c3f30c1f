"""Leaves, and the rows of every table that belong to them."""
