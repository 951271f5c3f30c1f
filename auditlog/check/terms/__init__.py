"""The search index against the terms of packets, made again."""
