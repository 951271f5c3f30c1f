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
NONE = " "
"""The sender of packets that state none. No name is spelled like this."""
_NO_NAME = (NONE,)
LONGEST = 100
"""Characters of a value. Longer ones count as `OTHER`."""
_READ = 4 * LONGEST


class Values(NamedTuple):
    """What a packet is counted under. It has two senders if its metadata states another one, since
    search finds it by both; and `NONE` if it states none.
    """

    act: str | None
    senders: tuple[str, ...]
    recipients: tuple[str, ...]


NOTHING = Values(None, (NONE,), (NONE,))


def of_draft(meaning: Meaning | None, supplied: Mapping[str, Any]) -> Values:
    """Return the values of a packet that is being decoded."""
    sender, recipient = supplied.get("from"), supplied.get("to")
    if meaning is None:
        return Values(None, _name(None, sender), _name(None, recipient))
    return Values(meaning.act, _name(meaning.sender, sender), _name(meaning.recipient, recipient))


def of_stored(meaning: Mapping[str, Any], supplied: Mapping[str, Any]) -> Values:
    """Return the values of a stored packet, whose columns are JSON objects: as `of_draft`."""
    return Values(
        meaning.get("act"),
        _name(meaning.get("sender"), supplied.get("from")),
        _name(meaning.get("recipient"), supplied.get("to")),
    )


def _name(stated: str | None, supplied: str | None) -> tuple[str, ...]:
    """Return the names that the packet and its metadata state, each once."""
    if stated is None:
        return _NO_NAME if supplied is None else (_fold(supplied),)
    one = _fold(stated)
    if supplied is None or (other := _fold(supplied)) == one:
        return (one,)
    return one, other


def _fold(name: str) -> str:
    return fold(name) if len(name) <= _READ else OTHER


@lru_cache(maxsize=10_000)
def fold(name: str) -> str:
    """Return a name as search compares it; `OTHER` if it is too long, or nothing is left of it."""
    words = [word.strip(terms.EDGES) or word for word in terms.fold(name).split()]
    folded = " ".join(words)
    return folded if len(folded) <= LONGEST else OTHER
