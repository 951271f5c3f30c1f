"""Query text from keys and values: the one place that quotes."""

import re
from collections.abc import Iterable

TAGS = ("tag", "@")
_BARE = re.compile(r"\w[\w-]*(?:[.:/+]+[\w-]+)*")
_OPERATORS = ("OR", "AND", "NOT")
_KEY = re.compile(r'[^\s:()"@\-][^\s:()"]*')


def write_term(key: str, value: str) -> str:
    """Return the term that finds a value under a key: ``goal:42``, ``reason:"too large"``,
    ``@auth``.

    Raises ValueError for a key that a query cannot contain.
    """
    if key in TAGS:
        return f"@{quote(value)}"
    if not _KEY.fullmatch(key):
        raise ValueError(key)
    return f"{key}:{quote(value)}"


def quote(value: str) -> str:
    """Return a value as a query spells it: in quotes if it could be read as anything else."""
    if _BARE.fullmatch(value) and ".." not in value and value not in _OPERATORS:
        return value
    return write_phrase(value)


def write_phrase(text: str) -> str:
    """Return text in quotes, which finds its words in a row."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def join(terms: Iterable[str]) -> str:
    """Return the query of packets that match all of these terms."""
    return " ".join(terms)
