"""Two messages side by side by what they mean, whatever their protocols, and what each costs.

The common terms come first (docs/design/protocols.md). Messages of one protocol are compared by
their values too.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from msgspec import UNSET, structs

from cablese import detection, registry, tokens
from cablese.message import Message
from cablese.translation.ledger import differences
from playground.display.cost import compare
from playground.workbench.translate import show_value

Kind = Literal["same", "changed", "only in left", "only in right"]
LINES = 200


@dataclass(frozen=True, slots=True)
class Line:
    """What one term says here and there; empty where a message does not say it."""

    kind: Kind
    term: str
    here: str
    there: str


class Comparison:
    """``here`` is the message that is shown, ``there`` the message ``number`` of the same text,
    from 1.
    """

    def __init__(self, here: Message, there: Message, number: int, tokenizer: str) -> None:
        self.number = number
        self.tokenizer = tokenizer
        self._here, self._there = here, there

    @property
    def titles(self) -> tuple[str, str]:
        return _title(self._here), _title(self._there)

    @cached_property
    def terms(self) -> list[Line]:
        return list(_compare_terms(_terms(self._here), _terms(self._there)))

    @cached_property
    def values(self) -> list[Line]:
        """Where the values of two messages of one protocol differ."""
        if self._here.protocol != self._there.protocol:
            return []
        found = differences(self._here.values, self._there.values)
        return [
            _line(one.key, one.before, one.after)
            for one, _ in zip(found, range(LINES), strict=False)
        ]

    @property
    def same(self) -> bool:
        return not self.values and all(line.kind == "same" for line in self.terms)

    @cached_property
    def counts(self) -> tuple[tokens.Count, tokens.Count]:
        here, there = tokens.count_batch([self._here.wire, self._there.wire], self.tokenizer)
        return here, there

    @property
    def cost(self) -> str:
        return compare(*self.counts, f"message {self.number:,}", self.tokenizer)


def _title(message: Message) -> str:
    return (
        "Unknown protocol"
        if message.protocol == detection.UNKNOWN
        else registry.get(message.protocol).title
    )


def _terms(message: Message) -> dict[str, Any]:
    if message.protocol == detection.UNKNOWN:
        return {}
    said = structs.asdict(registry.get(message.protocol).meaning(message))
    return {name: value for name, value in said.items() if value not in (None, ())}


def _compare_terms(here: dict[str, Any], there: dict[str, Any]) -> Iterator[Line]:
    for term in (*here, *(term for term in there if term not in here)):
        yield _line(term, here.get(term, UNSET), there.get(term, UNSET))


def _line(term: str, here: Any, there: Any) -> Line:
    kind: Kind = (
        "only in right" if here is UNSET else "only in left" if there is UNSET else "changed"
    )
    if here == there and type(here) is type(there):
        kind = "same"
    return Line(kind, show_value(term), show_value(here), show_value(there))
