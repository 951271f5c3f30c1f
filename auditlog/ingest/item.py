"""One item of a request: a wire and its metadata.

    {"wire": "REQ/TSK|g=42,t=1", "protocol": "nslip", "event_id": "a-17",
     "sent_at": "2026-11-20T10:00:01+01:00", "from": "planner", "tags": ["night run"],
     "attributes": {"trace_id": "4bf92f35"}}

``from_line`` names the facts that a log line states; others were given by whoever sends the item.
For a time that a line states, ``sent_text`` is the time as written, and ``sent_zone`` the time zone
where the line names none.

Reading is strict, because a misspelled key would lose a fact without a word: an unknown or repeated
key, a wrong type, a time without offset, half a surrogate pair are refused with a JSON pointer to
the place.
"""

import json
import re
from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta, Struct, structs

from auditlog.ingest import attributes, json_errors, zones
from auditlog.text import whole
from cablese import registry
from cablese.json import pointer
from cablese.text import quote

WIRE_LIMIT = 4 * 1024 * 1024
"""Bytes. A protocol's own, smaller limit marks a message; beyond this one it is not kept."""
CONTENT_LIMIT = 1024 * 1024

NAME_LIMIT = 1000
Name = Annotated[str, Meta(min_length=1, max_length=NAME_LIMIT)]
Id = Name | int
# In the document only: in Python, `$` also matches before a line feed at the end.
Slug = Annotated[str, Meta(extra_json_schema={"pattern": "^[a-z0-9-]{1,40}$"})]
_SLUG = re.compile(r"[a-z0-9-]{1,40}")
_BAD_SLUG = "A log name must have 1 to 40 of the characters a-z, 0-9, and -."
LineFact = Literal["attributes", "from", "sent_at", "thread", "to"]
SENT_LIMIT = 40
TEXT_LIMIT = 200
"""Characters of a time as written."""


AUTO = "auto"
# What the document enumerates; whether a name is one of them is checked with words of our own.
_NAMES = [codec.name for codec in registry.all_codecs()]
_DIALECTS = [dialect for codec in registry.all_codecs() for dialect in codec.dialects]
_ZONES = list(zones.NAMES)


