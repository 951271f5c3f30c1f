"""Which protocol is this text? Each codec sniffs; the surest comes first, with its reasons."""

from msgspec import Struct

from . import registry
from .message import Field, Message, Rule, Span

UNKNOWN = "unknown"
UNCLAIMED = Rule("unknown.protocol", "error", "Cablese: common to all", "", "No protocol claims the text.")
CERTAIN = 1.0


class Guess(Struct, frozen=True, gc=False):
    """One answer: the protocol, how sure (0 to 1), and why."""

    protocol: str
    score: float
    reasons: tuple[str, ...]


def rank(wire: str) -> tuple[Guess, ...]:
    """Every protocol that claims ``wire``, the surest first; equal ones by name."""
    guesses = []
    for codec in registry.all_codecs():
        sniffed = codec.sniff(wire)
        if sniffed is not None:
            guesses.append(Guess(codec.name, sniffed.score, sniffed.reasons))
    return tuple(sorted(guesses, key=lambda guess: (-guess.score, guess.protocol)))


def decode(wire: str, protocol: str | None = None, *, dialect: str | None = None) -> Message:
    """Read ``wire`` as ``protocol``, or as whatever claims it most surely; ``unknown`` and invalid when nothing does.

    Raises registry.UnknownProtocol for a name that is none.
    """
    if protocol is None:
        protocol = first(wire)
    if protocol is None or protocol == UNKNOWN:
        return unclaimed(wire)
    return registry.get(protocol).decode(wire, dialect=dialect)


def first(wire: str) -> str | None:
    """The surest protocol of ``wire``. Stops at one that is certain, which cannot be beaten."""
    best, score = None, 0.0
    for codec in registry.all_codecs():
        sniffed = codec.sniff(wire)
        if sniffed is not None and sniffed.score > score:
            best, score = codec.name, sniffed.score
            if score >= CERTAIN:
                break
    return best


def unclaimed(wire: str) -> Message:
    """A message that no protocol claims: kept whole, and invalid."""
    found = UNCLAIMED.at(Span(0, len(wire)), "No protocol claims this text.")
    return Message(UNKNOWN, UNKNOWN, wire, {}, (found,), _whole)


def _whole(wire: str) -> tuple[Field, ...]:
    return (Field("", "unreadable", wire, None, Span(0, len(wire))),) if wire else ()
