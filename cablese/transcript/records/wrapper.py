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
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from cablese.json import jsontext, pointer
from cablese.message import Span
from cablese.transcript import times
from cablese.transcript.facts import Facts
from cablese.transcript.log_lines.incoming import Arrival
from cablese.transcript.log_lines.lines import Form
from cablese.transcript.places import Places
from cablese.transcript.records.shapes import (
    ANY,
    ARGUMENTS,
    FACING,
    FREE,
    GEMINI,
    SHAPES,
    TELLING,
    TITLES,
    Kind,
    Object,
    Shape,
    Sides,
)

from . import record
from .record import MAX_NAME, Flat

TYPES = ("human", "ai", "system", "tool")
"""Types of messages of LangChain, which are roles."""
MAX_DEPTH = 8
"""Wrappers around one message that are taken off."""

JSON_KEYS = frozenset((
    "g", "plan", "status", "state", "format", "subformat", "messagetype", "submessages", "out_fmt",
    "proto_ver",
))  # fmt: skip
"""One of these is in every message that is an object, and its value is not an object."""
TEMPLATES = frozenset(("@mt", "messagetemplate", "{originalformat}"))
"""Keys, in lower case, under which .NET logs what it makes a text of."""
HOLE = re.compile(r"(?<!\{)\{[@$]?\w{1,100}(?:,-?\d{1,4})?(?::[^{}]{0,40})?\}")
"""Where a value comes in it: `{Goal}`, `{@Task}`, `{Cost,8:0.00}`."""
PYTHON_HOLE = re.compile(r"%(?:\(\w{1,100}\))?[drs]")
"""The same in the `msg` of Python, which is logged with its `args`."""
ESCAPE = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\."
)


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
        """The path through every level: ``messages.0.content › params.arguments.message``.

        A level that is all around its message, such as HTML, has no path.
        """
        paths = (level.path.removeprefix("/").replace("/", ".") for level in self.levels)
        return " › ".join(path for path in paths if path)

    @property
    def sides(self) -> Sides:
        """Sender and recipient from the nearest wrapper that tells either."""
        telling = (level for level in reversed(self.levels) if level.sender or level.recipient)
        return next(((level.sender, level.recipient) for level in telling), (None, None))


HIGHLIGHTS = frozenset(("highlight", "_highlightResult", "_snippetResult", "_formatted"))
"""Keys of copies in which Elasticsearch, Algolia, and Meilisearch mark what they found."""


class Inner(Struct, frozen=True, gc=False):
    """A string or object inside a wrapper: the steps to it, its place without quotes, its text.

    ``text`` is decoded: it differs from ``wrapper[span]`` where a string has escapes. ``above`` are
    the objects around it, the outermost first.
    """

    steps: tuple[str, ...]
    span: Span
    text: str
    is_object: bool
    above: tuple[Object, ...] = ()

    @property
    def path(self) -> str:
        """The JSON pointer (RFC 6901)."""
        return pointer.join(*self.steps)

    @property
    def is_highlight(self) -> bool:
        """Return whether a search may have marked what it found in the text."""
        return not HIGHLIGHTS.isdisjoint(self.steps)

    @property
    def is_template(self) -> bool:
        """Return whether a logger puts values into its text, which was not sent as it is."""
        key = self.steps[-1].lower() if self.steps else ""
        if key == "msg" and "%" in self.text and self.above[-1].get("args"):
            return PYTHON_HOLE.search(self.text) is not None
        return key in TEMPLATES and HOLE.search(self.text) is not None

    @property
    def form(self) -> Form:
        """What its text is, by its key. Docker writes each line that a program prints to `log`, and
        one without a line end may be a piece.
        """
        key = self.steps[-1] if self.steps else ""
        if key in ("arguments", "input", "args"):
            return "arguments"
        is_line = key == "log" and "stream" in self.above[-1] and self.text.endswith("\n")
        return "output" if is_line else "string"


