"""Wrappers around messages: a tool call, an agent's task, a chat, a record of a log.

    {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
     "params": {"name": "tell", "arguments": {"message": "REQ/TSK|g=42,t=1"}}}

is MCP, and carries the text at ``/params/arguments/message``. Every string and object of a record
is read, whatever its key; known shapes give the record its name. A text may be a wrapper again, as
the arguments of a tool call in a chat are JSON in a string: each level is a :class:`Carrier` inside
the other. Only clean JSON is unwrapped; other text is read line by line.

Sender and recipient come from roles and names of a chat, roles of A2A, and the direction of MCP.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from msgspec import Struct

from protocols import jsontext, pointer
from protocols.jsontree import Node
from protocols.message import Span

from . import record
from .facts import NOTHING, Facts
from .record import Flat

Kind = Literal["mcp", "a2a", "chat", "call", "log", "event", "json", "text"]
MCP, A2A, CHAT, CALL, LOG = "MCP", "A2A", "chat", "tool call", "log record"
EVENT, JSON = "event", "JSON record"
TITLES: dict[Kind, str] = {
    "mcp": MCP, "a2a": A2A, "chat": CHAT, "call": CALL, "log": LOG, "event": EVENT, "json": JSON,
    "text": "text",
}  # fmt: skip
MAX_TEXTS = 10_000
"""Texts that are taken out of one wrapper."""
MAX_DEPTH = 8
"""Wrappers around one message that are taken off."""
MAX_NAME = 200
"""Characters of a speaker's name."""

JSON_KEYS = frozenset((
    "g", "plan", "status", "state", "format", "subformat", "messagetype", "submessages", "out_fmt",
    "proto_ver",
))  # fmt: skip
"""One of these is in every message that is an object."""
ESCAPED = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}"
    r"|\\.|[^\\]",
    re.DOTALL,
)
Sides = tuple[str | None, str | None]
_CLIENT, _SERVER, _USER, _AGENT, _ASSISTANT = "client", "server", "user", "agent", "assistant"


class _Shape(Struct, frozen=True):
    """One kind of wrapper: the keys at its top, with dots for those below, and its name.

    ``sides`` are sender and recipient where no role tells them.
    """

    kind: Kind
    words: str
    keys: frozenset[str]
    sides: Sides = (None, None)


def _shape(kind: Kind, words: str, keys: str, sides: Sides = (None, None)) -> _Shape:
    return _Shape(kind, words, frozenset(keys.split()), sides)


