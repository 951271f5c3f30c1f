"""What every request meets: middleware, throttling, fragments, and error pages."""
