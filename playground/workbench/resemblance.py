"""Ignored fragments that resemble a protocol, counted for each protocol.

LOG|user=bob|action=login     1 fragment resembles AACP

One sign points to the protocol, and detection requires two. So such a fragment is a message only if
the protocol is chosen by hand.
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
    def description(self) -> str:
        if self.fragments == 1:
            return f"1 fragment resembles {self.title}"
        return f"{self.fragments:,} fragments resemble {self.title}"


def count(ignored: Iterable[Ignored]) -> dict[str, int]:
    """Count the fragments for each protocol that they resemble."""
    return dict(
        Counter(fragment.resembles for fragment in ignored if fragment.resembles is not None)
    )


def rank(counts: Mapping[str, int]) -> list[Resemblance]:
    """Return the protocols, the one with the most fragments first; equal ones in order."""
    return [Resemblance(*pair) for pair in sorted(counts.items(), key=lambda pair: -pair[1])]