_ASKED, _ANSWERED = (_CLIENT, _SERVER), (_SERVER, _CLIENT)
SHAPES = (
    _shape("a2a", f"{A2A} message", "jsonrpc params.message"),
    _shape("mcp", f"{MCP} sampling", "jsonrpc params.messages", _ANSWERED),
    _shape("mcp", f"{MCP} tools/call", "jsonrpc params.arguments", _ASKED),
    _shape("mcp", f"{MCP} notification", "jsonrpc method params", _ANSWERED),
    _shape("mcp", f"{MCP} prompt", "jsonrpc result.messages", _ANSWERED),
    _shape("mcp", f"{MCP} resource", "jsonrpc result.contents", _ANSWERED),
    _shape("mcp", f"{MCP} result", "jsonrpc result.content", _ANSWERED),
    _shape("mcp", f"{MCP} result", "jsonrpc result.structuredContent", _ANSWERED),
    *(
        _shape("a2a", f"{A2A} result", f"result.{key}", (_AGENT, _USER))
        for key in ("parts", "message", "status", "artifacts", "artifact", "history")
    ),
    _shape("mcp", f"{MCP} result", "content isError", _ANSWERED),
    _shape("a2a", f"{A2A} message", "message.parts"),
    _shape("a2a", f"{A2A} status update", "status.message contextId", (_AGENT, _USER)),
    _shape("a2a", f"{A2A} artifact update", "artifact contextId", (_AGENT, _USER)),
    _shape("chat", "Gemini", "contents"),
    _shape("chat", "Gemini", "candidates"),
    _shape("a2a", f"{A2A} message", "parts"),
    _shape("chat", "OpenAI stream chunk", "choices object id created model", (_ASSISTANT, _USER)),
    _shape("chat", CHAT, "choices"),
    _shape("chat", "OpenAI response", "object output model", (_ASSISTANT, _USER)),
    _shape("chat", "OpenAI request", "model input"),
    _shape("chat", "Cohere", "message finish_reason", (_ASSISTANT, _USER)),
    _shape("chat", "Ollama", "message done model"),
    _shape("chat", "Ollama", "response done model", (_ASSISTANT, _USER)),
    _shape("chat", "Bedrock", "output.message stopReason"),
    _shape("chat", CHAT, "messages"),
    _shape("log", "training example", "prompt target"),
    _shape("log", "training example", "prompt completion"),
    _shape("event", "LangSmith run", "run_type inputs"),
    _shape("chat", CHAT, "role"),
    _shape("chat", "LangChain message", "type content additional_kwargs"),
    _shape("chat", "LangChain message", "type data.content"),
    _shape("chat", "LangChain message", "lc type id kwargs"),
    _shape("chat", CHAT, "call_id arguments", (_ASSISTANT, None)),
    _shape("chat", CHAT, "call_id output", ("tool", _ASSISTANT)),
    _shape("log", "OTLP logs", "resourceLogs"),
    _shape("log", "OTLP traces", "resourceSpans"),
    _shape("log", "Docker log", "log stream time"),
    _shape("log", "Fluent Bit record", "log stream"),
    _shape("log", "journald record", "MESSAGE __REALTIME_TIMESTAMP"),
    _shape("log", "journald record", "MESSAGE PRIORITY"),
    _shape("log", "Serilog record", "@t @mt"),
    _shape("log", "Serilog record", "@t @m"),
    _shape("log", "Bunyan record", "v name hostname pid level msg"),
    _shape("log", "pino record", "level time pid hostname msg"),
    _shape("log", "zap record", "level ts caller msg"),
    _shape("log", "ECS record", "@timestamp log.level message"),
    _shape("log", "GELF record", "version host short_message"),
    _shape("log", "Cloud Logging entry", "logName textPayload"),
    _shape("log", "Cloud Logging entry", "logName jsonPayload"),
    _shape("log", "Cloud Logging entry", "severity textPayload"),
    _shape("log", "CloudWatch export", "logGroup logEvents"),
    _shape("log", "CloudWatch event", "ingestionTime message timestamp"),
    _shape("log", "Loki push", "streams"),
    _shape("log", "Splunk event", "event sourcetype"),
    _shape("log", "Splunk event", "event time host"),
    _shape("event", "CloudEvent", "specversion type source"),
    _shape("event", "Kafka record", "topic partition offset"),
    _shape("event", "Kafka record", "topic value"),
    _shape("event", "SNS notification", "Type TopicArn Message"),
    _shape("event", "SQS message", "MessageId Body"),
    _shape("log", "structlog record", "event timestamp level"),
    _shape("log", LOG, "event level"),
    *(_shape("log", LOG, key) for key in ("msg", "message", "text", "body", "log", "MESSAGE")),
)
ANY = _Shape("json", JSON, frozenset())
ARGUMENTS = _Shape("call", CALL, frozenset())
"""The arguments of a tool call, which may be any JSON object."""
FREE: frozenset[Kind] = frozenset(("log", "event", "json"))
"""Kinds whose other members are metadata of the message."""
FACING: dict[Kind, dict[str, str]] = {
    "chat": {
        _USER: _ASSISTANT, "system": _ASSISTANT, "developer": _ASSISTANT, "tool": _ASSISTANT,
        "function": _ASSISTANT, _ASSISTANT: _USER, "model": _USER, "human": "ai", "ai": "human",
    },
    "a2a": {_USER: _AGENT, _AGENT: _USER},
    "mcp": {_USER: _ASSISTANT, _ASSISTANT: _USER},
}  # fmt: skip
"""The recipient of each role."""


