"""NLIP: a JSON object of format, subformat and content, with submessages of the same kind.

    {"Format":"text","Subformat":"English","Content":"Hello",
     "Submessages":[{"Format":"token","Subformat":"conversation","Content":"c-17"}]}

Section 5 of the draft is the grammar, ``formats`` its Table 1. docs/design/protocols.md rules what
the draft leaves open. Keys are matched without regard to case, and ``values`` have them in lower
case.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from cablese.codec import Codec, Reading, Sniff
from cablese.conversation.model import Course, Turn
from cablese.json import jsontext
from cablese.meaning import Meaning
from cablese.message import Field, Message, Piece
from cablese.outcome import Outcome
from cablese.translation.statement import Restored, Statement

from . import english, express, keys, reference, rules, writer
from .exchange import conversation
from .formats import CONVERSATION, DEFAULT, DIALECTS
from .reading import quick
from .reading.reader import Reader

HEAD = 4096
"""Characters of both ends of a text that are searched for keys."""
KEYS = re.compile(r"""["'](messagetype|format|subformat|content|submessages|label)["']\s*:""")
FORMAT = re.compile(
    r"""["']format["']\s*:\s*["'](?:text|token|structured|binary|location|error|generic)["']"""
)
TOLD = frozenset({"format", "subformat", "content"})
OWN = frozenset({"messagetype", "submessages", "label"})
SACP_KEYS = frozenset({"g", "plan"})

_top = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


class Nlip(Codec):
    name = "nlip"
    title = "NLIP"
    summary = (
        "Ecma’s JSON message format for agents: text, tokens, code, files, and locations, with "
        "submessages."
    )
    dialects = tuple(DIALECTS)
    form = "json"
    key_hints = ("format", "subformat", "content", "messagetype", "submessages")
    separators = jsontext.SEPARATORS
    labels = keys.LABELS
    rules = tuple(rules.RULES.values())
    acts = express.ACTS
    carries = "a generic submessage of the extension x-cablese, labeled with a role"
    thread_rules = conversation.RULES
    sentences = staticmethod(english.describe)
    reference = reference.REFERENCE

    def sniff(self, wire: str) -> Sniff | None:
        if not wire[:64].lstrip().startswith("{"):
            return None
        text = (wire if len(wire) <= 2 * HEAD else f"{wire[:HEAD]} {wire[-HEAD:]}").lower()
        names = set(KEYS.findall(text))
        if not names & {"format", "subformat", "messagetype", "submessages"}:
            return None
        return _claim(wire, names, named=FORMAT.search(text) is not None)

    def glance(self, wire: str, dialect: str | None) -> Message | None:
        dialect = dialect or DEFAULT
        values = quick.glance(wire, dialect)
        return None if values is None else Message("nlip", dialect, wire, values, (), _scan)

    def read(self, wire: str, dialect: str | None) -> Reading:
        return Reader(wire, dialect or DEFAULT, self).read()

    def encode(self, values: dict[str, Any], *, dialect: str | None = None) -> str:
        return writer.encode(values, DIALECTS[dialect or DEFAULT])

    def spell(self, wire: str, field: Field, value: str) -> str:
        return jsontext.respell(wire, field.span, value)

    def meaning(self, message: Message) -> Meaning:
        values = message.values
        parts = [
            values,
            *(part for part in values.get("submessages", ()) if isinstance(part, dict)),
        ]
        name = values.get("format")
        return Meaning(
            act="control" if values.get("is_control") else "error" if name == "error" else "data",
            topic=name or None,
            thread=next(_contents(parts, "token", CONVERSATION), None),
            sender=_sender(parts),
            reason=next(_contents(parts, "error", ""), None),
        )

    def outcome(self, message: Message) -> Outcome | None:
        """Return failed for an error in any part, also in a control message or beside a text."""
        values = message.values
        parts = [
            values,
            *(part for part in values.get("submessages", ()) if isinstance(part, dict)),
        ]
        return "failed" if any(part.get("format") == "error" for part in parts) else None

    def plain(self, message: Message) -> object:
        return writer.ordered(message.values)

    def describe(self, message: Message) -> tuple[Piece, ...]:
        names = {field.name for field in message.fields}
        return tuple(
            piece if piece.field is None else Piece(piece.text, _present(piece.field, names))
            for piece in super().describe(message)
            if piece.text
        )

    def ties(self, message: Message, meaning: Meaning) -> tuple[str, ...]:
        return conversation.ties(message)

    def converse(self, turns: Sequence[Turn]) -> Course:
        return conversation.converse(turns)

    def state(self, message: Message) -> Statement:
        return express.state(message, self.meaning(message), self.outcome(message))

    def express(
        self, statement: Statement, english: str, dialect: str | None = None
    ) -> dict[str, Any]:
        return express.express(statement, english)

    def restore(self, plain: dict[str, Any]) -> Restored:
        # JSON is what it sends, so every word is its key.
        return Restored(
            self.decode(jsontext.dump(plain)).values, {key.lower(): key for key in plain}
        )


def _claim(wire: str, names: set[str], *, named: bool) -> Sniff | None:
    """Return how likely an object with these keys is a message."""
    try:
        top = {key.lower() for key in _top(wire)}
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        if "subformat" not in names and not (named and "content" in names):
            return Sniff(0.25, ("an NLIP key in braces",))
        return Sniff(
            0.95 if names >= TOLD and named else 0.8 if len(names & TOLD) > 1 else 0.4,
            ("NLIP keys", "text that resembles JSON"),
        )
    telling = top & TOLD
    reasons = (f"a JSON object with {' and '.join(sorted(telling or top & OWN))}",)
    if telling == TOLD:
        return Sniff((1.0 if named else 0.9) if SACP_KEYS.isdisjoint(top) else 0.8, reasons)
    if "submessages" in top and ("subformat" in telling or ("format" in telling and named)):
        return Sniff(0.9, reasons)  # else a part of it would be a message, and this its record
    if len(telling) > 1 and "subformat" in telling:
        return Sniff(0.85, reasons)
    if "format" in telling and named:
        return Sniff(0.6 if (len(telling) > 1 and top <= TOLD | OWN) or top & OWN else 0.4, reasons)
    return Sniff(0.4, reasons) if telling & {"subformat"} or top & OWN else None


def _scan(wire: str) -> tuple[Field, ...]:
    return Reader(wire, DEFAULT, codec).read().fields


def _contents(parts: list[dict[str, Any]], name: str, beginning: str) -> Iterator[str]:
    """Yield the contents of one format whose subformat starts with ``beginning``. Numbers become
    text.
    """
    for part in parts:
        content = part.get("content")
        if part.get("format") != name or not str(part.get("subformat", "")).lower().startswith(
            beginning
        ):
            continue
        if (
            isinstance(content, str | int | float)
            and not isinstance(content, bool)
            and content != ""
        ):
            yield str(content)


def _sender(parts: list[dict[str, Any]]) -> str | None:
    """Return the role in the labels; None when they name several, as the turns of a chat do."""
    roles = {
        str(part["label"]).lower()
        for part in parts
        if str(part.get("label", "")).lower() in keys.ROLES
    }
    return roles.pop() if len(roles) == 1 else None


def _present(name: str, names: set[str]) -> str | None:
    """Return the name of a field that the message has. Contents that are objects have no field of
    their own.
    """
    if name == "messagetype" and name not in names:
        name = keys.CONTROL
    return name if name in names else None


codec = Nlip()
