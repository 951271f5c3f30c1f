"""Sums of packets that are counted together, before they are written.

The writer sums up every packet that comes in, so this must be cheap. All counters of a value are in
one integer, 48 bits each, that one addition adds: ``invalid << 48 | packets``.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from auditlog.rollup.values import Values

PACKET_COUNTERS = (
    "packets", "invalid", "tokens", "json_packets", "json_sent", "json_tokens",
)  # fmt: skip
ENGLISH_COUNTERS = ("english_read", "english_packets", "english_sent", "english_tokens")
COUNTERS = (*PACKET_COUNTERS, *ENGLISH_COUNTERS)
_BITS = 48
_MASK = (1 << _BITS) - 1
_PLACES = {name: at * _BITS for at, name in enumerate(COUNTERS)}
_INVALID = 1 << _PLACES["invalid"]
_TOKENS = _PLACES["tokens"]
_JSON = 1 << _PLACES["json_packets"]
_JSON_SENT, _JSON_TOKENS = _PLACES["json_sent"], _PLACES["json_tokens"]
_READ = 1 << _PLACES["english_read"]
_ENGLISH = 1 << _PLACES["english_packets"]
_ENGLISH_SENT, _ENGLISH_TOKENS = _PLACES["english_sent"], _PLACES["english_tokens"]


class Group(NamedTuple):
    """What packets have in common: log, day such as `2026-11-20` in UTC, and ID of the source."""

    log_id: int
    day: str
    source: int


_Sums = tuple[dict[str, int], dict[str | None, int], dict[str, int], dict[str, int]]
"""By protocol, act, sender, and recipient."""


class Tally:
    """Packed counters by group, dimension, and value."""

    def __init__(self, counters: tuple[str, ...] = PACKET_COUNTERS) -> None:
        self.counters = counters
        """Those that its packets have."""
        self._groups: dict[tuple[int, str, int], _Sums] = {}

    def add(self, group: tuple[int, str, int], protocol: str, values: Values, packed: int) -> None:
        """Add a packet of a `Group` with its counters, see `pack` and `pack_english`."""
        sums = self._groups.get(group)
        if sums is None:
            sums = self._groups[group] = ({}, {}, {}, {})
        protocols, acts, senders, recipients = sums
        act, sent_by, sent_to = values
        protocols[protocol] = protocols.get(protocol, 0) + packed
        acts[act] = acts.get(act, 0) + packed
        for name in sent_by:
            senders[name] = senders.get(name, 0) + packed
        for name in sent_to:
            recipients[name] = recipients.get(name, 0) + packed

    def items(self) -> Iterator[tuple[Group, str, dict[str, int]]]:
        """Yield each group with each dimension, and the packed counters of its values."""
        for key, (protocols, acts, senders, recipients) in self._groups.items():
            group = Group(*key)
            everything = sum(protocols.values())
            yield group, "all", {"": everything}
            yield group, "source", {str(group.source): everything}
            yield group, "protocol", protocols
            yield group, "from", senders
            yield group, "to", recipients
            if stated := {act: packed for act, packed in acts.items() if act is not None}:
                yield group, "act", stated


def pack(*, valid: bool, tokens: int, baseline: int | None) -> int:
    """Return the counters of a packet with its tokens and those of its JSON baseline, if any."""
    packed = (1 if valid else 1 + _INVALID) + (tokens << _TOKENS)
    if baseline is None:
        return packed
    return packed + _JSON + (tokens << _JSON_SENT) + (baseline << _JSON_TOKENS)


def pack_english(tokens: int, english: int | None) -> int:
    """Return the counters of a packet whose English was counted, with the tokens of both; None if
    it has no English.
    """
    if english is None:
        return _READ
    return _READ + _ENGLISH + (tokens << _ENGLISH_SENT) + (english << _ENGLISH_TOKENS)


def unpack(packed: int, counters: Sequence[str] = COUNTERS) -> list[int]:
    """Return some counters."""
    return [packed >> _PLACES[name] & _MASK for name in counters]