# In this process, bytes of a wire that are not UTF-8 are surrogate escapes: see `from_bytes`.
class Item(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A wire and its metadata. All values are valid Unicode text: an unpaired surrogate is refused.
    To store bytes that are not UTF-8, send them as plain text to ``/api/v1/packets/batch``.

    ``attributes`` are your own facts, such as a trace ID: at most 64 keys and 16 KiB. ``from_line``
    names the facts that a log line states; ``sent_text`` is its time as written, and ``sent_zone``
    the time zone that was assumed for it.
    """

    wire: Annotated[
        str,
        Meta(
            description="The message exactly as sent.",
            examples=["REQ/TSK|g=42,t=1,p=2,@=auth_refactor"],
        ),
    ]
    protocol: (
        Annotated[
            str,
            Meta(
                description="The protocol to decode it as; auto or null detects it.",
                max_length=20,
                extra_json_schema={"enum": [AUTO, *_NAMES]},
            ),
        ]
        | None
    ) = None
    dialect: (
        Annotated[
            str,
            Meta(
                description="A version of the protocol.",
                max_length=40,
                extra_json_schema={"enum": _DIALECTS},
            ),
        ]
        | None
    ) = None
    event_id: (
        Annotated[
            str,
            Meta(
                description="Your ID of the message: sent again, it is not stored again.",
                min_length=1,
                max_length=200,
            ),
        ]
        | None
    ) = None
    sent_at: (
        Annotated[
            str,
            Meta(
                description="When it was sent, with a UTC offset.",
                max_length=SENT_LIMIT,
                extra_json_schema={"format": "date-time"},
            ),
        ]
        | None
    ) = None
    from_: Annotated[Name, Meta(description="The sender.")] | None = msgspec.field(
        default=None, name="from"
    )
    to: Annotated[Name, Meta(description="The recipient.")] | None = None
    goal: Annotated[Id, Meta(description="The goal that it belongs to.")] | None = None
    task: Annotated[Id, Meta(description="The task that it belongs to.")] | None = None
    thread: Annotated[Name, Meta(description="The conversation that it belongs to.")] | None = None
    tags: (
        Annotated[list[Name], Meta(description="More tags to find it by.", max_length=100)] | None
    ) = None
    content: (
        Annotated[str, Meta(description="The content of the task, of at most 1 MiB.")] | None
    ) = None
    log: Annotated[Slug, Meta(description="The log to store it in.")] | None = None
    attributes: (
        Annotated[dict[str, Any], Meta(description="Your own facts: at most 64 keys and 16 KiB.")]
        | None
    ) = None
    sent_text: (
        Annotated[
            str,
            Meta(
                description="sent_at as a log line writes it.", min_length=1, max_length=TEXT_LIMIT
            ),
        ]
        | None
    ) = None
    sent_zone: (
        Annotated[
            str,
            Meta(
                description="The time zone that was assumed for sent_text.",
                max_length=TEXT_LIMIT,
                extra_json_schema={"enum": _ZONES},
            ),
        ]
        | None
    ) = None
    from_line: (
        Annotated[list[LineFact], Meta(description="The fields that a log line states.")] | None
    ) = None


ATTRIBUTE_NAMES = {"from": "from_"}
"""What Python calls a fact where its own name is a keyword."""


class Refusal(Struct, frozen=True, gc=False):
    """Why an item is not kept: an HTTP status, one sentence, and a JSON pointer into the item."""

    status: int
    detail: str
    pointer: str
    event_id: str | None = None


class Refused(ValueError):
    """An item cannot be kept."""

    def __init__(
        self, detail: str, pointer: str, *, status: int = 422, event_id: str | None = None
    ) -> None:
        super().__init__(detail)
        self.refusal = Refusal(status, detail, pointer, event_id)


def keep_refusal(read: Callable[[Any], Item], data: Any) -> Item | Refusal:
    """Return the item that ``read`` makes of ``data``, or why it cannot be kept."""
    try:
        return read(data)
    except Refused as refused:
        return refused.refusal


_decoder = msgspec.json.Decoder(Item)
_FIELDS = [field.encode_name for field in structs.fields(Item)]
# Quotes inside a JSON string are escaped, so this finds keys and nothing else; unknown ones are
# refused before. A key may also be written with `_ESCAPE`.
_KEY = re.compile(b'"(' + "|".join(_FIELDS).encode() + rb')"[ \t\r\n]*:')
_ESCAPE = b"\\u"
_EVENT_ID = re.compile(rb'"event_id"\s*:\s*("(?:[^"\\]|\\.){1,200}")')
# RFC 3339 § 5.6; the offset is optional here so that its absence can be named.
_SENT_AT = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt ]([0-9]{2}:[0-9]{2}):([0-9]{2})(?:\.[0-9]+)?"
    r"([Zz]|[+-][0-9]{2}:[0-9]{2})?"
)
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")


def parse(data: bytes | msgspec.Raw) -> Item:
    """Read one JSON object. Raises Refused."""
    try:
        item = _decoder.decode(data)
    except (ValueError, RecursionError) as error:
        raise _explained(bytes(data), error) from None
    written = bytes(data)
    is_plain = item.attributes is None and _ESCAPE not in written
    repeated = _repeated(written) if is_plain else json_errors.find_repeated(written)
    if repeated:
        raise Refused(
            json_errors.REPEATED.format(quote(repeated[-1])),
            pointer.join(*repeated),
            event_id=item.event_id,
        )
    check(item)
    return item


def _repeated(data: bytes) -> tuple[str, ...]:
    """The first key of an item that is given twice, when no value of it is an object and no key is
    written with escapes.
    """
    keys = _KEY.findall(data)
    if len(set(keys)) == len(keys):
        return ()
    return (next(key for key in keys if keys.count(key) > 1).decode(),)


def check(item: Item) -> Item:
    """Check what types cannot express. Raises Refused."""
    if item.event_id is not None and _CONTROL.search(item.event_id):
        raise Refused("event_id must not contain control characters.", "/event_id")
    if item.log is not None and not _SLUG.fullmatch(item.log):
        raise Refused(_BAD_SLUG, "/log", event_id=item.event_id)
    if item.sent_at is not None:
        wrong = wrong_time(item.sent_at)
        if wrong is not None:
            raise Refused(wrong, "/sent_at", event_id=item.event_id)
    _check_size("wire", item.wire, WIRE_LIMIT, item.event_id)
    if item.content is not None:
        _check_size("content", item.content, CONTENT_LIMIT, item.event_id)
    if item.attributes is not None:
        problem = attributes.find_problem(item.attributes)
        if problem:
            raise Refused(problem.detail, f"/attributes{problem.pointer}", event_id=item.event_id)
    if item.sent_text is not None or item.sent_zone is not None or item.from_line:
        _check_line(item)
    return item


def _check_line(item: Item) -> None:
    """Check that facts of a log line refer to given fields."""
    if item.sent_text is not None and item.sent_at is None:
        raise Refused("sent_text requires sent_at.", "/sent_text", event_id=item.event_id)
    if item.sent_zone is not None:
        if item.sent_text is None:
            raise Refused("sent_zone requires sent_text.", "/sent_zone", event_id=item.event_id)
        try:
            zones.find(item.sent_zone)
        except zones.UnknownZone as unknown:
            raise Refused(str(unknown), "/sent_zone", event_id=item.event_id) from None
    for at, name in enumerate(item.from_line or ()):
        if getattr(item, ATTRIBUTE_NAMES.get(name, name)) is None:
            raise Refused(
                f'from_line names "{name}", which is missing.',
                f"/from_line/{at}",
                event_id=item.event_id,
            )


def _check_size(name: str, text: str, limit: int, event_id: str | None) -> None:
    if len(text) * 4 > limit and len(text.encode(errors="surrogateescape")) > limit:
        raise Refused(
            f"{name} is larger than the limit of {limit:,} bytes.",
            f"/{name}",
            status=413,
            event_id=event_id,
        )


def wrong_time(text: str) -> str | None:
    """Return why ``sent_at`` is invalid, in one sentence; None if it is valid."""
    seen = _SENT_AT.fullmatch(text)
    example = "2026-11-20T10:00:01+01:00"
    if seen is None:
        return f"sent_at must be an RFC 3339 date and time, such as {example}."
    day, minute, second, offset = seen.groups()
    if offset is None:
        return f"sent_at must end with Z or a UTC offset, as in {example}."
    try:
        # A leap second is a time by RFC 3339, and none by Python.
        datetime.fromisoformat(
            f"{day}T{minute}:{'59' if second == '60' else second}{offset.upper()}"
        )
    except ValueError:
        return f"sent_at is not a valid date and time: {text}."
    return None


def _explained(data: bytes, error: Exception) -> Refused:
    """Return what is wrong with an item that msgspec rejects, with its place."""
    event_id = _event_id(data)
    if isinstance(error, msgspec.ValidationError):
        return Refused(*_misfit(error), event_id=event_id)
    try:
        data.decode()
    except UnicodeDecodeError as broken:
        return Refused(
            f"The item is not UTF-8: byte 0x{data[broken.start]:02x} at offset {broken.start}.", ""
        )
    if (lone := json_errors.find_surrogate(data)) is not None:
        return Refused(
            "Unpaired surrogate: this is not valid Unicode text.",
            pointer.join(*lone[0]),
            event_id=event_id,
        )
    if isinstance(error, RecursionError):
        return Refused("The item is nested too deeply.", "")
    return Refused(
        f"The item is not a JSON object: {str(error).removeprefix('JSON is malformed: ')}.", ""
    )


def _misfit(error: msgspec.ValidationError) -> tuple[str, str]:
    wrong = json_errors.read_misfit(error)
    if wrong.unknown is not None:
        fields = ", ".join(_FIELDS)
        return f"Unknown field {quote(wrong.unknown)}. Valid fields: {fields}.", wrong.pointer
    if wrong.missing is not None:
        return f'Required field "{wrong.missing}" is missing.', wrong.pointer
    if wrong.pointer == "/log":
        return _BAD_SLUG, wrong.pointer
    if wrong.pointer.startswith("/from_line/"):
        return f"Expected one of {', '.join(get_args(LineFact))}.", wrong.pointer
    return f"{wrong.message}.", wrong.pointer


def _event_id(data: bytes) -> str | None:
    """Return the event ID of an unreadable item, so that its receipt still names it."""
    seen = _EVENT_ID.search(data)
    try:
        found: str | None = json.loads(seen[1]) if seen else None
    except ValueError:
        return None
    return found if whole(found) == found else None
