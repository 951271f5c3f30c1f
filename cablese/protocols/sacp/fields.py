"""Cut a SACP text into fields: every key and value of the JSON with its span, and a name such as
``plan.0.2.n``.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from cablese.codec import FIELD_LIMIT
from cablese.json import jsontext
from cablese.json.jsontext import Document, Member, Node
from cablese.message import Field, Span

from .aliases import FAMILIES, get_family

LABELS = {
    "g": "goal",
    "ctx": "context",
    "plan": "plan",
    "out_fmt": "output format",
    "state": "state",
    "msg_id": "message ID",
    "reply_to": "in reply to",
    "proto_ver": "protocol version",
    "subtask": "subtask",
    "test_mode": "dry run",
    "status": "reply",
    "code": "error code",
    "details": "reason",
    "verb": "verb",
    "tool": "tool",
    "params": "parameters",
    "parallel": "parallel steps",
    "ts": "sent at",
    "sender": "from",
    "recipient": "to",
    "result": "result",
    "error": "error",
    "trace": "trace",
    "ext": "extensions",
    "id": "id",
    "depends_on": "depends on",
    "timeout_ms": "time limit in ms",
    "retry": "retries",
    "on_error": "on error",
    "fallback_step": "fallback step",
    "output_key": "output key",
    "max_attempts": "maximum attempts",
    "backoff_ms": "delay in ms",
    "strategy": "delay strategy",
    "outputs": "outputs",
    "summary": "summary",
    "step_results": "step results",
    "message": "error message",
    "step_id": "step",
    "retryable": "retryable",
}
PARTS = {
    "0": "verb",
    "1": "tool",
    "2": "parameters",
    "verb": "verb",
    "tool": "tool",
    "params": "parameters",
}
STEP = re.compile(
    r"(?:subtask\.)*plan\.([0-9]{1,9})(?:\.parallel\.([0-9]{1,9}))?(?:\.([^.]*))?(?:\..*)?",
    re.DOTALL,
)
FREE = re.compile(
    r"(?:subtask\.)*(?:ctx|ext|result\.(?:outputs|step_results)|error\.details"
    r"|plan\.[0-9]+(?:\.parallel\.[0-9]+)*\.(?:2|params))(?:\.|\Z)"
)
"""Names of objects that the sender fills freely. Fields in them do not count against the limit."""


def scan(wire: str) -> tuple[Field, ...]:
    """Return the fields of ``wire``, in its order."""
    return cut(wire, jsontext.read(wire))[0]


def cut(wire: str, document: Document) -> tuple[tuple[Field, ...], int]:
    """Return the fields, and the offset where reading ends because there are too many, or else the
    length of the wire.
    """
    root = document.root
    if root is None or root.kind not in ("object", "array"):
        return (Field("", "unreadable", wire, None, Span(0, len(wire))),), len(wire)
    fields: list[Field] = []
    counted, end = 0, len(wire)
    around: dict[str, _Surroundings] = {}
    tools: dict[str, str] = {}
    context: dict[str, str] = {}
    for tool, family in FAMILIES.items():
        context |= family.context if f'"{tool}"' in wire else {}
    for name, member, node in jsontext.leaves(root):
        parents, _, last = name.rpartition(".")
        surroundings = around.get(parents)
        if surroundings is None:
            surroundings = around[parents] = _look_around(parents, tools, context)
        if surroundings.is_step and last in ("1", "tool"):
            tools[surroundings.step] = str(node.value)
        if not surroundings.free:
            counted += 1
            if counted > FIELD_LIMIT:
                end = member.key_span.start if member else node.inner.start
                break
        fields.extend(_fields(wire, name, surroundings.label(last), member, node))
    strays = [
        Field("", "unreadable", stray.value, None, stray.span)
        for stray in document.strays
        if stray.span.start < end
    ]
    if end < len(wire):
        kept = [field for field in (*fields, *strays) if field.span.end <= end]
        strays, fields = [Field("", "unreadable", wire[end:], None, Span(end, len(wire)))], kept
    fields.extend(strays)
    return tuple(
        sorted(fields, key=lambda field: field.name_span or field.span) if strays else fields
    ), end


def _fields(wire: str, name: str, label: str, member: Member | None, node: Node) -> Iterator[Field]:
    key_span = member.key_span if member else None
    if node.kind == "bad":
        start = node.inner.start
        if key_span:
            yield Field(name, label, "", key_span, Span(start, start))
        if node.inner.start < node.inner.end:
            yield Field("", "unreadable", wire[slice(*node.inner)], None, node.inner)
        return
    at, value = node.inner, wire[slice(*node.inner)]
    if node.kind == "string":
        value = node.value
    elif node.members or node.items:
        at, value = Span(at.start, at.start), ""
    elif node.kind in ("object", "array"):
        bare = not value.strip(" \t\r\n")
        at = node.span if bare else Span(node.span.start, node.span.start + 1)
        value = "{}" if node.kind == "object" else "[]"
    yield Field(name, label, value, key_span, at)


class _Surroundings(NamedTuple):
    """What the fields under one name share: their meaning, and whether the sender fills them
    freely.
    """

    free: bool
    step: str
    """Such as "step 2, branch 1"; "" outside a plan."""
    is_step: bool
    """Whether they are the parts of that step."""
    known: dict[str, str]
    """The short forms of keys that the tool of the step, or for the context the tools of the plan,
    define.
    """
    key: str
    """The full name of their parent."""

    def label(self, last: str) -> str:
        """Return the label of a field: ``ctx.loc`` is the location, ``plan.0.2.n`` the number in
        step 1.
        """
        if self.is_step:
            return f"{PARTS.get(last, LABELS.get(last, last))} of {self.step}"
        if self.free and last.isdecimal():
            label = f"{self.key} {last}"
        elif last.isdecimal() and self.key in LABELS:
            label = LABELS[self.key]
        else:
            label = self.known.get(last, last) if self.free else LABELS.get(last, last)
        return f"{label} in {self.step}" if self.step else label


def _look_around(parents: str, tools: dict[str, str], context: dict[str, str]) -> _Surroundings:
    free = FREE.match(parents) is not None
    key = parents.rpartition(".")[2]
    step = STEP.fullmatch(parents)
    if step is None:
        known = context if parents.startswith("ctx") else {}
        return _Surroundings(free, step="", is_step=False, known=known, key=known.get(key, key))
    number, branch, part = step.groups()
    inside = f"step {int(number) + 1}" + (f", branch {int(branch) + 1}" if branch else "")
    known = get_family(tools.get(inside)).keys
    return _Surroundings(free, inside, part is None, known, known.get(key, key))
