"""Decode every member of the message and its submessages, past every fault, each with its span."""

from typing import Any
from urllib import parse

from cablese.codec import FIELD_LIMIT, SURROGATE, Reading
from cablese.json import jsontext
from cablese.json.jsontext import Member, Node
from cablese.message import Field, Fix, Rule, Span
from cablese.protocols.nlip import formats, keys
from cablese.protocols.nlip.formats import Format, Kind
from cablese.protocols.nlip.reading.members import Full, Members
from cablese.protocols.nlip.rules import RULES
from cablese.spelling import Spelling, question
from cablese.text import capitalize_first, either, quote

FAULTS: dict[jsontext.FaultKind, Rule] = {
    "syntax": RULES["not-json"],
    "repeated-key": RULES["repeated-key"],
    "too-deep": RULES["too-deep"],
    "not-finite": RULES["number-out-of-range"],
    "integer-range": RULES["number-out-of-range"],
}
"""The rules for the faults of ``jsontext``, besides those common to all protocols."""
MISSING = {
    "format": RULES["missing-format"],
    "subformat": RULES["missing-subformat"],
    "content": RULES["missing-content"],
}
RESERVED = "%:/?#[]@!$&'()*+,;=~"
"""Characters that percent-encoding leaves alone in a URI."""


class Reader(Members):
    """Decodes one text."""

    def read(self) -> Reading:
        rules = FAULTS | {"too-many": self.codec.too_many, "surrogate": self.codec.not_text}
        for fault in self.document.faults:
            self._report(rules[fault.kind], fault.span, fault.message, fault.fix)
        values: dict[str, Any] = {}
        root, end = self.document.root, len(self.wire)
        try:
            if root is not None and root.kind == "object":
                self._message(root, values)
            elif root is not None:
                end = 0
                self._unreadable(Span(0, len(self.wire)))
                if root.kind != "bad":
                    self._report(
                        RULES["not-an-object"],
                        root.span,
                        f"A message must be a JSON object, not {root.kind_name}.",
                    )
        except Full as full:
            end = full.at
            self.fields = [field for field in self.fields if _place(field)[0] < end]
            self.diagnostics = [
                diagnostic for diagnostic in self.diagnostics if diagnostic.span.start < end
            ]
            remainder = Span(end, len(self.wire))
            self._report(
                self.codec.too_many,
                remainder,
                f"The message has more than {FIELD_LIMIT:,} fields. The rest was not read.",
            )
            self._unreadable(remainder)
        for stray in self.document.strays:
            if stray.span.end <= end:
                self._unreadable(stray.span)
        self.fields.sort(key=_place)
        return Reading(values, tuple(self.diagnostics), lambda: tuple(self.fields))

    # The message and its parts

    def _message(self, node: Node, values: dict[str, Any]) -> None:
        known = self._without_nulls(
            node, self._members(node, "", keys.MESSAGE | {keys.CONTROL: keys.CONTROL})
        )
        kind = self._text(known, "messagetype", node)
        if kind is not None:
            values["messagetype"] = kind
        values["is_control"] = kind is not None and kind.lower() == "control"
        if keys.CONTROL in known:
            self._control(known, node, values)
        self._part(known, node, values)
        self._submessages(known, node, values, "")
        if "label" in known:
            self._report(
                RULES["label-on-message"],
                known["label"].key_span,
                "Only submessages can have a label. The value is preserved.",
            )
            self._label(known, node, values)
        self._unknown(
            node, values, keys.MESSAGE | {keys.CONTROL: keys.CONTROL, keys.DERIVED: keys.DERIVED}
        )

    def _submessage(self, node: Node, values: dict[str, Any], name: str) -> None:
        known = self._without_nulls(node, self._members(node, name, keys.SUBMESSAGE))
        self._part(known, node, values)
        self._label(known, node, values)
        if "submessages" in known:
            self._report(
                RULES["nested-submessages"],
                known["submessages"].key_span,
                "A submessage must not have submessages. They are preserved.",
            )
            self._submessages(known, node, values, name)
        self._unknown(node, values, keys.SUBMESSAGE)

    def _part(self, known: dict[str, Member], node: Node, values: dict[str, Any]) -> None:
        """Read format, subformat, and content, which messages and submessages have."""
        for key in keys.REQUIRED:
            if key not in known:
                near = self._meant(node, key)
                meant = f" Did you mean {quote(near)}?" if near else ""
                at = Span(node.span.start, node.inner.start)
                self._report(MISSING[key], at, f"Missing {keys.MESSAGE[key]}.{meant}")
        name = self._text(known, "format", node)
        subformat = self._text(known, "subformat", node)
        content = known.get("content")
        format_ = None
        if name is not None:
            values["format"] = name.lower()
            format_ = self.dialect.formats.get(name.lower())
            if format_ is None:
                self._unknown_format(known, name, subformat)
        if subformat is not None:
            values["subformat"] = formats.spelling(format_, subformat) if format_ else subformat
            if format_ is None or not formats.subformat_fits(format_, subformat):
                self._wrong_subformat(known, name or "", subformat, format_)
            else:
                self._odd_subformat(known["subformat"].node, name or "", subformat)
                if content is not None:
                    self._content(content.node, subformat, formats.kind_of(format_, subformat))
        if content is not None and content.node.kind == "null":
            self._report(
                RULES["missing-content"],
                content.node.span,
                "Content must not be null.",
            )
        elif content is not None and not content.node.is_missing:
            values["content"] = content.node.value

    def _text(self, known: dict[str, Member], key: str, node: Node) -> str | None:
        """Return the text of a member that must be text."""
        member = known.get(key)
        if member is None or member.node.kind in ("string", "bad"):
            return None if member is None or member.node.kind == "bad" else str(member.node.value)
        free = key == "label" or (key == "messagetype" and keys.CONTROL not in known)
        self._report(
            RULES["not-a-string"],
            member.node.span,
            f"{keys.MESSAGE[key]} must be text; found {member.node.kind_name}.",
            self._quoting(member.node) if free else None,
        )
        return None

    def _label(self, known: dict[str, Member], node: Node, values: dict[str, Any]) -> None:
        label = self._text(known, "label", node)
        if label is not None:
            values["label"] = label

    def _submessages(
        self, known: dict[str, Member], node: Node, values: dict[str, Any], prefix: str
    ) -> None:
        member = known.get("submessages")
        if member is None or member.node.kind == "bad":
            return
        submessages = member.node
        if submessages.kind != "array":
            self._report(
                RULES["submessages-not-a-list"],
                submessages.span,
                f"Submessages must be an array of objects; found {submessages.kind_name}.",
            )
            return
        if not submessages.items:
            self._report(
                RULES["submessages-not-a-list"],
                submessages.span,
                "Submessages is empty. Expected at least one submessage, or no Submessages key.",
                self._removal(node, member),
            )
            return
        read: list[dict[str, Any]] = []
        values["submessages"] = read
        for at, item in enumerate(submessages.items):
            name = f"{prefix}.submessages.{at}" if prefix else f"submessages.{at}"
            if not item.members:
                self._leaves(name, item)
            if item.kind == "object":
                read.append({})
                self._submessage(item, read[-1], name)
            elif item.kind != "bad":
                self._report(
                    RULES["submessage-not-an-object"],
                    item.span,
                    f"A submessage must be an object; found {item.kind_name}.",
                )

    # What is wrong with single members

    def _control(self, known: dict[str, Member], node: Node, values: dict[str, Any]) -> None:
        """Read the control field of sections 6.3 to 6.5, which section 5 does not have. Section 6.5
        writes its value in quotes.
        """
        member = known[keys.CONTROL]
        written = self.wire[slice(*member.node.span)]
        flag = written.strip('"').lower()
        if flag not in ("true", "false") or member.node.kind == "bad":
            if member.node.kind != "bad":
                self._report(
                    RULES["control-field"],
                    member.key_span,
                    f"A control field must be true or false; found {written[:40]}.",
                )
            return
        kind, is_control = values.get("messagetype"), flag == "true"
        fix = None
        if kind is not None and is_control != values["is_control"]:
            self._report(
                RULES["control-contradiction"],
                member.node.span,
                f"The control field is {written}, but the MessageType is {quote(kind)}.",
            )
        else:
            fix = self._control_fix(node, member, is_new=is_control and kind is None)
        if is_control and kind is None:
            values.pop("is_control")
            values |= {"messagetype": "control", "is_control": True}
        self._report(
            RULES["control-field"],
            member.key_span,
            'Use "MessageType": "control" instead of a control field.'
            if is_control
            else "Remove the control field: data is the default.",
            fix,
        )

    def _control_fix(self, node: Node, member: Member, *, is_new: bool) -> Fix | None:
        """Return a fix that removes the control field, or with ``is_new`` replaces it."""
        fix = self._removal(node, member)
        if not is_new or fix is None:
            return fix
        if any(other.key.lower() == "messagetype" for other in node.members):
            return None  # the control field alone says what the message is
        return Fix(
            Span(member.key_span.start - 1, member.node.span.end),
            '"MessageType":"control"',
            safe=True,
        )

    def _unknown_format(self, known: dict[str, Member], name: str, subformat: str | None) -> None:
        node = known["format"].node
        if name.lower() in formats.FORMATS:
            self._report(
                RULES["format-not-in-dialect"],
                node.span,
                capitalize_first(f"{self.dialect.title} has no format {quote(name)}."),
            )
            return
        near = self._near(name.strip(), Spelling(self.dialect.formats))
        meant = question(near)
        if name.lower() in formats.MISPLACED:
            meant = f" Did you mean {formats.MISPLACED[name.lower()]}?"
        fits = near is not None and self._would_fit(known, near.word, subformat)
        fix = self._spelled(node, near.word, safe=near.safe) if near and fits else None
        self._report(
            RULES["unknown-format"],
            node.inner,
            f"Unknown format {quote(name)}. Expected {either(self.dialect.formats)}.{meant}",
            fix,
        )

    def _wrong_subformat(
        self, known: dict[str, Member], name: str, subformat: str, format_: Format | None
    ) -> None:
        node = known["subformat"].node
        if not subformat or subformat.isspace():
            takes = f" Expected {format_.takes}." if format_ else ""
            self._report(RULES["empty-subformat"], node.span, f"Empty subformat.{takes}")
        elif format_ is not None:
            near = self._near(subformat.strip(), Spelling(format_.words))
            fits = near is not None and self._would_fit(known, name, near.word)
            self._report(
                RULES["unknown-subformat"],
                node.inner,
                f"{capitalize_first(name.lower())} has no subformat {quote(subformat)}. Expected "
                f"{format_.takes}.{question(near)}",
                self._spelled(node, near.word, safe=near.safe) if near and fits else None,
            )

    def _odd_subformat(self, node: Node, name: str, subformat: str) -> None:
        """Report a subformat that fits its format, but is not in its list."""
        if name.lower() == "token" and formats.token_prefix(subformat) == formats.AUTHORIZATION:
            at = Span(node.inner.start, node.inner.start + len(formats.AUTHORIZATION))
            plain = self.wire[slice(*node.inner)] == subformat
            self._report(
                RULES["authorization-token"],
                at,
                "The reserved prefix is authentication. authorization was read as the same.",
                Fix(at, formats.AUTHENTICATION) if plain else None,
            )
        elif name.lower() == "binary" and subformat.lower().startswith(formats.VIDEO):
            self._report(
                RULES["video"],
                node.inner,
                "video is in the specification’s examples but not in its list: audio, image, "
                "sensor, generic.",
            )

    def _content(self, node: Node, subformat: str, kind: Kind) -> None:
        if node.kind in ("bad", "null"):
            return
        if not formats.content_fits(kind, node.value):
            self._report(
                RULES["content-type"],
                node.span,
                f"Content with the subformat {quote(subformat)} must be {formats.KINDS[kind]}; "
                f"found {node.kind_name}.",
                self._quoting(node) if kind != "uri" else None,
            )
        elif kind == "base64" and not formats.is_base64(node.value):
            self._report(
                RULES["not-base64"],
                node.inner,
                "Binary content must be base64, padded with =.",
            )
        elif kind == "uri" and not formats.is_uri(node.value):
            coded = (
                ""
                if SURROGATE.search(node.value)
                else parse.quote(node.value.strip(), safe=RESERVED)
            )
            fix = self._spelled(node, coded, safe=False) if formats.is_uri(coded) else None
            self._report(
                RULES["not-a-uri"],
                node.inner,
                f"{quote(node.value)} is not a URI. Expected a scheme such as https, a colon, and "
                "no spaces.",
                fix,
            )

    def _spelled(self, node: Node, text: str, *, safe: bool) -> Fix | None:
        """Return a fix with another text; None where faults make its quotes uncertain."""
        is_sure = text.isprintable() and not self.document.faults
        return Fix(node.inner, text, safe) if is_sure else None

    def _quoting(self, node: Node) -> Fix | None:
        """Return a fix that makes a number text. Only an integer surely has its digits: 1.10 may
        have become 1.1.
        """
        if node.kind != "number" or self.document.faults:
            return None
        return Fix(node.span, f'"{self.wire[slice(*node.span)]}"', safe=isinstance(node.value, int))

    def _unreadable(self, at: Span) -> None:
        self.fields.append(Field("", "unreadable", self.wire[slice(*at)], None, at))


def _place(field: Field) -> tuple[int, int]:
    return (field.name_span or field.span)[0], field.span.end
