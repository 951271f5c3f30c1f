"""Processes that make drafts, so that the serving process has time to write them."""
