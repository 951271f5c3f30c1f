"""A SACP text cut into fields: every key and value of the JSON with its place, and a name such as ``plan.0.2.n``."""

import re
from collections.abc import Iterator

from protocols import jsontext
from protocols.codec import FIELD_LIMIT
from protocols.jsontext import Document, Member, Node
from protocols.message import Field, Span

from .aliases import KEYS, expand_key

LABELS = {
    "g": "goal", "ctx": "context", "plan": "plan", "out_fmt": "output format", "state": "state", "msg_id": "message id",
    "reply_to": "answers message", "proto_ver": "protocol version", "subtask": "subtask", "test_mode": "dry run",
    "status": "reply", "code": "error code", "details": "reason", "verb": "verb", "tool": "tool",
    "params": "parameters", "parallel": "steps at the same time",
}  # fmt: skip
PARTS = {"0": "verb", "1": "tool", "2": "parameters", "verb": "verb", "tool": "tool", "params": "parameters"}
STEP = re.compile(r"(?:subtask\.)*plan\.([0-9]+)(?:\.parallel\.([0-9]+))?(?:\.([^.]*)(?:\.(.*))?)?", re.DOTALL)
FREE = re.compile(r"(?:subtask\.)*(?:ctx|plan\.[0-9]+(?:\.parallel\.[0-9]+)*\.(?:2|params))(?:\.|\Z)")
INSIDE = re.compile(r"(?:\A|\.)ctx(?:\.|\Z)")
"""Names of what the sender fills as it likes: it is not counted."""


def scan(wire: str) -> tuple[Field, ...]:
    """The fields of ``wire``, in its order."""
    return cut(wire, jsontext.read(wire))[0]


def cut(wire: str, document: Document) -> tuple[tuple[Field, ...], int]:
    """The fields, and where reading ends because there are too many of them (the wire's length when not)."""
    root = document.root
    if root is None or root.kind not in ("object", "array"):
        return (Field("", "unreadable", wire, None, Span(0, len(wire))),), len(wire)
    fields: list[Field] = []
    counted, end = 0, len(wire)
    for name, member, node in jsontext.leaves(root):
        if FREE.match(name) is None:
            counted += 1
            if counted > FIELD_LIMIT:
                end = member.key_span.start if member else node.inner.start
                break
        fields.extend(_fields(wire, name, member, node))
    fields.extend(Field("", "unreadable", one.value, None, one.span) for one in document.strays if one.span.start < end)
    if end < len(wire):
        fields = [one for one in fields if one.span.end <= end]
        fields.append(Field("", "unreadable", wire[end:], None, Span(end, len(wire))))
    return tuple(sorted(fields, key=_start)), end


def _start(field: Field) -> Span:
    return field.name_span or field.span


def _fields(wire: str, name: str, member: Member | None, node: Node) -> Iterator[Field]:
    key_span = member.key_span if member else None
    if node.kind == "bad":
        start = node.inner.start
        if key_span:
            yield Field(name, label_of(name), "", key_span, Span(start, start))
        if node.inner.start < node.inner.end:
            yield Field("", "unreadable", wire[slice(*node.inner)], None, node.inner)
        return
    at, value = node.inner, wire[slice(*node.inner)]
    if node.kind == "string":
        value = node.value
    elif node.members or node.items:
        at, value = Span(at.start, at.start), ""
    elif node.kind in ("object", "array"):
        bare = not value.strip()
        at = node.span if bare else Span(node.span.start, node.span.start + 1)
        value = "{}" if node.kind == "object" else "[]"
    yield Field(name, label_of(name), value, key_span, at)


def label_of(name: str) -> str:
    """The plain meaning of a field name: ``ctx.loc`` is the location, ``plan.0.2.n`` the number in step 1."""
    step = STEP.fullmatch(name)
    if step:
        number, branch, part, rest = step.groups()
        which = f"step {_counted(number)}" + (f", branch {_counted(branch)}" if branch else "")
        if rest:
            return f"{expand_key(rest.rpartition('.')[2])} in {which}"
        return f"{PARTS.get(part, LABELS.get(part, part))} of {which}" if part else which
    parents, _, last = name.rpartition(".")
    return KEYS.get(last, last) if INSIDE.search(parents) else LABELS.get(last, last)


def _counted(index: str) -> str:
    return str(int(index) + 1) if len(index) < 10 else index
