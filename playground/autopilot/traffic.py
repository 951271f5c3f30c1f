"""The messages that are analyzed: valid ones, from a text or from a search of the trail."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from msgspec import Struct

from auditlog.log import packet as packets
from auditlog.models import Log
from auditlog.search.find import find
from cablese import detection
from cablese.message import Message
from cablese.transcript import Cut, split
from playground.http import wanted
from playground.http.decoding import decode_cuts

MESSAGES = 100
"""Messages that are analyzed: each is translated into every protocol and back."""
CHARACTERS = 20_000
"""Characters of these messages together."""
MOST_PARTS = 100_000


class Traffic(Struct, frozen=True):
    """Valid messages in the order in which they were sent.

    ``invalid`` messages were left out, and ``left`` ones are beyond a limit.
    """

    messages: tuple[Message, ...]
    invalid: int = 0
    left: int = 0


def of_messages(messages: Iterable[Message], left: int = 0) -> Traffic:
    """Return the traffic of decoded messages. ``left`` more were not decoded."""
    every = list(messages)
    valid = [message for message in every if is_comparable(message)]
    return Traffic(tuple(valid), len(every) - len(valid), left)


def of_text(text: str, protocol: str | None, dialect: str | None = None) -> Traffic:
    """Return the first messages of a text. Raises UnknownDialect."""
    cuts = split(text, protocol, most=MOST_PARTS, check=wanted.check).messages
    return of_cuts(cuts, dialect)


def of_cuts(cuts: Sequence[Cut], dialect: str | None = None) -> Traffic:
    """Return the first messages of a text that was split. Raises UnknownDialect."""
    chosen = cuts[: len(list(_within(len(cut.wire) for cut in cuts[:MESSAGES])))]
    return of_messages(decode_cuts(chosen, dialect=dialect), len(cuts) - len(chosen))


def of_search(log: Log | str, query: str, now: datetime) -> Traffic:
    """Return the newest matching packets. Raises QueryError."""
    page = find([log], query, limit=MESSAGES, size=CHARACTERS, now=now)
    messages = [packets.read(packet) for packet in page.rows]
    fitting = len(list(_within(len(message.wire) for message in messages)))
    left = max(page.count.value - fitting, 0)
    return of_messages(reversed(messages[:fitting]), left)


def is_comparable(message: Message) -> bool:
    """Return whether other formats can carry a message at all."""
    return message.valid and message.protocol != detection.UNKNOWN


def _within(lengths: Iterable[int]) -> Iterator[int]:
    """Yield the lengths that are within the limit together."""
    total = 0
    for length in lengths:
        total += length
        if total > CHARACTERS:
            return
        yield length
