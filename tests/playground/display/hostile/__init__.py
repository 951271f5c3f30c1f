"""Hostile text stays text on every page."""