class Carried(Struct, frozen=True):
    """A wrapper and the texts in it, in their order."""

    shape: Shape
    inner: tuple[Inner, ...]
    _flat: dict[int, Flat] = {}
    """The objects read before: thousands of texts may share one."""

    @property
    def kind(self) -> Kind:
        return self.shape.kind

    def around(self, inner: Inner, span: Span) -> Carrier:
        """Return the wrapper, which is at ``span``, as what carries ``inner``."""
        sides = _sides(self.shape, inner.above)
        return Carrier(
            self.kind, self.shape.words, inner.path, span, *sides, call=_call(inner.above)
        )

    def facts(self, inner: Inner, *, came_in: bool = False) -> Facts:
        """Return the metadata of ``inner`` that the record states.

        ``came_in`` says that the text itself states that its message was received.
        """
        is_free = self.kind in FREE
        objects = [self._flatten(parent) for parent in reversed(inner.above)]
        free = objects[-1:] if is_free else []
        collect = partial(record.collect, objects, free=free, skip=inner.steps, has_roles=is_free)
        key, at = record.find_exchange(objects, inner.steps)
        if key in record.REPLIES:
            asked = collect(arrival=Arrival(is_received=False, at=at))
            if key != "output" or asked.sender or asked.recipient:
                return replace(asked, sender=asked.recipient, recipient=asked.sender)
        if came_in or key in record.ASKED:
            return collect(arrival=Arrival(at=at))
        return collect()

    def _flatten(self, parent: Object) -> Flat:
        if id(parent) not in self._flat:
            self._flat[id(parent)] = record.flatten(parent)
        return self._flat[id(parent)]


def unwrap(
    text: str,
    *,
    arguments: bool = False,
    is_text: Callable[[str], bool] = bool,
    is_message: Callable[[str], bool] = lambda _: False,
) -> Carried | None:
    """Return the texts inside ``text``; None when it is not clean JSON. Never raises.

    ``is_text`` tells whether a string may hold a message, ``is_message`` whether an object is one.
    With ``arguments`` the text is what a tool is called with.
    """
    value = jsontext.load_or_none(text)
    if not isinstance(value, dict | list):
        return None
    walk = _Walk(text, is_text, is_message)
    walk.below(value)
    return Carried(_name(value, arguments=arguments) if walk.inner else ANY, tuple(walk.inner))


def locate(raw: str) -> Sequence[int]:
    """Return where each decoded character of a JSON string begins in ``raw``, and its end."""
    places: list[int] = []
    at = 0
    for escape in ESCAPE.finditer(raw):
        places.extend(range(at, escape.start() + 1))
        at = escape.end()
    if not at:
        return range(len(raw) + 1)
    places.extend(range(at, len(raw) + 1))
    return places


def _name(value: object, *, arguments: bool) -> Shape:
    while isinstance(value, list):
        value = value[0] if value else None
    if not isinstance(value, dict):
        return ANY
    if value.get("role") == "model" and "parts" in value:
        return GEMINI
    below = {
        f"{key}.{name}" for key, inner in value.items() if isinstance(inner, dict) for name in inner
    }
    names = value.keys() | below
    numbers = sorted(number for name in names & TELLING.keys() for number in TELLING[name])
    shape = next((SHAPES[number] for number in numbers if names >= SHAPES[number].keys), None)
    is_call = arguments and (shape is None or shape.kind in ("log", "event"))
    return ARGUMENTS if is_call else shape or ANY