class Carrier(Struct, frozen=True, gc=False):
    """A wrapper around a message: its kind, its name, the path of the message, and its place.

    ``inner`` is another wrapper, in the string at ``path``, that holds the message. ``call`` is the
    ID of a tool call.
    """

    kind: Kind
    words: str
    path: str
    span: Span
    sender: str | None = None
    recipient: str | None = None
    inner: "Carrier | None" = None
    call: str | None = None

    @property
    def title(self) -> str:
        return TITLES[self.kind]

    @property
    def levels(self) -> "tuple[Carrier, ...]":
        """This wrapper and those inside it, the outermost first."""
        return (self,) if self.inner is None else (self, *self.inner.levels)

    @property
    def names(self) -> str:
        """Every wrapper by name: ``chat › tool call``."""
        return " › ".join(level.words for level in self.levels)

    @property
    def place(self) -> str:
        """The path through every level: ``messages.0.content › params.arguments.message``."""
        return " › ".join(level.path.removeprefix("/").replace("/", ".") for level in self.levels)

    @property
    def sides(self) -> Sides:
        """Sender and recipient from the nearest wrapper that tells either."""
        telling = (level for level in reversed(self.levels) if level.sender or level.recipient)
        return next(((level.sender, level.recipient) for level in telling), (None, None))


class Inner(Struct, frozen=True, gc=False):
    """A string or object inside a wrapper: its JSON pointer, its place without quotes, its text.

    ``text`` is decoded: it differs from ``wrapper[span]`` where a string has escapes. With
    ``is_arguments`` it is what a tool is called with. ``facts`` are the metadata of the record.
    """

    path: str
    span: Span
    text: str
    is_object: bool
    is_arguments: bool = False
    facts: Facts = NOTHING
    sides: Sides = (None, None)
    call: str | None = None


class Carried(Struct, frozen=True):
    """A wrapper and the texts in it, in their order."""

    kind: Kind
    words: str
    inner: tuple[Inner, ...]


def unwrap(
    text: str,
    *,
    arguments: bool = False,
    is_text: Callable[[str], bool] = bool,
    is_message: Callable[[str], bool] = lambda _: False,
) -> Carried | None:
    """Return the texts inside ``text`` when it is clean JSON that holds any. Never raises.

    ``is_text`` tells whether a string may hold a message, ``is_message`` whether an object is one.
    With ``arguments`` the text is what a tool is called with.
    """
    try:
        value = jsontext.load(text)
    except jsontext.NotClean:
        return None
    if not isinstance(value, dict | list):
        return None
    root = jsontext.read(text).root
    assert root is not None
    shape = _name(value, arguments=arguments)
    inner = tuple(_texts(text, root, shape, is_text, is_message))
    return Carried(shape.kind, shape.words, inner) if inner else None


def locate(raw: str) -> Sequence[int]:
    """Return where each decoded character of a JSON string begins in ``raw``, and its end."""
    if "\\" not in raw:
        return range(len(raw) + 1)
    return [*(found.start() for found in ESCAPED.finditer(raw)), len(raw)]


def _name(value: object, *, arguments: bool) -> _Shape:
    while isinstance(value, list):
        value = value[0] if value else None
    if not isinstance(value, dict):
        return ANY
    below = {
        f"{key}.{one}" for key, inner in value.items() if isinstance(inner, dict) for one in inner
    }
    names = value.keys() | below
    shape = next((shape for shape in SHAPES if names >= shape.keys), None)
    if arguments and (shape is None or shape.kind in ("log", "event")):
        return ARGUMENTS
    return shape or ANY


