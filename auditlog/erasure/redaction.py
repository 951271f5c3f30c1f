"""A copy of a packet without one of its fields.

    INF/OBS|g=42,to=anna       without `to`      INF/OBS|g=42,to=█████

The text of the field is removed wherever it occurs, in any case: in the raw text, the content, and
the metadata. The mark has one length, so it does not tell how long the text was. The leaf of the
packet committed to the whole raw text, so nothing proves that this copy was a part of it. The
redaction leaf commits to the copy, so that the copy itself cannot be changed.

    {"content":…,"sent_at":…,"supplied":{…},"wire":"INF/OBS|g=42,to=█████"}
"""

import re
from collections.abc import Iterator
from typing import Any

from auditlog import text
from auditlog.log import leaf
from auditlog.log import packet as packets
from auditlog.models import Packet
from cablese.text import clean, shorten

MARK = "█████"
METADATA = "metadata."
"""What the names of fields of the metadata begin with."""
CONTENT = "content"


SHOWN = 20
"""Fields that an error names."""


class NoSuchField(LookupError):
    """The packet does not have this field, or the field is empty. The text says which it has."""


def list_fields(packet: Packet) -> list[str]:
    """Return the names of the fields that can be erased, each once, in order."""
    return list(dict.fromkeys(name for name, _ in _read_fields(packet)))


def redact(packet: Packet, name: str) -> bytes:
    """Return the copy of a packet without a field, as RFC 8785 JSON. Raises NoSuchField."""
    hidden = {value for field, value in _read_fields(packet) if field == name}
    if not hidden:
        raise NoSuchField(_explain(name, list_fields(packet)))
    # Longer texts first: one may be a part of another.
    each = map(re.escape, sorted(hidden, key=len, reverse=True))
    pattern = re.compile("|".join(each), re.IGNORECASE)
    copy = {
        "content": None if packet.content is None else bytes(packet.content).decode(),
        "sent_at": packet.sent_at,
        "supplied": text.from_json(packet.supplied),
        "wire": packets.wire(packet),
    }
    left = {part: value for part, value in copy.items() if value is not None}
    return leaf.canonical_json(_hide(text.whole(left), pattern))


def _explain(name: str, fields: list[str]) -> str:
    """Return why there is nothing to erase: names of fields only, never their values."""
    missing = f'The packet does not have the field "{shorten(clean(name))}", or it is empty.'
    if (full := f"{METADATA}{name}") in fields:
        return f'{missing} For the metadata, the field is "{shorten(clean(full))}".'
    if not fields:
        return f"{missing} No field can be erased alone; erase the whole packet."
    more = f", and {len(fields) - SHOWN} more" if len(fields) > SHOWN else ""
    return (
        f"{missing} Its fields: {', '.join(shorten(clean(one)) for one in fields[:SHOWN])}{more}."
    )


def _read_fields(packet: Packet) -> Iterator[tuple[str, str]]:
    """Yield fields with the texts that stand for them: decoded, and as they are written."""
    message = packets.read(packet)
    for field in message.fields:
        written = message.wire[field.span.start : field.span.end]
        for value in (field.value, written):
            if field.name and value.strip():
                yield field.name, str(text.whole(value))
    if packet.content:
        yield CONTENT, bytes(packet.content).decode()
    if packet.sent_at:
        yield f"{METADATA}sent_at", packet.sent_at
    yield from _read_facts(METADATA.rstrip("."), text.from_json(packet.supplied))


def _read_facts(name: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _read_facts(f"{name}.{key}", one)
    elif isinstance(value, list):
        for one in value:
            yield from _read_facts(name, one)
    elif isinstance(value, str) and value.strip():
        yield name, value
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield name, str(value)


def _hide(value: Any, pattern: re.Pattern[str]) -> Any:
    if isinstance(value, dict):
        return {_hide(key, pattern): _hide(one, pattern) for key, one in value.items()}
    if isinstance(value, list):
        return [_hide(one, pattern) for one in value]
    if isinstance(value, int | float) and not isinstance(value, bool):
        return MARK if pattern.search(str(value)) else value
    return pattern.sub(MARK, value) if isinstance(value, str) else value
