"""What a protocol package offers: one :class:`Codec`.

``decode`` never raises, whatever the text. It tries ``glance`` first, a quick reading that answers
only when the text is beyond doubt; otherwise ``read`` goes through it piece by piece and reports
what it meets. Both must agree, and a property test holds them to it.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from operator import attrgetter
from typing import Any, ClassVar, Literal, NamedTuple, TypeVar

from .conversation.model import EMPTY, Course, Turn
from .meaning import Act, Meaning
from .message import Diagnostic, Field, Message, Piece, Rule, Span
from .outcome import ENDS, Outcome
from .reference import Reference
from .text import BLANKS, capitalize_first
from .translation.statement import Restored, Statement

LINE_LIMIT = 64 * 1024
JSON_LIMIT = 1024 * 1024
FIELD_LIMIT = 1000
INTEGER_LIMIT = 2**53 - 1
UNSEEN_LIMIT = 100
"""So many places with characters that cannot be seen or stored are told one by one. The last says
how many more.
"""

# Control, bidirectional-override and zero-width characters: they change what a person sees, not
# what an agent reads. The last range are the tags, an invisible copy of ASCII in which whole
# instructions have been hidden.
INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]+"
)
SURROGATE = re.compile("[\ud800-\udfff]+")
Place = TypeVar("Place")


class Sniff(NamedTuple):
    """How surely a text is of a protocol, 0 to 1, and what speaks for it."""

    score: float
    reasons: tuple[str, ...]


class Reading(NamedTuple):
    """What the careful reading of a wire gives. ``scan`` builds its fields, which few callers look
    at.
    """

    values: dict[str, Any]
    diagnostics: tuple[Diagnostic, ...]
    scan: Callable[[], tuple[Field, ...]]

    @property
    def fields(self) -> tuple[Field, ...]:
        return self.scan()


class Unencodable(ValueError):
    """Values for which no wire text exists. ``pointer`` is the JSON pointer of the value that
    stands in the way.
    """

    def __init__(self, pointer: str, reason: str) -> None:
        super().__init__(reason)
        self.pointer = pointer
        self.reason = reason


class Codec(ABC):
    """One protocol. A package under ``cablese/protocols/`` shows its own as ``codec`` in its module
    ``codec``.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    """One sentence for people who never heard of it."""
    dialects: ClassVar[tuple[str, ...]]
    """Versions, the default first, such as ``nslip/1``."""
    targets: ClassVar[tuple[str, ...]] = ()
    """The dialects that a translation can be asked for by name, also from one of them into
    another.
    """
    form: ClassVar[Literal["line", "json"]]
    """How a transcript finds a message: on a line, or as one JSON value."""
    anchor: ClassVar[re.Pattern[str] | None] = None
    """Where a message may begin inside a line of a log. JSON protocols have none."""
    signs: ClassVar[str] = ""
    """Characters of which every anchor has one: a text without them is not searched for it."""
    further: ClassVar[re.Pattern[str] | None] = None
    """Where another field of a message begins. Text that holds one is no remark after a message."""
    folded: ClassVar[bool] = False
    """True when a message may be broken over lines (see ``continues``)."""
    separators: ClassVar[str]
    """The characters that may stand between fields."""
    labels: ClassVar[dict[str, str]]
    """Field names with their plain meaning."""
    rules: ClassVar[tuple[Rule, ...]]
    """Everything that ``read`` can report, beside the common rules."""
    forbids_sensitive: ClassVar[bool] = False
    """True when the specification forbids sensitive data in values: then we write none."""
    thread_rules: ClassVar[tuple[Rule, ...]] = ()
    """Everything that ``converse`` can report, beside the common rules of ``etiquette``."""
    exempt: ClassVar[frozenset[str]] = frozenset()
    """Codes of ``etiquette`` that do not apply, or that ``converse`` reports by itself."""
    statuses: ClassVar[Mapping[str, str]] = {}
    """The statuses that the protocol defines, in its own spelling, with what ``outcome`` calls
    them.
    """
    acts: ClassVar[dict[Act, Act]]
    """For each act the one that a translation into this protocol says: itself, or the nearest that
    there is.
    """
    carries: ClassVar[str]
    """Where a translation puts what the protocol has no words for; empty when it allows no private
    fields.
    """
    reference: ClassVar[Reference]
    """What its page says."""

    def __init__(self) -> None:
        kind = "line protocol" if self.form == "line" else "JSON protocol"
        size = "64 KiB" if self.form == "line" else "1 MiB"
        self.limit = LINE_LIMIT if self.form == "line" else JSON_LIMIT
        self.empty = self._common("empty", "error", "The message is empty.")
        self.too_large = self._common(
            "too-large", "error", f"The limit for a message of a {kind} is {size}."
        )
        self.too_many = self._common(
            "too-many-fields", "error", f"The limit is {FIELD_LIMIT:,} fields per message."
        )
        self.not_text = self._common(
            "not-text",
            "error",
            "Bytes that are not UTF-8, or an unpaired surrogate.",
        )
        self.invisible = self._common(
            "invisible",
            "warning",
            "A control, bidirectional, or zero-width character in a value or a name.",
        )
        self.common_rules = (
            self.empty,
            self.too_large,
            self.too_many,
            self.not_text,
            self.invisible,
        )

    def _common(self, code: str, severity: Literal["error", "warning"], summary: str) -> Rule:
        return Rule(f"{self.name}.{code}", severity, "Cablese: common to all", "", summary)

    def decode(self, wire: str, *, dialect: str | None = None) -> Message:
        """Read ``wire`` as this protocol. Never raises; a broken message carries errors and
        whatever could be read.

        ``dialect`` is one of ``dialects``; without it the wire decides, or else the default holds.
        """
        if len(wire) * 4 > self.limit and len(wire.encode(errors="surrogatepass")) > self.limit:
            return self._too_large(wire, dialect)
        seen = self.glance(wire, dialect)
        if seen is not None:
            return seen
        if not wire.strip(BLANKS):
            return self._empty(wire, dialect)
        values, found, scan = self.read(wire, dialect)
        if not _is_plain(wire):
            found = (*found, *self._unseen(wire, scan()))
        return Message(
            self.name,
            self.dialect_of(values, dialect),
            wire,
            values,
            in_order(found),
            lambda _: scan(),
        )

    def canonical(self, message: Message) -> str | None:
        """The one spelling of a valid message; None for an invalid one."""
        return self.encode(message.values, dialect=message.dialect) if message.valid else None

    def dialect_of(self, values: dict[str, Any], dialect: str | None) -> str:
        """The dialect that ``values`` are in."""
        return dialect or self.dialects[0]

    def continues(self, line: str, following: str) -> bool:
        """True when a message whose last line so far is ``line`` goes on in the
        ``following`` one.
        """
        return False

    def version_of(self, message: Message) -> str | None:
        """The version that a valid message is of; None when it may be of any."""
        return message.dialect

    def ties(self, message: Message, meaning: Meaning) -> tuple[str, ...]:
        """What puts a message beside others of its protocol that have one of the same, in words for
        people.

        A thread, else ids of messages, else the two who talk. None: it goes with its neighbours.
        """
        if meaning.thread is not None:
            about = (
                (word, name)
                for word, name in (("goal", meaning.goal), ("task", meaning.task))
                if name
            )
            return (
                ", ".join(f"{word} {name}" for word, name in about) or f"thread {meaning.thread}",
            )
        ids = dict.fromkeys(name for name in (meaning.reply_to, meaning.id) if name is not None)
        if ids:
            return tuple(f"message {name}" for name in ids)
        if meaning.sender and meaning.recipient:
            return (" and ".join(sorted((meaning.sender, meaning.recipient))),)
        return ()

    def converse(self, turns: Sequence[Turn]) -> Course:
        """What the protocol itself says of one conversation, whose turns come in order. Never
        raises, linear.
        """
        return EMPTY

    @abstractmethod
    def sniff(self, wire: str) -> Sniff | None:
        """How much ``wire`` looks like this protocol; None when not at all. Must be quick."""

    @abstractmethod
    def glance(self, wire: str, dialect: str | None) -> Message | None:
        """A message read quickly, diagnostics included; None when there is any doubt."""

    @abstractmethod
    def read(self, wire: str, dialect: str | None) -> Reading:
        """Read piece by piece, past every error. ``wire`` is within the size limit and not
        blank.
        """

    @abstractmethod
    def encode(self, values: dict[str, Any], *, dialect: str | None = None) -> str:
        """Write ``values`` in canonical form, ignoring derived names. Raises Unencodable when no
        wire can be made.
        """

    @abstractmethod
    def spell(self, wire: str, field: Field, value: str) -> str:
        """How ``value`` is written at the place of ``field``, all the rest staying as it is.

        Raises Unencodable for what has no spelling there. Whether it then reads as meant is for
        ``edit`` to see.
        """

    @abstractmethod
    def meaning(self, message: Message) -> Meaning:
        """The common terms of a message, broken ones included."""

    def outcome(self, message: Message) -> Outcome | None:
        """How the task of a message ended, as its own words say; broken messages included."""
        return ENDS.get(self.statuses.get(self.meaning(message).status or "", ""))

    @abstractmethod
    def plain(self, message: Message) -> object:
        """The message as the JSON value that a team would send without the protocol, with full
        words.
        """

    @abstractmethod
    def describe(self, message: Message) -> tuple[Piece, ...]:
        """One or two plain English sentences, always the same for the same message."""

    @abstractmethod
    def state(self, message: Message) -> Statement:
        """What a valid message says, and where; what it carries for another protocol stands as that
        says it.
        """

    @abstractmethod
    def express(self, said: Statement, english: str) -> dict[str, Any]:
        """Values that say ``said``, whose description is ``english``. Raises Inexpressible.

        Terms without a word and the extras of other protocols go into private fields, or are left
        out.
        """

    def express_in(self, said: Statement, english: str, dialect: str) -> dict[str, Any]:
        """As ``express``, in a dialect of ``targets``. Raises Inexpressible."""
        return self.express(said, english)

    def state_across(self, message: Message) -> Statement:
        """What a valid message says, in words that all dialects of ``targets`` know. Raises
        Inexpressible.
        """
        return self.state(message)

    def express_across(self, said: Statement, dialect: str) -> dict[str, Any]:
        """Values in ``dialect`` that say what ``state_across`` told of a message in another. Raises
        Inexpressible.
        """
        return self.express_in(said, "", dialect)

    @abstractmethod
    def restore(self, plain: dict[str, Any]) -> Restored:
        """Values from what ``plain`` gives. Takes any object: what it has no words for, ``encode``
        refuses.
        """

    def _empty(self, wire: str, dialect: str | None) -> Message:
        found = self.empty.at(Span(0, len(wire)), "The message is empty.")
        return Message(self.name, dialect or self.dialects[0], wire, {}, (found,), _unread)

    def _too_large(self, wire: str, dialect: str | None) -> Message:
        size = len(wire.encode(errors="surrogatepass"))
        words = f"The message has {size:,} bytes and was not decoded. {self.too_large.summary}"
        found = self.too_large.at(Span(0, len(wire)), words)
        return Message(self.name, dialect or self.dialects[0], wire, {}, (found,), _unread)

    def _unseen(self, wire: str, fields: Iterable[Field]) -> Iterator[Diagnostic]:
        if not wire.isprintable() and SURROGATE.search(wire):
            for lone, more in _first(SURROGATE.finditer(wire)):
                yield self.not_text.at(Span(*lone.span()), f"These bytes are not UTF-8 text.{more}")
        odd = [
            field
            for field in fields
            if not (field.value.isprintable() and field.name.isprintable())
        ]
        for (what, shown, span), more in _first(_invisible(wire, odd)) if odd else ():
            words = f"{capitalize_first(what)} contains invisible {_names(shown)}.{more}"
            yield self.invisible.at(span, words)


