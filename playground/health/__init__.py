"""Readiness of this process, and its responses after failures."""
