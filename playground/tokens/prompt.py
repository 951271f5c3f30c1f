"""What an agent is told before it can write a protocol: a short specification, made from the
codec's own tables.

It is as short as it can be and still say everything that the tables have, so that break-even is not
made to look late.
"""

import re

from cablese import registry
from cablese.reference import Row, Table

COMMENT = re.compile(r"\s+; .*$")
SPEAKS = re.compile(r"[A-Za-z0-9_.]+")


def teach(protocol: str) -> str:
    """The prompt that teaches ``protocol``. Always the same for the same tables. Raises
    UnknownProtocol.
    """
    codec = registry.get(protocol)
    told = codec.reference
    tables = "\n".join(_list(table) for table in told.tables if not _repeats(table, told.grammar))
    return f"""\
Write to other agents in {codec.title}, one message at a time and nothing else.
{_flatten(told.grammar)}
{tables}
Example: {told.example}
"""


def _list(table: Table) -> str:
    return f"{table.title}: {'; '.join(map(_say, table.rows))}."


def _repeats(table: Table, grammar: str) -> bool:
    """Whether a table says nothing that the grammar has not said."""
    return all(_say(row) == row.code and row.code.lower() in grammar.lower() for row in table.rows)


def _say(row: Row) -> str:
    """A code that speaks for itself stands alone; a sign such as ``%20`` does not."""
    word = row.word or ("" if SPEAKS.fullmatch(row.code) else row.meaning.rstrip("."))
    return f"{row.code} {word}" if word and word.lower() != row.code.lower() else row.code


def _flatten(grammar: str) -> str:
    """The rules without the blanks that line them up for people, and without their comments."""
    lines = (COMMENT.sub("", line) for line in grammar.split("\n"))
    return "\n".join(" ".join(line.split()) for line in lines if line.strip())
