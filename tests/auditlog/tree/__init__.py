"""The tree of a log in the database."""