def _invisible(wire: str, fields: Iterable[Field]) -> Iterator[tuple[str, str, Span]]:
    """Where characters that cannot be seen stand: in what, which ones, and their place.

    Values written with escapes are marked whole. In a name such characters make one word look like
    another.
    """
    for field in fields:
        if field.name_span is not None and not field.name.isprintable():
            for hit in INVISIBLE.finditer(wire, *field.name_span):
                yield "a name", hit[0], Span(*hit.span())
        if field.value.isprintable():
            continue
        seen = False
        for hit in INVISIBLE.finditer(wire, *field.span):
            seen = True
            yield field.label, hit[0], Span(*hit.span())
        escaped = None if seen else INVISIBLE.search(field.value)
        if escaped:
            yield field.label, escaped[0], field.span


def _first(places: Iterator[Place]) -> Iterator[tuple[Place, str]]:
    """The first places, each with what to say of those that are left out: a hostile text has no end
    of them.
    """
    for number, place in enumerate(islice(places, UNSEEN_LIMIT), 1):
        more = sum(1 for _ in places) if number == UNSEEN_LIMIT else 0
        yield place, f" {more:,} more not listed." if more else ""


def _unread(wire: str) -> tuple[Field, ...]:
    return (Field("", "unreadable", wire, None, Span(0, len(wire))),) if wire else ()


def _names(characters: str) -> str:
    shown = " ".join(f"U+{ord(character):04X}" for character in characters[:3])
    return shown + (" …" if len(characters) > 3 else "")


def _is_plain(wire: str) -> bool:
    """True when every character can be seen, and none is written as an escape."""
    return wire.isascii() and wire.isprintable() and "\\" not in wire and "%" not in wire


def in_order(found: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Diagnostics by their place in the wire."""
    return tuple(sorted(found, key=_place)) if len(found) > 1 else found


_place = attrgetter("span")
