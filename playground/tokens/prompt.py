"""The protocol prompt: a short specification that teaches a model, made from the codec's tables.

It is as short as it can be with everything in the tables, so that break-even does not look late.
"""

import re

from cablese import registry
from cablese.reference import Row, Table

COMMENT = re.compile(r"\s+; .*$")
PLAIN_CODE = re.compile(r"[A-Za-z0-9_.]+")


def teach(protocol: str) -> str:
    """Return the prompt that teaches ``protocol``. Raises UnknownProtocol."""
    codec = registry.get(protocol)
    reference = codec.reference
    tables = "\n".join(
        _list(table) for table in reference.tables if not _repeats(table, reference.grammar)
    )
    return f"""\
Write to other agents in {codec.title}, one message at a time and nothing else.
{_flatten(reference.grammar)}
{tables}
Example: {reference.example}
"""


def _list(table: Table) -> str:
    return f"{table.title}: {'; '.join(map(_say, table.rows))}."


def _repeats(table: Table, grammar: str) -> bool:
    """Return whether everything in a table is in the grammar too."""
    return all(_say(row) == row.code and row.code.lower() in grammar.lower() for row in table.rows)


def _say(row: Row) -> str:
    """Return a code, with its meaning unless it is a word; ``%20`` is not."""
    word = row.word or ("" if PLAIN_CODE.fullmatch(row.code) else row.meaning.rstrip("."))
    return f"{row.code} {word}" if word and word.lower() != row.code.lower() else row.code


def _flatten(grammar: str) -> str:
    """Return the rules without comments, and without the spaces that align them."""
    lines = (COMMENT.sub("", line) for line in grammar.split("\n"))
    return "\n".join(" ".join(line.split()) for line in lines if line.strip())
