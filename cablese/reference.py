"""The content of a protocol's reference page.

Tables are made from the constants of the codec, so that a page cannot contradict the code.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from msgspec import Struct

from .message import Rule


class Row(NamedTuple):
    """A code of the wire, its word (or none), and its meaning."""

    code: str
    word: str
    meaning: str


class Table(Struct, frozen=True, gc=False):
    """Codes of one kind. ``heads`` are the column titles."""

    title: str
    rows: tuple[Row, ...]
    heads: tuple[str, str, str] = ("Code", "Word", "Meaning")
    note: str = ""

    @property
    def has_words(self) -> bool:
        return any(row.word for row in self.rows)


class Difference(NamedTuple):
    """A topic, and what each dialect says about it, in the order of the codec's ``dialects``."""

    subject: str
    says: tuple[str, ...]


class Reference(Struct, frozen=True, gc=False):
    """A protocol in full.

    ``about`` is one paragraph, ``example`` a short message that shows as much as possible, and
    ``grammar`` the form of a wire in ABNF. ``examples`` has a wire for the code of each rule, and
    ``requirements`` has the sentences of the specification, each covered by a test. ``checked`` are
    rules that only a tool of this protocol reports, and neither decoding nor a conversation.
    """

    about: str
    source: str
    example: str
    grammar: str
    tables: tuple[Table, ...]
    examples: dict[str, str]
    requirements: dict[str, str]
    differences: tuple[Difference, ...] = ()
    checked: tuple[Rule, ...] = ()


def tabulate(
    title: str,
    words: Mapping[str, str],
    meanings: Mapping[str, str],
    *,
    heads: tuple[str, str, str] = ("Code", "Word", "Meaning"),
    note: str = "",
) -> Table:
    """Return a table of ``words`` and ``meanings``, which must have the same codes.

    Raises AssertionError if one lacks a code.
    """
    assert words.keys() == meanings.keys(), f"{title}: {words.keys() ^ meanings.keys()}"
    return Table(
        title, tuple(Row(code, word, meanings[code]) for code, word in words.items()), heads, note
    )


def one_of(codes: Iterable[str]) -> str:
    """Return the codes as alternatives of a grammar."""
    return " / ".join(f'"{code}"' for code in codes)
