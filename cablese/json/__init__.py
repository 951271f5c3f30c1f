"""JSON as agents send it, with a place for everything."""
