"""Who speaks in a record that messages came in, offered as what is supplied beside them when they are saved.

    {"role": "user", "name": "ada", "content": "REQ/TSK|g=42"}       from ada

The names are a person's to change or to clear, once for all messages that have the same two.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms

from protocols.carrier import Sides
from protocols.transcript import Cut

SHOWN = 20
NOBODY: Sides = (None, None)


@dataclass(frozen=True, slots=True)
class Pair:
    """From and to, as two fields of the form, and how many messages they are for."""

    sides: tuple[forms.BoundField, forms.BoundField]
    messages: int


class SpeakersForm(forms.Form):
    """Two names for each pair of them that the wrappers of messages give, the first ones of very many."""

    def __init__(self, cuts: Sequence[Cut], data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        self._counts: dict[Sides, int] = {}
        kinds: dict[str, None] = {}
        for cut in cuts:
            sides = _sides(cut)
            if sides != NOBODY and cut.carrier is not None:
                self._counts[sides] = self._counts.get(sides, 0) + 1
                kinds[cut.carrier.title] = None
        self.kinds = " and ".join(kinds)
        """What the records are: chat and MCP."""
        self._places = {sides: at for at, sides in enumerate(list(self._counts)[:SHOWN])}
        self.left = len(self._counts) - len(self._places)
        """Pairs beyond those that are shown; nothing is supplied for them."""
        for (sender, recipient), at in self._places.items():
            self.fields[f"from-{at}"] = _name("From", sender)
            self.fields[f"to-{at}"] = _name("To", recipient)

    @property
    def pairs(self) -> Iterator[Pair]:
        for sides, at in self._places.items():
            yield Pair((self[f"from-{at}"], self[f"to-{at}"]), self._counts[sides])

    def sides(self, cut: Cut) -> Sides:
        """From whom and to whom a message goes, as a valid form says."""
        at = self._places.get(_sides(cut))
        if at is None:
            return NOBODY
        return self.cleaned_data[f"from-{at}"] or None, self.cleaned_data[f"to-{at}"] or None


def _sides(cut: Cut) -> Sides:
    return NOBODY if cut.carrier is None else cut.carrier.sides


def _name(label: str, initial: str | None) -> forms.CharField:
    return forms.CharField(required=False, max_length=1000, label=label, initial=initial or "")
