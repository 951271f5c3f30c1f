"""Erasing packets in a browser."""
