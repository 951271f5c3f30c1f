"""What a protocol package offers: one :class:`Codec`.

``decode`` never raises, whatever the text. It tries ``glance`` first, a quick reading that answers
only when the text is beyond doubt; otherwise ``read`` goes through it piece by piece and reports
what it meets. Both must agree, and a property test holds them to it.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from operator import attrgetter
from typing import Any, ClassVar, Literal, NamedTuple, TypeVar

from .conversation.model import EMPTY, NO_PLAN, Course, Plan, Turn
from .meaning import Act, Meaning
from .message import DOUBTS, Diagnostic, Field, Message, Piece, Rule, Span
from .outcome import ENDS, Outcome
from .reference import Reference
from .text import BLANKS, capitalize_first
from .translation.statement import Restored, Statement, Translator

VERSION = 1
"""Stored with what codecs read; another reading of any wire is another version."""
LINE_LIMIT = 64 * 1024
JSON_LIMIT = 1024 * 1024
FIELD_LIMIT = 1000
INTEGER_LIMIT = 2**53 - 1
UNSEEN_LIMIT = 100
"""Places with characters that cannot be seen or stored that are reported one by one. The last one
says how many more there are.
"""

# Control, bidirectional-override and zero-width characters: they change what a person sees, not
# what an agent reads. The last range are the tags, an invisible copy of ASCII in which whole
# instructions have been hidden.
INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u180e"
    "\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]+"
)
SURROGATE = re.compile("[\ud800-\udfff]+")
Place = TypeVar("Place")


class Sniff(NamedTuple):
    """How likely it is that a text is of a protocol, from 0 to 1, and why."""

    score: float
    reasons: tuple[str, ...]


class Reading(NamedTuple):
    """The result of careful decoding. ``scan`` builds its fields, which few callers need."""

    values: dict[str, Any]
    diagnostics: tuple[Diagnostic, ...]
    scan: Callable[[], tuple[Field, ...]]

    @property
    def fields(self) -> tuple[Field, ...]:
        return self.scan()


class Unencodable(ValueError):
    """Values that cannot be encoded. ``pointer`` is the JSON pointer of the offending value."""

    def __init__(self, pointer: str, reason: str) -> None:
        super().__init__(reason)
        self.pointer = pointer
        self.reason = reason


class Codec(ABC):
    """One protocol. Each package under ``cablese/protocols/`` has one, named ``codec``, in
    ``codec.py``.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    """One sentence for people who do not know the protocol."""
    dialects: ClassVar[tuple[str, ...]]
    """Versions, with the default first, such as ``nslip/1``."""
    targets: ClassVar[tuple[str, ...]] = ()
    """Dialects that are translation targets by name, also from one to another."""
    around: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    """The keys of dialects for what a line states, see ``cablese.translation.around``."""
    form: ClassVar[Literal["line", "json"]] = "line"
    """How a transcript finds a message: in a line, or as a JSON value."""
    anchor: ClassVar[re.Pattern[str] | None] = None
    """Where a message may begin in a line of a log. JSON protocols have none."""
    signs: ClassVar[str] = ""
    """Each anchor contains one of these characters. Text without a rare one is not searched."""
    key_hints: ClassVar[tuple[str, ...]] = ()
    """Names of which every message of a JSON protocol has one as a key, in lower case."""
    begins: ClassVar[str] = ""
    """A pattern, without groups, of the first characters of a message, if it makes ``sniff``
    certain and ``anchor`` match. A protocol that is ``folded`` has none.
    """
    further: ClassVar[re.Pattern[str] | None] = None
    """Where another field of a message begins. Text that contains one is not a remark after it."""
    folded: ClassVar[bool] = False
    """Whether a message can continue on the next line (see ``continues``)."""
    separators: ClassVar[str]
    """The characters between fields."""
    labels: ClassVar[dict[str, str]]
    """Field names with their plain meaning."""
    rules: ClassVar[tuple[Rule, ...]]
    """The rules that ``read`` can report, in addition to the common rules."""
    forbids_sensitive: ClassVar[bool] = False
    """Whether the specification forbids sensitive data in values. Our encoders then refuse it."""
    thread_rules: ClassVar[tuple[Rule, ...]] = ()
    """The rules that ``converse`` can report, in addition to those of ``conversation.checks``."""
    exempt: ClassVar[frozenset[str]] = frozenset()
    """Codes of ``conversation.checks`` that do not apply, or that ``converse`` reports itself."""
    asks_back: ClassVar[bool] = False
    """Whether its queries reply to requests, which are then sent again."""
    statuses: ClassVar[Mapping[str, str]] = {}
    """The statuses of the protocol, in its spelling, with their ``outcome``."""
    acts: ClassVar[dict[Act, Act]]
    """The act of this protocol for each act: the same one, or the closest."""
    carries: ClassVar[str] = ""
    """Where a translation stores what the protocol cannot express; empty without private fields."""
    translator: Translator
    """What the methods of translation do, unless a codec has its own."""
    sentences: Callable[[dict[str, Any]], Iterable[Piece]]
    """Describes values; yields nothing if none of them says anything."""
    reference: ClassVar[Reference]
    """The content of its reference page."""

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
        self.doubts = {
            name: self._common(name.replace("_", "-"), "warning", doubt.summary)
            for name, doubt in DOUBTS.items()
        }
        self.common_rules = (
            self.empty,
            self.too_large,
            self.too_many,
            self.not_text,
            self.invisible,
            *self.doubts.values(),
        )

    def _common(self, code: str, severity: Literal["error", "warning"], summary: str) -> Rule:
        return Rule(f"{self.name}.{code}", severity, "Cablese: common to all", "", summary)

    def decode(self, wire: str, *, dialect: str | None = None) -> Message:
        """Decode ``wire``. Never raises: an invalid message has errors and whatever could be read.

        ``dialect`` is one of ``dialects``; without it the wire decides, or else the default holds.
        """
        if len(wire) * 4 > self.limit and len(wire.encode(errors="surrogatepass")) > self.limit:
            size = len(wire.encode(errors="surrogatepass"))
            return self._undecoded(
                wire,
                dialect,
                self.too_large,
                f"The message has {size:,} bytes and was not decoded. {self.too_large.summary}",
            )
        seen = self.glance(wire, dialect)
        if seen is not None:
            return seen
        if not wire.strip(BLANKS):
            return self._undecoded(wire, dialect, self.empty, "The message is empty.")
        values, diagnostics, scan = self.read(wire, dialect)
        if not _is_plain(wire):
            diagnostics = (*diagnostics, *self._unseen(wire, scan()))
        return Message(
            self.name,
            self.dialect_of(values, dialect),
            wire,
            values,
            in_order(diagnostics),
            lambda _: scan(),
        )

    def canonical(self, message: Message) -> str | None:
        """Return the canonical form of a valid message; None for an invalid one."""
        return self.encode(message.values, dialect=message.dialect) if message.valid else None

    def dialect_of(self, values: dict[str, Any], dialect: str | None) -> str:
        """Return the dialect of ``values``."""
        return dialect or self.dialects[0]

    def continues(self, line: str, following: str) -> bool:
        """Return whether a message whose last line is ``line`` continues in ``following``."""
        return False

    def version_of(self, message: Message) -> str | None:
        """Return the version of a valid message; None if it fits any."""
        return message.dialect

    def ties(self, message: Message, meaning: Meaning) -> tuple[str, ...]:
        """Return, in words for people, what a message shares with others of its conversation.

        A thread, else IDs of messages, else sender and recipient. Without any, it belongs to its
        neighbors.
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
        sides = (meaning.sender, meaning.recipient)
        return (" and ".join(sorted(filter(None, sides))),) if all(sides) else ()

    def converse(self, turns: Sequence[Turn]) -> Course:
        """Return what the protocol itself knows of a conversation, in linear time. Never raises."""
        return EMPTY

    def plan(self, message: Message) -> Plan:
        """Return what a message says of the steps of its task. Never raises."""
        return NO_PLAN

    @abstractmethod
    def sniff(self, wire: str) -> Sniff | None:
        """Return how likely ``wire`` is of this protocol; None for not at all. Must be fast."""

    @abstractmethod
    def glance(self, wire: str, dialect: str | None) -> Message | None:
        """Decode quickly, diagnostics included; return None in case of any doubt."""

    @abstractmethod
    def read(self, wire: str, dialect: str | None) -> Reading:
        """Decode step by step, past errors. ``wire`` is within the size limit and not empty."""

    @cached_property
    def scanner(self) -> Callable[[str], tuple[Field, ...]]:
        """Return `scan`, bound once: a message is decoded in less time than it takes to bind."""
        return self.scan

    def scan(self, wire: str) -> tuple[Field, ...]:
        """Return the fields of a wire that ``glance`` decoded."""
        return self.read(wire, None).fields

    @abstractmethod
    def encode(self, values: dict[str, Any], *, dialect: str | None = None) -> str:
        """Return ``values`` in canonical form, ignoring derived names. Raises Unencodable."""

    @abstractmethod
    def spell(self, wire: str, field: Field, value: str) -> str:
        """Return how ``value`` is written at the place of ``field``. Raises Unencodable.

        ``edit`` checks whether the new wire decodes to it, and to nothing else.
        """

    @abstractmethod
    def meaning(self, message: Message) -> Meaning:
        """Return the protocol-neutral meaning of a message, valid or not."""

    def outcome(self, message: Message) -> Outcome | None:
        """Return how the task of a message ended, according to the message, valid or not."""
        return ENDS.get(self.statuses.get(self.meaning(message).status or "", ""))

    @abstractmethod
    def plain(self, message: Message) -> object:
        """Return the message as the JSON that a team would send without the protocol."""

    def describe(self, message: Message) -> tuple[Piece, ...]:
        """Return one or two plain English sentences, always the same for the same message."""
        described = tuple(self.sentences(message.values)) if message.values else ()
        return described or (Piece("Nothing could be decoded."),)

    def sentence(self, message: Message) -> str:
        """Return the text of `describe`. To name the fields of its pieces, some codecs look for
        them in the wire, which takes ten times as long.
        """
        return "".join([piece.text for piece in Codec.describe(self, message)])

    def state(self, message: Message) -> Statement:
        """Return what a valid message says, and where.

        What it carries for another protocol is in the words of that protocol.
        """
        return self.translator.state(message, self.meaning(message), self.outcome(message))

    def express(
        self, statement: Statement, english: str, dialect: str | None = None
    ) -> dict[str, Any]:
        """Return values that express ``statement``, described by ``english``. Raises Inexpressible.

        Terms without a word and the extras of other protocols go into private fields, or are left
        out. ``dialect`` is one of ``targets``; other protocols ignore it.
        """
        return self.translator.express(statement)

    def state_across(self, message: Message) -> Statement:
        """Return what a valid message says in terms of all ``targets``. Raises Inexpressible."""
        return self.state(message)

    def express_across(self, statement: Statement, dialect: str) -> dict[str, Any]:
        """Return values in ``dialect`` for what ``state_across`` returned. Raises Inexpressible."""
        return self.express(statement, "", dialect)

    def restore(self, plain: dict[str, Any]) -> Restored:
        """Return values for a ``plain`` object. Takes any object; ``encode`` refuses the rest."""
        return self.translator.restore(plain)

    def _undecoded(self, wire: str, dialect: str | None, rule: Rule, message: str) -> Message:
        diagnostic = rule.at(Span(0, len(wire)), message)
        return Message(
            self.name, dialect or self.dialects[0], wire, {}, (diagnostic,), leave_unread
        )

    def _unseen(self, wire: str, fields: Iterable[Field]) -> Iterator[Diagnostic]:
        if not wire.isprintable() and SURROGATE.search(wire):
            for lone, more in _first(SURROGATE.finditer(wire)):
                yield self.not_text.at(Span(*lone.span()), f"These bytes are not UTF-8 text.{more}")
        unprintable = [
            field
            for field in fields
            if not (field.value.isprintable() and field.name.isprintable())
        ]
        for (label, characters, span), more in (
            _first(_invisible(wire, unprintable)) if unprintable else ()
        ):
            yield self.invisible.at(
                span, f"{capitalize_first(label)} contains invisible {_names(characters)}.{more}"
            )


def _invisible(wire: str, fields: Iterable[Field]) -> Iterator[tuple[str, str, Span]]:
    """Yield invisible characters: the field or name they are in, the characters, and their span.

    Values written with escapes are marked whole. In a name such characters make one word look like
    another.
    """
    for field in fields:
        if field.name_span is not None and not field.name.isprintable():
            for match in INVISIBLE.finditer(wire, *field.name_span):
                yield "a name", match[0], Span(*match.span())
        if field.value.isprintable():
            continue
        seen = False
        for match in INVISIBLE.finditer(wire, *field.span):
            seen = True
            yield field.label, match[0], Span(*match.span())
        escaped = None if seen else INVISIBLE.search(field.value)
        if escaped:
            yield field.label, escaped[0], field.span


def _first(places: Iterator[Place]) -> Iterator[tuple[Place, str]]:
    """Yield the first places, the last one with the number of those left out."""
    for number, place in enumerate(places, 1):
        more = sum(1 for _ in places) if number == UNSEEN_LIMIT else 0
        yield place, f" {more:,} more not listed." if more else ""


def leave_unread(wire: str) -> tuple[Field, ...]:
    """Return the whole wire as one unreadable field."""
    return (Field("", "unreadable", wire, None, Span(0, len(wire))),) if wire else ()


def _names(characters: str) -> str:
    codes = " ".join(f"U+{ord(character):04X}" for character in characters[:3])
    return codes + (" …" if len(characters) > 3 else "")


def _is_plain(wire: str) -> bool:
    """Return whether every character is visible and none is escaped."""
    return wire.isascii() and wire.isprintable() and "\\" not in wire and "%" not in wire


def in_order(diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Return diagnostics ordered by their place in the wire."""
    return tuple(sorted(diagnostics, key=_place)) if len(diagnostics) > 1 else diagnostics


_place = attrgetter("span")
