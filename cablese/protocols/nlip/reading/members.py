"""The members of NLIP's objects: those that are known, those that are meant, and the others."""

from typing import Any

from cablese.codec import FIELD_LIMIT, Codec
from cablese.json import jsontext
from cablese.json.jsontext import Document, Member, Node
from cablese.message import Diagnostic, Field, Fix, Rule, Span
from cablese.protocols.nlip import formats, keys, rules
from cablese.protocols.nlip.formats import DIALECTS, Dialect
from cablese.spelling import Guess, Spelling
from cablese.text import quote

MESSAGE_KEYS = Spelling(keys.MESSAGE.values(), is_open=True)
GUESS_LIMIT = 50
"""So many words are compared with those of the protocol; a hostile message has no end of them."""


class Full(Exception):
    """The message has more fields than are read; the rest begins at ``at``."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


class Members:
    """A message whose members are found, and what is said about them."""

    def __init__(self, wire: str, dialect: str, codec: Codec) -> None:
        self.wire = wire
        self.codec = codec
        self.dialect: Dialect = DIALECTS[dialect]
        self.document: Document = jsontext.read(wire)
        self.fields: list[Field] = []
        self.found: list[Diagnostic] = []
        self.counted = 0
        self.guesses = 0

    def _members(self, node: Node, prefix: str, table: dict[str, str]) -> dict[str, Member]:
        """The members that ``table`` knows, by their key in lower case; all members become fields.

        Fields of submessages are made when these are read, which comes later: ``fields`` is sorted
        in the end.
        """
        known = {key: one for one in node.members if (key := one.key.lower()) in table}
        seen: dict[str, dict[str, None]] = {}
        dotted = f"{prefix}." if prefix else ""
        for member in node.members:
            key = member.key.lower()
            spelled = seen.setdefault(key, {})
            if spelled and member.key not in spelled:
                both = f"{quote(next(iter(spelled)))} and {quote(member.key)}"
                words = (
                    f"Duplicate key: {both} are the same because keys are case-insensitive. The "
                    "last value is used."
                )
                self._report(rules.REPEATED_KEY, member.key_span, words)
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
        """The members without those optional ones that are null, which are reported."""
        nulls = [key for key in keys.OPTIONAL if key in known and known[key].node.kind == "null"]
        for key in nulls:
            words = f"{keys.MESSAGE[key]} is null and was read as absent. Omit the key instead."
            alone = sum(one.key.lower() == key for one in node.members) == 1
            self._report(
                rules.NULL,
                known[key].node.span,
                words,
                self._removal(node, known[key]) if alone else None,
            )
        return {key: member for key, member in known.items() if key not in nulls}

    def _unknown(self, node: Node, values: dict[str, Any], table: dict[str, str]) -> None:
        """Keep what NLIP does not define, and say so."""
        for member in node.members:
            key = member.key.lower()
            if key == keys.DERIVED and key in table:
                words = (
                    f"{quote(member.key)} is derived from MessageType and must not be sent. It "
                    "was dropped."
                )
                self._report(rules.UNKNOWN_KEY, member.key_span, words)
            elif key not in table:
                near = self._near(key, MESSAGE_KEYS)
                meant = f" Did you mean {near.word}?" if near and near.word.lower() in table else ""
                belongs = (
                    " It belongs to the message, not to a submessage." if key in keys.LABELS else ""
                )
                words = (
                    f"Unknown key {quote(member.key)}. Its value is preserved.{belongs or meant}"
                )
                fix = (
                    self._renamed(node, member, near.word)
                    if near and meant and not belongs
                    else None
                )
                self._report(rules.UNKNOWN_KEY, member.key_span, words, fix)
                if not member.node.is_missing:
                    values[member.key] = member.node.value

    # Fixes

    def _would_fit(self, known: dict[str, Member], name: str, subformat: str | None) -> bool:
        """True when content and subformat go with another format or subformat, so that a fix brings
        no new error.
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
        """Another name for an unknown key, where there is none of that name and its value fits: a
        suggestion.
        """
        known = {one.key.lower(): one for one in node.members}
        text = member.node.kind == "string" and member.node.value.strip()
        sure = not self.document.faults and text and key.lower() not in known
        if not sure or self._may_also_be(node, member, key):
            return None
        known[key.lower()] = member
        name, subformat = (self._said(known, one) for one in ("format", "subformat"))
        if key == "MessageType":
            return Fix(member.key_span, key) if keys.CONTROL not in known else None
        if key == "Label":
            return Fix(member.key_span, key)
        fits = name.lower() in self.dialect.formats and self._would_fit(known, name, subformat)
        return Fix(member.key_span, key) if fits and key != "Submessages" else None

    def _may_also_be(self, node: Node, member: Member, key: str) -> bool:
        """True when another unknown key of the object may mean the same."""
        others = (
            one for one in node.members if one is not member and one.key.lower() not in keys.LABELS
        )
        return any(
            (near := self._near(one.key, MESSAGE_KEYS)) and near.word == key for one in others
        )

    def _said(self, known: dict[str, Member], key: str) -> str:
        """The text under a key, or none."""
        return known[key].node.value if key in known and known[key].node.kind == "string" else ""

    def _removal(self, node: Node, member: Member) -> Fix | None:
        """Take a member that says nothing out of its object, with one comma."""
        if self.document.faults:
            return None
        at = node.members.index(member)
        if at + 1 < len(node.members):
            at_end = node.members[at + 1].key_span.start - 1
            return Fix(Span(member.key_span.start - 1, at_end), "", safe=True)
        start = node.members[at - 1].node.span.end if at else member.key_span.start - 1
        return Fix(Span(start, member.node.span.end), "", safe=True)

    def _meant(self, node: Node, key: str) -> str | None:
        """An unknown key of the object that must mean ``key``."""
        word = keys.MESSAGE[key]
        for one in node.members:
            near = None if one.key.lower() in keys.LABELS else self._near(one.key, MESSAGE_KEYS)
            if near is not None and near.word == word:
                return one.key
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
        self.fields.append(self._made(name, member, node))

    def _made(self, name: str, member: Member | None, node: Node) -> Field:
        key_at = member.key_span if member else None
        if node.kind == "bad" and node.span.start < node.span.end:
            return Field("", "unreadable", self.wire[slice(*node.span)], key_at, node.span)
        if node.members or node.items:
            return Field(
                name, keys.label(name), "", key_at, Span(node.inner.start, node.inner.start)
            )
        if (
            node.kind in ("object", "array") and self.wire[slice(*node.inner)].strip()
        ):  # nothing but strays in it
            return Field(
                name, keys.label(name), "", key_at, Span(node.inner.start, node.inner.start)
            )
        at = node.inner if node.kind == "string" else node.span
        text = node.value if node.kind == "string" else self.wire[slice(*at)]
        return Field(name, keys.label(name), text, key_at, at)

    def _leaves(self, name: str, top: Member | Node, *, inner: bool = True) -> None:
        """A field for ``top`` and for every value in it; what is ``inner`` may not count against
        the limit.
        """
        node, member = (top, None) if isinstance(top, Node) else (top.node, top)
        if member or not (node.members or node.items):
            self._field(name, member, node)
        if node.members or node.items:
            for dotted, below, one in jsontext.leaves(node, name):
                self._field(dotted, below, one, counted=inner)

    def _report(self, rule: Rule, at: Span, words: str, fix: Fix | None = None) -> None:
        self.found.append(rule.at(at, words, fix))


def _start(member: Member | None, node: Node) -> int:
    return member.key_span.start if member else node.span.start
