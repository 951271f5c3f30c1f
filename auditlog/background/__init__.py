"""Processes of low priority that work for the serving process."""
