"""What a message says, apart from the words its protocol has for it: what translation works on.

A :class:`Statement` is the common terms, and beside them whatever else its protocol says, each with
its place on the wire. For the AACP packet ``FETCH|HR|return:A|p:1|aacp:1.1|period:2024-08``:

    meaning   act request, topic HR, answer_to A, priority 1
    extras    aacp.task FETCH (a request is less than a fetch), aacp.period 2024-08
    implied   aacp = 1.1: AACP says that by itself

A target says in its own words what it can and carries the rest in private fields
(``private_fields``), so a statement read back from a translation is the one that was translated.
"""

from functools import cached_property
from typing import Any, Protocol

from msgspec import Struct

from cablese.meaning import Act, Meaning
from cablese.message import Message
from cablese.outcome import ENDS, Outcome

TERMS: tuple[str, ...] = Meaning.__struct_fields__
UNSTATED = "unstated"
"""Written where a protocol demands a name and the message has none."""


class Inexpressible(Exception):
    """The target has no faithful form. The text of the exception says why."""


class Place(Struct, frozen=True):
    """A key on the wire and its value. The key is empty for what is outside of all fields."""

    key: str
    value: Any


class Restored(Struct, frozen=True):
    """Values made from plain JSON, and the word that each key had there."""

    values: dict[str, Any]
    words: dict[str, str]


class Parcel(Struct):
    """What private fields carry: terms, extras, their places, and the keys that were added.

    ``mark`` is the field that lists those keys.
    """

    terms: dict[str, Any] = {}
    extras: dict[str, Any] = {}
    places: dict[str, Place] = {}
    added: tuple[str, ...] = ()
    mark: Place | None = None


class Statement:
    """The common terms of a message and its ``extras``, which are called ``<protocol>.<key>``.

    A codec adds its fields one by one: first the act, which is written under ``key``.

    places      of every term and extra, by its name
    carried     the names of those in private fields
    nearest     the closest words for a term whose exact value is carried
    within      terms that an extra holds already
    implied     what the protocol says by itself
    added       what a translation had to write because the protocol demands it
    opaque      parts that are bytes or tokens
    secret      parts for one endpoint alone
    essential   extras without which the message says nothing
    """

    def __init__(
        self, protocol: str, act: Act, key: str, written: Any, outcome: Outcome | None = None
    ) -> None:
        self.protocol = protocol
        self.written_outcome = outcome
        self.terms: dict[str, Any] = {"act": act}
        self.extras: dict[str, Any] = {}
        self.places = {"act": Place(key, written)}
        self.carried: tuple[str, ...] = ()
        self.nearest: dict[str, Place] = {}
        self.within: dict[str, str] = {}
        self.implied: list[Place] = []
        self.added: list[Place] = []
        self.opaque: list[str] = []
        self.secret: list[str] = []
        self.essential: list[str] = []

    def term(self, name: str, value: Any, key: str, written: Any = None) -> None:
        """Add the term ``name``, in the field ``key``, as ``written`` if that differs."""
        if value is not None and value != ():
            self.terms[name] = value
            self.places[name] = Place(key, value if written is None else written)

    def keep(self, key: str, value: Any, at: str = "") -> None:
        """Add an extra called ``key``, in the field ``at`` if that has another name."""
        name = f"{self.protocol}.{key}"
        self.extras[name] = value
        self.places[name] = Place(at or key, value)

    def imply(self, key: str, value: Any) -> None:
        self.implied.append(Place(key, value))

    def fill(self, key: str, value: Any) -> None:
        self.added.append(Place(key, value))

    def recall(self, parcel: Parcel) -> None:
        """Remove what a translation added, and replace the closest words by the exact ones."""
        for name in [
            name
            for name, place in self.places.items()
            if name != "act" and place.key in parcel.added
        ]:
            self.added.append(self.places.pop(name))
            self.terms.pop(name, None)
            self.extras.pop(name, None)
        for name, value in parcel.terms.items():
            if name in self.terms:
                self.nearest[name] = self.places[name]
            self.terms[name] = value
        self.carried = (*parcel.terms, *parcel.extras)
        self.extras |= parcel.extras
        self.places |= {name: parcel.places[name] for name in self.carried}
        if parcel.mark is not None:
            self.implied.append(parcel.mark)

    @cached_property
    def meaning(self) -> Meaning:
        """Return the terms, when all are there. A status is one of ``outcome.STATUSES``."""
        return Meaning(**self.terms)

    @cached_property
    def outcome(self) -> Outcome | None:
        """Return how the task ended. A failure anywhere, also in a private field, is one."""
        carried = ENDS.get(self.terms.get("status", ""))
        failed = "failed" in (self.written_outcome, carried) or self.terms["act"] == "error"
        return "failed" if failed else self.written_outcome or carried

    def own(self, protocol: str) -> dict[str, Any]:
        """Return the extras of one protocol, by their keys there."""
        start = f"{protocol}."
        return {
            name.removeprefix(start): value
            for name, value in self.extras.items()
            if name.startswith(start)
        }


class Translator(Protocol):
    """The module of a protocol that translates its messages."""

    def state(self, message: Message, meaning: Meaning, outcome: Outcome | None, /) -> Statement:
        """Return what a message says."""

    def express(self, statement: Statement, /) -> dict[str, Any]:
        """Return the values that say it."""

    def restore(self, plain: dict[str, Any], /) -> Restored:
        """Return the values for a ``plain`` object."""
