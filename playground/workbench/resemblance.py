"""Ignored fragments that resemble a protocol, counted for each protocol.

LOG|user=bob|action=login     1 fragment resembles AACP

One mark speaks for the protocol where detection wants two, so such a fragment is a message only if
the reader says so.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cablese import registry
from cablese.transcript import Ignored


@dataclass(frozen=True, slots=True)
class Resemblance:
    """How many fragments resemble one protocol."""

    protocol: str
    fragments: int

    @property
    def title(self) -> str:
        return registry.get(self.protocol).title

    @property
    def words(self) -> str:
        if self.fragments == 1:
            return f"1 fragment resembles {self.title}"
        return f"{self.fragments:,} fragments resemble {self.title}"


def count(ignored: Iterable[Ignored]) -> dict[str, int]:
    """Fragments for each protocol that any of them resembles."""
    return dict(Counter(one.resembles for one in ignored if one.resembles is not None))


def rank(counts: Mapping[str, int]) -> list[Resemblance]:
    """The protocols, the one that most fragments resemble first; equal ones as they were met."""
    return [Resemblance(*one) for one in sorted(counts.items(), key=lambda one: -one[1])]
