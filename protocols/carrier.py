"""Messages that travel inside something else: a tool call, an agent's task, a chat, a record of a log.

    {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
     "params": {"name": "tell", "arguments": {"message": "REQ/TSK|g=42,t=1"}}}

is MCP, and carries the text at ``/params/arguments/message``. Where a text stands is a table of paths, in which ``*``
is any key or place. Only clean JSON is unwrapped: what is broken is left to those who read line by line.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from . import jsontext, pointer
from .jsontree import Node
from .message import Span

Kind = Literal["mcp", "a2a", "chat", "log"]
MCP, A2A, CHAT, LOG = "MCP", "A2A", "chat", "log record"
TITLES: dict[Kind, str] = {"mcp": MCP, "a2a": A2A, "chat": CHAT, "log": LOG}
LIMIT = 10_000
"""Texts that are taken out of one wrapper."""

HINT = re.compile(r'"(?:jsonrpc|parts|role|messages|choices|msg|message|text|body)"[ \t\r\n]*:')
ESCAPED = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]", re.DOTALL
)


class _Shape(Struct, frozen=True):
    """One kind of wrapper: the keys it must have at its top, its name, and where its texts stand."""

    kind: Kind
    words: str
    keys: tuple[str, ...]
    paths: tuple[str, ...]


_PARTS = ("parts.*.text", "parts.*.data")
SHAPES = (
    _Shape("mcp", f"{MCP} tools/call", ("jsonrpc", "params"), ("params.arguments", "params.arguments.*")),
    _Shape("mcp", f"{MCP} result", ("jsonrpc", "result"), ("result.content.*.text", "result.structuredContent")),
    _Shape("a2a", f"{A2A} message", ("params",), tuple(f"params.message.{part}" for part in _PARTS)),
    _Shape(
        "a2a",
        f"{A2A} result",
        ("result",),
        tuple(
            f"result.{place}{part}"
            for place in ("", "message.", "status.message.", "artifacts.*.", "history.*.")
            for part in _PARTS
        ),
    ),
    _Shape("a2a", f"{A2A} message", ("message",), tuple(f"message.{part}" for part in _PARTS)),
    _Shape("a2a", f"{A2A} message", ("parts",), _PARTS),
    _Shape("chat", CHAT, ("messages",), ("messages.*.content", "messages.*.content.*.text")),
    _Shape("chat", CHAT, ("choices",), ("choices.*.message.content",)),
    _Shape("chat", CHAT, ("role", "content"), ("content", "content.*.text")),
    _Shape("log", LOG, ("msg",), ("msg",)),
    _Shape("log", LOG, ("message",), ("message",)),
    _Shape("log", LOG, ("text",), ("text",)),
    _Shape("log", LOG, ("body",), ("body",)),
)


class Carrier(Struct, frozen=True, gc=False):
    """What a message came in: its kind, its name in words, where in it the message was, and its place in the text."""

    kind: Kind
    words: str
    path: str
    span: Span

    @property
    def title(self) -> str:
        return TITLES[self.kind]

    @property
    def place(self) -> str:
        """The path for people: ``params.arguments.message``."""
        return self.path.removeprefix("/").replace("/", ".")


class Inner(Struct, frozen=True, gc=False):
    """A text inside a wrapper: its JSON pointer, its place without quotes, and the text itself, decoded.

    An object is no text: it stands for itself, as it is written. ``text`` is ``wrapper[span]`` unless there are
    escapes.
    """

    path: str
    span: Span
    text: str
    is_object: bool


class Carried(Struct, frozen=True):
    """A wrapper and the texts in it, in their order."""

    kind: Kind
    words: str
    inner: tuple[Inner, ...]


def unwrap(text: str) -> Carried | None:
    """The texts inside ``text`` when it is a wrapper that is known, in clean JSON; None otherwise. Never raises."""
    if HINT.search(text) is None:
        return None
    try:
        value = jsontext.load(text)
    except jsontext.NotClean:
        return None
    shapes = [shape for shape in SHAPES if isinstance(value, dict) and all(key in value for key in shape.keys)]
    root = jsontext.read(text).root if shapes else None
    if root is None:
        return None
    for shape in shapes:
        inner = tuple(sorted(_texts(text, root, shape), key=lambda one: (one.span.start, -one.span.end)))
        if inner:
            return Carried(shape.kind, shape.words, inner[:LIMIT])
    return None


def locate(raw: str) -> Sequence[int]:
    """For each character of a JSON string, decoded, where it begins in ``raw``; and at last the end of ``raw``."""
    if "\\" not in raw:
        return range(len(raw) + 1)
    return [*(found.start() for found in ESCAPED.finditer(raw)), len(raw)]


def _texts(text: str, root: Node, shape: _Shape) -> Iterator[Inner]:
    for path in shape.paths:
        for steps, node in _walk(root, tuple(path.split(".")), ()):
            if node.kind == "string":
                yield Inner(pointer.join(*steps), node.inner, node.value, is_object=False)
            elif node.kind == "object":
                yield Inner(pointer.join(*steps), node.span, text[slice(*node.span)], is_object=True)


def _walk(node: Node, path: tuple[str, ...], steps: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Node]]:
    if not path:
        yield steps, node
        return
    if path[0] != "*":
        member = node.member(path[0])
        if member is not None:
            yield from _walk(member.node, path[1:], (*steps, path[0]))
        return
    for at, item in enumerate(node.items):
        yield from _walk(item, path[1:], (*steps, str(at)))
    for member in node.members:
        yield from _walk(member.node, path[1:], (*steps, member.key))
