"""Read the members of NLIP's objects: those that are known, those that are meant, and the rest."""

from typing import Any

from cablese.codec import FIELD_LIMIT, Codec
from cablese.json import jsontext
from cablese.json.jsontext import Document, Member, Node
from cablese.message import Diagnostic, Field, Fix, Rule, Span
from cablese.protocols.nlip import formats, keys
from cablese.protocols.nlip.formats import DIALECTS, Dialect
from cablese.protocols.nlip.rules import RULES
from cablese.spelling import Guess, Spelling, question
from cablese.text import quote

MESSAGE_KEYS = Spelling(keys.MESSAGE.values(), is_open=True)
GUESS_LIMIT = 50
"""Names that are compared with those of the protocol. A hostile message has no end of them."""


class Full(Exception):
    """The message has more fields than the limit; the rest begins at ``at``."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


class Members:
    """The members of a message, and the diagnostics about them."""

    def __init__(self, wire: str, dialect: str, codec: Codec) -> None:
        self.wire = wire
        self.codec = codec
        self.dialect: Dialect = DIALECTS[dialect]
        self.document: Document = jsontext.read(wire)
        self.fields: list[Field] = []
        self.diagnostics: list[Diagnostic] = []
        self.counted = self.guesses = 0

    def _members(self, node: Node, prefix: str, table: dict[str, str]) -> dict[str, Member]:
        """Return the members that ``table`` has, by their key in lower case; all become fields.

        Submessages are read later, and their fields are made then: ``fields`` is sorted at the end.
        """
        known = {key: member for member in node.members if (key := member.key.lower()) in table}
        seen: dict[str, dict[str, None]] = {}
        dotted = f"{prefix}." if prefix else ""
        for member in node.members:
            key = member.key.lower()
            spelled = seen.setdefault(key, {})
            if spelled and member.key not in spelled:
                both = f"{quote(next(iter(spelled)))} and {quote(member.key)}"
                self._report(
                    RULES["repeated-key"],
                    member.key_span,
                    f"Duplicate key: {both} are the same because keys are case-insensitive. The "
                    "last value is used.",
                )
            spelled[member.key] = None
            if (
                member is known.get("submessages")
                and member.node.kind == "array"
                and member.node.items
            ):
                self._field(dotted + key, member, member.node)
            else:
                self._leaves(
                    dotted + (key if key in table else member.key), member, inner=key != "content"
                )
        return known

    def _without_nulls(self, node: Node, known: dict[str, Member]) -> dict[str, Member]:
        """Return the members without optional ones that are null, which are reported."""
        nulls = [key for key in keys.OPTIONAL if key in known and known[key].node.kind == "null"]
        for key in nulls:
            alone = sum(member.key.lower() == key for member in node.members) == 1
            self._report(
                RULES["null"],
                known[key].node.span,
                f"{keys.MESSAGE[key]} is null and was read as absent. Omit the key instead.",
                self._removal(node, known[key]) if alone else None,
            )
        return {key: member for key, member in known.items() if key not in nulls}

    def _unknown(self, node: Node, values: dict[str, Any], table: dict[str, str]) -> None:
        """Report the members that NLIP does not define. Their values are preserved."""
        for member in node.members:
            key = member.key.lower()
            if key == keys.DERIVED and key in table:
                self._report(
                    RULES["unknown-key"],
                    member.key_span,
                    f"{quote(member.key)} is derived from MessageType and must not be sent. It "
                    "was dropped.",
                )
            elif key not in table:
                near = self._near(key, MESSAGE_KEYS)
                if key in keys.LABELS or (near and near.word.lower() not in table):
                    near = None
                belongs = (
                    " It belongs to the message, not to a submessage." if key in keys.LABELS else ""
                )
                self._report(
                    RULES["unknown-key"],
                    member.key_span,
                    f"Unknown key {quote(member.key)}. Its value is preserved."
                    f"{belongs}{question(near)}",
                    self._renamed(node, member, near.word) if near else None,
                )
                if not member.node.is_missing:
                    values[member.key] = member.node.value

    # Fixes

    def _would_fit(self, known: dict[str, Member], name: str, subformat: str | None) -> bool:
        """Return whether the content and subformat fit another format or subformat, so that a fix
        causes no new error.
        """
        format_ = self.dialect.formats[name.lower()]
        content = known.get("content")
        if subformat is None or not subformat.strip():
            return True
        if not formats.subformat_fits(format_, subformat):
            return False
        kind = formats.kind_of(format_, subformat)
        if content is None or content.node.kind in ("bad", "null"):
            return True
        return formats.content_fits(kind, content.node.value) and (
            kind != "uri" or formats.is_uri(content.node.value)
        )

    def _renamed(self, node: Node, member: Member, key: str) -> Fix | None:
        """Return a fix that renames an unknown key, where no other has that name and it fits."""
        known = {member.key.lower(): member for member in node.members}
        text = member.node.kind == "string" and member.node.value.strip()
        sure = not self.document.faults and text and key.lower() not in known
        # Another unknown key of the object may mean the same.
        others = (each for each in node.members if each is not member)
        near = (
            self._near(each.key, MESSAGE_KEYS)
            for each in others
            if each.key.lower() not in keys.LABELS
        )
        if not sure or any(guess and guess.word == key for guess in near):
            return None
        known[key.lower()] = member
        name, subformat = (self._text_of(known, key) for key in ("format", "subformat"))
        decided = {"MessageType": keys.CONTROL not in known, "Label": True, "Submessages": False}
        fits = name.lower() in self.dialect.formats and self._would_fit(known, name, subformat)
        return Fix(member.key_span, key) if decided.get(key, fits) else None

    def _text_of(self, known: dict[str, Member], key: str) -> str:
        """Return the text of a member, or ``""``."""
        return known[key].node.value if key in known and known[key].node.kind == "string" else ""

    def _removal(self, node: Node, member: Member) -> Fix | None:
        """Return a fix that removes a member without meaning from its object, with one comma."""
        if self.document.faults:
            return None
        at = node.members.index(member)
        start, end = member.key_span.start - 1, member.node.span.end
        if at + 1 < len(node.members):
            return Fix(Span(start, node.members[at + 1].key_span.start - 1), "", safe=True)
        return Fix(Span(node.members[at - 1].node.span.end if at else start, end), "", safe=True)

    def _meant(self, node: Node, key: str) -> str | None:
        """Return an unknown key of the object that must mean ``key``."""
        for member in node.members:
            near = (
                None if member.key.lower() in keys.LABELS else self._near(member.key, MESSAGE_KEYS)
            )
            if near is not None and near.word == keys.MESSAGE[key]:
                return member.key
        return None

    def _near(self, word: str, among: Spelling) -> Guess | None:
        self.guesses += 1
        return among.find(word) if self.guesses <= GUESS_LIMIT else None

    # Fields

    def _field(self, name: str, member: Member | None, node: Node, *, counted: bool = True) -> None:
        if counted:
            self.counted += 1
            if self.counted > FIELD_LIMIT:
                raise Full(_start(member, node))
        self.fields.append(self._make_field(name, member, node))

    def _make_field(self, name: str, member: Member | None, node: Node) -> Field:
        key_at = member.key_span if member else None
        kind = node.kind
        if kind == "string":
            return Field(name, keys.label(name), node.value, key_at, node.inner)
        at, text = node.span, self.wire[slice(*node.span)]
        if kind == "bad" and text:
            return Field("", "unreadable", text, key_at, at)
        is_open = kind in ("object", "array") and self.wire[slice(*node.inner)].strip()
        if node.members or node.items or is_open:
            # What is in it has fields of its own, or could not be read.
            at, text = Span(node.inner.start, node.inner.start), ""
        return Field(name, keys.label(name), text, key_at, at)

    def _leaves(self, name: str, top: Member | Node, *, inner: bool = True) -> None:
        """Add a field for ``top`` and for every value in it. With ``inner``, those in it count
        against the limit.
        """
        node, member = (top, None) if isinstance(top, Node) else (top.node, top)
        if member or not (node.members or node.items):
            self._field(name, member, node)
        if node.members or node.items:
            for dotted, below, inner_node in jsontext.leaves(node, name):
                self._field(dotted, below, inner_node, counted=inner)

    def _report(self, rule: Rule, at: Span, message: str, fix: Fix | None = None) -> None:
        self.diagnostics.append(rule.at(at, message, fix))


def _start(member: Member | None, node: Node) -> int:
    return member.key_span.start if member else node.span.start
