"""What a source raises when a file has more bytes than its kind can have."""


class TooLarge(ValueError):
    """A file with more bytes than are read."""
