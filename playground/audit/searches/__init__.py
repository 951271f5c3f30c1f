"""Saved searches, pinned searches, and the columns that a person chose."""
