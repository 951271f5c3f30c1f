"""Detection: each codec rates the text; the highest rating comes first, with reasons."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, structs

from . import registry
from .codec import in_order, leave_unread
from .message import DOUBTS, Message, Rule, Span

UNKNOWN = "unknown"
UNCLAIMED = Rule("unknown.protocol", "error", "Cablese: common to all", "", "No protocol detected.")
CERTAIN = 1.0
CLAIMED = 0.5
"""From here on at least two independent marks speak for a protocol. Below, a text only resembles
its messages.
"""


class Guess(Struct, frozen=True, gc=False):
    """One candidate: the protocol, how likely it is (0 to 1), and why."""

    protocol: str
    score: float
    reasons: tuple[str, ...]


def rank(wire: str) -> tuple[Guess, ...]:
    """Return all protocols that ``wire`` resembles, the most likely first, then by name."""
    sniffs = ((codec.name, codec.sniff(wire)) for codec in registry.all_codecs())
    guesses = [Guess(name, *sniff) for name, sniff in sniffs if sniff is not None]
    return tuple(sorted(guesses, key=lambda guess: (-guess.score, guess.protocol)))


def decode(wire: str, protocol: str | None = None, *, dialect: str | None = None) -> Message:
    """Decode ``wire`` as ``protocol``, or as the likeliest one; as ``unknown`` if there is none.

    Raises registry.UnknownProtocol, and registry.UnknownDialect if the protocol, also a detected
    one, does not have this dialect.
    """
    protocol = first(wire) if protocol is None else protocol
    if protocol is None or protocol == UNKNOWN:
        return unclaimed(wire)
    codec = registry.get(protocol)
    if dialect is not None:
        registry.check_dialect(protocol, dialect)
    return codec.decode(wire, dialect=dialect)


def find_doubts(attributes: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what of DOUBTS the metadata of a message states."""
    if not attributes:
        return ()  # as for most messages of a text
    return tuple(name for name in DOUBTS if attributes.get(name) is True)


def mark_doubts(message: Message, doubts: Sequence[str]) -> Message:
    """Return a message with warnings of doubts about its end, at its last character."""
    if message.protocol == UNKNOWN or not message.wire or not doubts:
        return message
    end = Span(len(message.wire) - 1, len(message.wire))
    rules = registry.get(message.protocol).doubts
    warnings = (rules[name].at(end, DOUBTS[name].text) for name in doubts)
    return structs.replace(message, diagnostics=in_order((*message.diagnostics, *warnings)))


def first(wire: str) -> str | None:
    """Return the most likely protocol of ``wire``; None if none is likely enough."""
    guess = best(wire)
    return None if guess is None else guess.protocol


def best(wire: str) -> Guess | None:
    """Return the most likely protocol. Stops at one that is certain."""
    guess = surest(wire)
    return guess if guess is not None and guess.score >= CLAIMED else None


def surest(wire: str) -> Guess | None:
    """Return the protocol that ``wire`` resembles most, and how likely it is. From CLAIMED on, the
    text is a message of that protocol.
    """
    best: Guess | None = None
    for codec in registry.all_codecs():
        sniffed = codec.sniff(wire)
        if sniffed is not None and (best is None or sniffed.score > best.score):
            best = Guess(codec.name, sniffed.score, sniffed.reasons)
            if sniffed.score >= CERTAIN:
                break
    return best


def unclaimed(wire: str) -> Message:
    """Return a message of no protocol: complete, and invalid."""
    diagnostic = UNCLAIMED.at(Span(0, len(wire)), "No protocol detected.")
    return Message(UNKNOWN, UNKNOWN, wire, {}, (diagnostic,), leave_unread)
