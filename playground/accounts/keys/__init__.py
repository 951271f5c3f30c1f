"""The page where administrators create, rotate, and revoke API keys."""
