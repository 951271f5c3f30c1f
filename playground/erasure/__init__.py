"""Erasing packets, and what the pages and the API say of erased ones."""
