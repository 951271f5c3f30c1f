"""Messages that travel inside something else: a tool call, an agent's task, a chat, a record of a log.

    {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
     "params": {"name": "tell", "arguments": {"message": "REQ/TSK|g=42,t=1"}}}

is MCP, and carries the text at ``/params/arguments/message``. Where a text stands is a table of paths, in which ``*``
is any key or place. A text may be a wrapper again, as the arguments of a tool call in a chat are JSON in a string: each
level is a :class:`Carrier` inside the other. Only clean JSON is unwrapped: what is broken is left to those who read
line by line.

A record that says who speaks is asked: roles and names of a chat, the roles of A2A, the direction of MCP.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from . import jsontext, pointer
from .jsontree import Node
from .message import Span

Kind = Literal["mcp", "a2a", "chat", "call", "log"]
MCP, A2A, CHAT, CALL, LOG = "MCP", "A2A", "chat", "tool call", "log record"
TITLES: dict[Kind, str] = {"mcp": MCP, "a2a": A2A, "chat": CHAT, "call": CALL, "log": LOG}
LIMIT = 10_000
"""Texts that are taken out of one wrapper."""
DEPTH = 4
"""Wrappers around one message that are taken off."""
NAME_LIMIT = 200
"""Characters of a name that a record gives a speaker; a longer one, or one that cannot be seen, is none."""

HINT = re.compile(r'"(?:jsonrpc|parts|role|messages|choices|isError|call_id|msg|message|text|body|prompt)"[ \t\r\n]*:')
ESCAPED = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]", re.DOTALL
)


class _Shape(Struct, frozen=True):
    """One kind of wrapper: the keys it must have at its top, its name, and where its texts stand.

    ``sides`` are who speaks and to whom where no role says so. A wrapper that ``yields`` is none when it is a message
    of a protocol itself.
    """

    kind: Kind
    words: str
    keys: tuple[str, ...]
    paths: tuple[str, ...]
    sides: "Sides" = (None, None)
    yields: bool = False


Sides = tuple[str | None, str | None]
_PARTS = ("parts.*.text", "parts.*.data")
_TOLD = (
    "content", "content.*.text", "content.*.input", "content.*.input.*", "content.*.content",
    "content.*.content.*.text", "tool_calls.*.function.arguments", "function_call.arguments",
)  # fmt: skip
"""Where one message of a chat has its texts: OpenAI's chat and tool calls, and Anthropic's blocks."""
_RESULT = ("content.*.text", "structuredContent")
_CLIENT, _SERVER, _USER, _AGENT, _ASSISTANT = "client", "server", "user", "agent", "assistant"
ARGUMENTS = _Shape("call", CALL, (), ("*",), yields=True)
"""What the arguments of a tool call are, which any JSON object may be."""
SHAPES = (
    _Shape(
        "mcp",
        f"{MCP} tools/call",
        ("jsonrpc", "params"),
        ("params.arguments", "params.arguments.*"),
        sides=(_CLIENT, _SERVER),
    ),
    _Shape(
        "mcp",
        f"{MCP} result",
        ("jsonrpc", "result"),
        tuple(f"result.{place}" for place in _RESULT),
        sides=(_SERVER, _CLIENT),
    ),
    _Shape("mcp", f"{MCP} result", ("content", "isError"), _RESULT, sides=(_SERVER, _CLIENT)),
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
        sides=(_AGENT, _USER),
    ),
    _Shape("a2a", f"{A2A} message", ("message",), tuple(f"message.{part}" for part in _PARTS)),
    _Shape("a2a", f"{A2A} message", ("parts",), _PARTS),
    _Shape("chat", CHAT, ("messages",), tuple(f"messages.*.{place}" for place in _TOLD)),
    _Shape("chat", CHAT, ("choices",), tuple(f"choices.*.message.{place}" for place in _TOLD)),
    *(
        _Shape("log", "training example", ("prompt", answer), ("prompt", answer), yields=True)
        for answer in ("target", "completion")
    ),
    _Shape("chat", CHAT, ("role",), _TOLD),
    _Shape("chat", CHAT, ("call_id", "arguments"), ("arguments",), sides=(_ASSISTANT, None)),
    _Shape("chat", CHAT, ("call_id", "output"), ("output", "output.*.text"), sides=("tool", _ASSISTANT)),
    *(_Shape("log", LOG, (key,), (key,), yields=True) for key in ("msg", "message", "text", "body")),
)
FACING: dict[Kind, dict[str, str]] = {
    "chat": {
        _USER: _ASSISTANT, "system": _ASSISTANT, "developer": _ASSISTANT, "tool": _ASSISTANT, "function": _ASSISTANT,
        _ASSISTANT: _USER,
    },
    "a2a": {_USER: _AGENT, _AGENT: _USER},
}  # fmt: skip
"""To whom a role speaks."""


class Carrier(Struct, frozen=True, gc=False):
    """What a message came in: its kind, its name in words, where in it the message was, and its place in the text.

    ``sender`` and ``recipient`` are who speaks there, as far as it says. ``inner`` is the wrapper that stands in the
    string at ``path`` and holds the message, when there is another one; its ``path`` begins there.
    """

    kind: Kind
    words: str
    path: str
    span: Span
    sender: str | None = None
    recipient: str | None = None
    inner: "Carrier | None" = None

    @property
    def title(self) -> str:
        return TITLES[self.kind]

    @property
    def levels(self) -> "tuple[Carrier, ...]":
        """This wrapper and those inside it, the outermost first."""
        return (self,) if self.inner is None else (self, *self.inner.levels)

    @property
    def names(self) -> str:
        """Every wrapper in words: ``chat › tool call``."""
        return " › ".join(level.words for level in self.levels)

    @property
    def place(self) -> str:
        """The path for people, through every level: ``messages.0.content › params.arguments.message``."""
        return " › ".join(level.path.removeprefix("/").replace("/", ".") for level in self.levels)

    @property
    def sides(self) -> Sides:
        """Who speaks and to whom, as the wrapper nearest to the message says that says it."""
        said = (level for level in reversed(self.levels) if level.sender or level.recipient)
        return next(((level.sender, level.recipient) for level in said), (None, None))


class Inner(Struct, frozen=True, gc=False):
    """A text inside a wrapper: its JSON pointer, its place without quotes, and the text itself, decoded.

    An object is no text: it stands for itself, as it is written. ``text`` is ``wrapper[span]`` unless there are
    escapes. The ``is_arguments`` of a tool call may be any object in a string.
    """

    path: str
    span: Span
    text: str
    is_object: bool
    is_arguments: bool = False
    sender: str | None = None
    recipient: str | None = None


class Carried(Struct, frozen=True):
    """A wrapper and the texts in it, in their order. One that ``yields`` is none when it is a message itself."""

    kind: Kind
    words: str
    inner: tuple[Inner, ...]
    yields: bool = False


def unwrap(text: str, *, arguments: bool = False) -> Carried | None:
    """The texts inside ``text`` when it is a wrapper that is known, in clean JSON; None otherwise. Never raises.

    With ``arguments`` it is what a tool is called with, and so any object is a wrapper.
    """
    if not arguments and HINT.search(text) is None:
        return None
    try:
        value = jsontext.load(text)
    except jsontext.NotClean:
        return None
    known = (*(shape for shape in SHAPES if not shape.yields), ARGUMENTS) if arguments else SHAPES
    shapes = [shape for shape in known if isinstance(value, dict) and all(key in value for key in shape.keys)]
    root = jsontext.read(text).root if shapes else None
    if root is None:
        return None
    for shape in shapes:
        inner = tuple(sorted(_texts(text, root, shape), key=lambda one: (one.span.start, -one.span.end)))
        if inner:
            return Carried(shape.kind, shape.words, inner[:LIMIT], shape.yields)
    return None


def locate(raw: str) -> Sequence[int]:
    """For each character of a JSON string, decoded, where it begins in ``raw``; and at last the end of ``raw``."""
    if "\\" not in raw:
        return range(len(raw) + 1)
    return [*(found.start() for found in ESCAPED.finditer(raw)), len(raw)]


def _texts(text: str, root: Node, shape: _Shape) -> Iterator[Inner]:
    for path in shape.paths:
        is_arguments = path.endswith("arguments")
        for steps, node, above in _walk(root, tuple(path.split(".")), (), (root,)):
            at = pointer.join(*steps)
            sender, recipient = _sides(shape, above)
            if node.kind == "string":
                yield Inner(
                    at, node.inner, node.value, is_object=False, is_arguments=is_arguments, sender=sender,
                    recipient=recipient,
                )  # fmt: skip
            elif node.kind == "object":
                own = text[slice(*node.span)]
                yield Inner(at, node.span, own, is_object=True, sender=sender, recipient=recipient)


_Found = tuple[tuple[str, ...], Node, tuple[Node, ...]]


def _walk(node: Node, path: tuple[str, ...], steps: tuple[str, ...], above: tuple[Node, ...]) -> Iterator[_Found]:
    """The nodes at ``path``, with their steps and everything above them."""
    if not path:
        yield steps, node, above
        return
    if path[0] != "*":
        member = node.member(path[0])
        if member is not None:
            yield from _walk(member.node, path[1:], (*steps, path[0]), (*above, node))
        return
    for at, item in enumerate(node.items):
        yield from _walk(item, path[1:], (*steps, str(at)), (*above, node))
    for member in node.members:
        yield from _walk(member.node, path[1:], (*steps, member.key), (*above, node))


def _sides(shape: _Shape, above: Sequence[Node]) -> Sides:
    """Who speaks and to whom: the nearest role, else what the shape says. A tool that is called is spoken to.

    Where a speaker has a name of his own there may be more than two, and nobody says to whom.
    """
    speaker = next((node for node in reversed(above) if _text(node, "role")), None)
    called = next((node for node in reversed(above) if node.member("arguments") or node.member("input")), None)
    tool = _text(called, "name") if called is not None and shape.kind == "chat" else None
    if speaker is None:
        sender, recipient = shape.sides
        return sender, tool or recipient
    role = (_text(speaker, "role") or "").lower().removeprefix("role_")
    name = _text(speaker, "name") if shape.kind == "chat" else None
    facing = FACING.get(shape.kind, {})
    sender = name or (role if role in facing or shape.kind == "chat" else None)
    return sender, tool or (None if name else facing.get(role))


def _text(node: Node, key: str) -> str | None:
    member = node.member(key)
    if member is None or member.node.kind != "string":
        return None
    said: str = member.node.value.strip()
    return said if 0 < len(said) <= NAME_LIMIT and said.isprintable() else None
