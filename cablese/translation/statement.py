"""What a message says, apart from the words its protocol has for it: what translation works on.

A :class:`Statement` is the common terms, and beside them whatever else its protocol says, each with
its place on the wire. For the AACP packet ``FETCH|HR|return:A|p:1|aacp:1.1|period:2024-08``:

    meaning   act request, topic HR, answer_to A, priority 1
    extras    aacp.task FETCH (a request is less than a fetch), aacp.period 2024-08
    implied   aacp = 1.1: AACP says that by itself

A target says in its own words what it can and carries the rest in private fields
(``private_fields``), so a statement read back from a translation is the one that was translated.
"""

from typing import Any

from msgspec import Struct

from cablese.meaning import Act, Meaning
from cablese.outcome import ENDS, Outcome

TERMS: tuple[str, ...] = Meaning.__struct_fields__
UNSTATED = "unstated"
"""Written where a protocol demands a name and the message has none."""


class Inexpressible(Exception):
    """The target has no faithful form. ``words`` say why."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.words = words


class Place(Struct, frozen=True):
    """A key on the wire and its value. The key is empty for what is outside of all fields."""

    key: str
    value: Any


class Statement(Struct, frozen=True):
    """The common terms of a message and its ``extras``, which are called ``<protocol>.<key>``.

    The status in ``meaning`` is one of ``outcome.STATUSES``; a text that is none of them is an
    extra.

    places      of every term and extra, by its name
    carried     the names of those that stand in private fields
    nearest     words that only come near a term whose exact value is carried
    within      terms that an extra holds already
    implied     what the protocol says by itself
    added       what a translation had to write because the protocol demands it
    opaque      parts that are bytes or tokens
    secret      parts that are for one end-point alone
    essential   extras without which the message says nothing
    outcome     how the task ended, which every target has to say when it failed
    """

    meaning: Meaning
    extras: dict[str, Any] = {}
    places: dict[str, Place] = {}
    carried: tuple[str, ...] = ()
    nearest: dict[str, Place] = {}
    within: dict[str, str] = {}
    implied: tuple[Place, ...] = ()
    added: tuple[Place, ...] = ()
    opaque: tuple[str, ...] = ()
    secret: tuple[str, ...] = ()
    essential: tuple[str, ...] = ()
    outcome: Outcome | None = None

    def own(self, protocol: str) -> dict[str, Any]:
        """Return the extras of one protocol, by their keys there."""
        start = f"{protocol}."
        return {
            name.removeprefix(start): value
            for name, value in self.extras.items()
            if name.startswith(start)
        }


class Restored(Struct, frozen=True):
    """Values made from plain JSON, and the word that each key had there."""

    values: dict[str, Any]
    words: dict[str, str]


class Parcel(Struct, frozen=True):
    """What private fields carry: terms and extras with their places, which keys were added, and
    where that is said.
    """

    terms: dict[str, Any] = {}
    extras: dict[str, Any] = {}
    places: dict[str, Place] = {}
    added: tuple[str, ...] = ()
    mark: Place | None = None


class Telling:
    """Builds a statement: a codec adds its fields one by one."""

    def __init__(
        self, protocol: str, act: Act, key: str, written: Any, outcome: Outcome | None = None
    ) -> None:
        self.protocol = protocol
        self.outcome = outcome
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
        """Take back what was added, and let what is carried stand for what only comes near it."""
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

    def _ended(self) -> Outcome | None:
        """A failure that is said anywhere, in the target's own words or in private fields,
        is one.
        """
        carried = ENDS.get(self.terms.get("status", ""))
        if "failed" in (self.outcome, carried) or self.terms["act"] == "error":
            return "failed"
        return self.outcome or carried

    def statement(self) -> Statement:
        return Statement(
            meaning=Meaning(**self.terms),
            extras=self.extras,
            places=self.places,
            carried=self.carried,
            nearest=self.nearest,
            within=self.within,
            implied=tuple(self.implied),
            added=tuple(self.added),
            opaque=tuple(self.opaque),
            secret=tuple(self.secret),
            essential=tuple(self.essential),
            outcome=self._ended(),
        )