def _texts(
    text: str,
    root: Node,
    shape: _Shape,
    is_text: Callable[[str], bool],
    is_message: Callable[[str], bool],
) -> Iterator[Inner]:
    found = 0
    flat: dict[int, Flat] = {}
    stack: list[tuple[Node, tuple[str, ...], tuple[Node, ...]]] = [(root, (), ())]
    while stack and found < MAX_TEXTS:
        node, steps, above = stack.pop()
        if node.kind == "string":
            if is_text(node.value):
                found += 1
                yield _inner(node.inner, node.value, steps, above, shape, flat, is_object=False)
            continue
        is_candidate = node.kind == "object" and above and _may_be_message(node)
        own = text[slice(*node.span)] if is_candidate else ""
        if own and is_message(own):
            found += 1
            yield _inner(node.span, own, steps, above, shape, flat, is_object=True)
            continue
        below = (*above, node)
        members = [(member.node, (*steps, member.key), below) for member in node.members]
        items = [(item, (*steps, str(at)), below) for at, item in enumerate(node.items)]
        stack += (*reversed(members), *reversed(items))


def _may_be_message(node: Node) -> bool:
    return any(member.key.lower() in JSON_KEYS for member in node.members)


def _inner(
    span: Span,
    text: str,
    steps: tuple[str, ...],
    above: tuple[Node, ...],
    shape: _Shape,
    flat: dict[int, Flat],
    *,
    is_object: bool,
) -> Inner:
    """Return a text of a record. ``flat`` has the objects read before: thousands may share one."""
    objects = []
    for node in reversed(above):
        if node.kind == "object":
            if id(node) not in flat:
                flat[id(node)] = record.flatten(node.value)
            objects.append(flat[id(node)])
    is_free = shape.kind in FREE
    free = objects[-1:] if is_free else []
    facts = record.collect(objects, free=free, skip=steps, has_roles=is_free)
    is_arguments = any(step in ("arguments", "input", "args") for step in steps[-1:])
    path, sides, call = pointer.join(*steps), _sides(shape, above), _call(above)
    return Inner(path, span, text, is_object, is_arguments, facts, sides, call)


def _call(above: Sequence[Node]) -> str | None:
    """Return the ID of the tool call whose arguments or result a text is."""
    for node in reversed(above):
        for key in ("tool_call_id", "tool_use_id", "call_id"):
            if (known := _text(node, key)) is not None:
                return known
        is_call = node.member("function") or _is_call(node)
        if is_call and (known := _text(node, "id")) is not None:
            return known
    return None


def _sides(shape: _Shape, above: Sequence[Node]) -> Sides:
    """Return sender and recipient by the nearest role, or by the shape when there is none.

    A tool that is called is the recipient. Where speakers have names there may be more than two,
    so the recipient is unknown.
    """
    if shape.kind in FREE:
        return None, None
    speaker = next((node for node in reversed(above) if _role(node)), None)
    called = next((one for one in reversed(above) if _is_call(one)), None)
    tool = _text(called, "name") if called is not None and shape.kind == "chat" else None
    if speaker is None:
        sender, recipient = shape.sides
        return sender, tool or recipient
    role = (_role(speaker) or "").lower().removeprefix("role_")
    name = _text(speaker, "name") if shape.kind == "chat" else None
    facing = FACING.get(shape.kind, {})
    sender = name or (role if role in facing or shape.kind == "chat" else None)
    return sender, tool or (None if name else facing.get(role))


def _is_call(node: Node) -> bool:
    return bool(node.member("arguments") or node.member("input"))


def _role(node: Node) -> str | None:
    """Return the role of the speaker, which LangChain calls the type of a message."""
    kind = _text(node, "type")
    if kind == "tool_result":
        return "tool"
    return _text(node, "role") or (
        kind if kind in ("human", "ai", "system", "tool") and node.member("content") else None
    )


def _text(node: Node, key: str) -> str | None:
    member = node.member(key)
    if member is None or member.node.kind != "string":
        return None
    text: str = member.node.value.strip()
    return text if 0 < len(text) <= MAX_NAME and text.isprintable() else None