class _Walk:
    """The texts of a record, in the order of ``text``, which is met string by string."""

    def __init__(
        self, text: str, is_text: Callable[[str], bool], is_message: Callable[[str], bool]
    ) -> None:
        self.text = text
        self.is_text = is_text
        self.is_message = is_message
        self.inner: list[Inner] = []
        self.places = Places(text)
        self.strings = self.objects = 0
        self.steps: list[str] = []
        self.above: list[Object] = []

    def below(self, value: Object | list[Any]) -> None:
        """Take the texts inside a value. Clean JSON is at most 64 levels deep."""
        if isinstance(value, dict):
            self.objects += 1
            self.above.append(value)
            for key, inner in value.items():
                self.strings += 1
                if isinstance(inner, str | dict | list):
                    self._take(key, inner)
            self.above.pop()
        else:
            is_timed = _is_timed(value)
            if is_timed:
                self.above.append({"ts": value[0]})
            for at, item in enumerate(value):
                if isinstance(item, str | dict | list):
                    self._take(str(at), item)
            if is_timed:
                self.above.pop()

    def _take(self, step: str, value: str | Object | list[Any]) -> None:
        self.steps.append(step)
        if isinstance(value, str):
            if self.is_text(value):
                self._add(self.places.string(self.strings), value, is_object=False)
            self.strings += 1
        elif not isinstance(value, dict) or not self._take_object(value):
            self.below(value)
        self.steps.pop()

    def _take_object(self, value: Object) -> bool:
        """Take an object that is a message, and pass it."""
        if not any(
            not isinstance(inner, dict) and key.lower() in JSON_KEYS for key, inner in value.items()
        ):
            return False
        span = self.places.object(self.objects)
        own = self.text[slice(*span)]
        if not self.is_message(own):
            return False
        self._add(span, own, is_object=True)
        self.strings = self.places.strings_before(span.end)
        self.objects = self.places.objects_before(span.end)
        return True

    def _add(self, span: Span, text: str, *, is_object: bool) -> None:
        self.inner.append(Inner(tuple(self.steps), span, text, is_object, tuple(self.above)))


def _is_timed(value: list[Any]) -> bool:
    """Return whether a list is an entry of Loki: nanoseconds since 1970, and a line."""
    first = value[0] if len(value) in (2, 3) else None
    if not isinstance(first, str) or len(first) != times.EPOCH_DIGITS[-1]:
        return False
    return times.parse_number(first) is not None


def _call(above: Sequence[Object]) -> str | None:
    """Return the ID of the tool call whose arguments or result a text is."""
    for parent in reversed(above):
        for key in ("tool_call_id", "tool_use_id", "call_id"):
            if (known := _text(parent, key)) is not None:
                return known
        is_call = "function" in parent or _is_call(parent)
        if is_call and (known := _text(parent, "id")) is not None:
            return known
    return None


def _sides(shape: Shape, above: Sequence[Object]) -> Sides:
    """Return sender and recipient by the nearest role, or by the shape when there is none.

    A tool that is called is the recipient. Where speakers have names there may be more than two,
    so the recipient is unknown.
    """
    if shape.kind in FREE:
        return None, None
    speaker = next((parent for parent in reversed(above) if _role(parent) or _agent(parent)), None)
    called = next((parent for parent in reversed(above) if _is_call(parent)), None)
    tool = _text(called, "name") if called is not None and shape.kind == "chat" else None
    if speaker is None:
        sender, recipient = shape.sides
        return sender, tool or recipient
    role = (_role(speaker) or "").lower().removeprefix("role_")
    name = _speaker_name(speaker) if shape.kind == "chat" else None
    facing = FACING.get(shape.kind, {})
    sender = name or (role if role in facing or shape.kind == "chat" else None)
    return sender, tool or (None if name else facing.get(role))


def _is_call(item: Object) -> bool:
    return "arguments" in item or "input" in item or ("args" in item and "name" in item)


def _role(item: Object) -> str | None:
    """Return the role of the speaker, which LangChain calls the type of a message, or the last part
    of its ID.
    """
    kind = _text(item, "type")
    if kind == "tool_result":
        return "tool"
    if kind == "constructor" and isinstance(place := item.get("id"), list) and place:
        last = place[-1] if isinstance(place[-1], str) else ""
        kind = last.removesuffix("Chunk").removesuffix("Message").lower()
    is_typed = kind in TYPES and not {"content", "data", "kwargs"}.isdisjoint(item)
    return _text(item, "role") or (kind if is_typed else None)


def _agent(item: Object) -> str | None:
    """Return the name of the agent that a message of AutoGen is from."""
    return _text(item, "source") if "models_usage" in item else None


def _speaker_name(speaker: Object) -> str | None:
    # LangChain writes the name beside the text, and the role above both.
    below = (each for key in ("data", "kwargs") if isinstance(each := speaker.get(key), dict))
    beside = next((name for each in below if (name := _text(each, "name"))), None)
    return _text(speaker, "name") or beside or _agent(speaker)


def _text(item: Object, key: str) -> str | None:
    value = item.get(key)
    if not isinstance(value, str):
        return None
    text = value.strip()
    return text if 0 < len(text) <= MAX_NAME and text.isprintable() else None
