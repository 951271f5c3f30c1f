"""Shared by all requests: middleware, throttling, fragments, and error pages."""
