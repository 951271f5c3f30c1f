"""The values by which packets are counted: act, sender, and recipient, as search compares them.

`from:HR-Agent` finds packets of "hr-agent" as well, so both are one value here, and a count agrees
with the search that it links to. This needs no Django, so that a helper process can do it.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from auditlog.search import terms
from cablese.meaning import Meaning

OTHER = ""
"""The value under which all values are counted that have no row of their own."""
LONGEST = 100
"""Characters of a value. Longer ones count as `OTHER`."""
_READ = 4 * LONGEST


class Values(NamedTuple):
    """What a packet is counted under; None if it does not state it."""

    act: str | None
    sender: str | None
    recipient: str | None


NOTHING = Values(None, None, None)


def of_draft(meaning: Meaning | None, supplied: Mapping[str, Any]) -> Values:
    """Return the values of a packet that is decoded now. It goes before its metadata."""
    if meaning is None:
        return _make(None, supplied.get("from"), supplied.get("to"))
    return _make(
        meaning.act,
        meaning.sender or supplied.get("from"),
        meaning.recipient or supplied.get("to"),
    )


def of_stored(meaning: Mapping[str, Any], supplied: Mapping[str, Any]) -> Values:
    """Return the values of a stored packet, whose columns are JSON objects: as `of_draft`."""
    return _make(
        meaning.get("act"),
        meaning.get("sender") or supplied.get("from"),
        meaning.get("recipient") or supplied.get("to"),
    )


def _make(act: str | None, sender: str | None, recipient: str | None) -> Values:
    if not sender and not recipient:
        return _only(act)
    return Values(act, _fold(sender), _fold(recipient))


@lru_cache(maxsize=64)
def _only(act: str | None) -> Values:
    return Values(act, None, None)


def _fold(name: str | None) -> str | None:
    if not name:
        return None
    return fold(name) if len(name) <= _READ else OTHER


@lru_cache(maxsize=10_000)
def fold(name: str) -> str | None:
    """Return a name as search compares it; None if nothing is left of it."""
    words = [word.strip(terms.EDGES) or word for word in terms.fold(name).split()]
    folded = " ".join(words)
    return (folded or None) if len(folded) <= LONGEST else OTHER
