"""In place of requests, which detect-secrets imports to try out credentials. We never do."""
