"""What every REST route shares: bodies, keys, problems, and the OpenAPI document."""
