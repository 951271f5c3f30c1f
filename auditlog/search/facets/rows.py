"""The rows of packets with only what facets count. Rows that cannot be read are repaired as lists
show them.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

import msgspec
from django.db import connection
from msgspec import Struct

from auditlog.database import damage, spread
from auditlog.models import Log
from auditlog.text import from_json, whole
from cablese import detection, registry

LONGEST = 64 * 1024
"""Characters of the terms, and of the metadata, that are read of many packets at once."""
_SELECT = f"""\
SELECT leaf, {{received}}, {{protocol}}, valid, source_id,
    CASE WHEN length(meaning) <= {LONGEST} THEN {{meaning}} END,
    CASE WHEN length(supplied) <= {LONGEST} THEN {{supplied}} END
FROM auditlog_packet WHERE log_id = %s AND leaf"""  # noqa: S608 - a number of ours
_COLUMNS = ("received", "protocol", "meaning", "supplied")
_PROTOCOLS = {name: name for name in (*registry.get_names(), detection.UNKNOWN)}
_KNOWN: dict[str | bytes, str] = _PROTOCOLS | {name.encode(): name for name in _PROTOCOLS}


class Row(NamedTuple):
    """A packet: when it was received, if that can be read, and the values of its facets."""

    received: datetime | None
    protocol: str
    valid: bool
    source: int
    act: str | None
    senders: tuple[str, ...]
    recipients: tuple[str, ...]
    tags: tuple[str, ...]


class _Said(Struct, gc=False):
    act: str | None = None
    sender: str | None = None
    recipient: str | None = None
    tags: tuple[str, ...] = ()


class _Supplied(Struct, gc=False):
    from_: str | None = msgspec.field(default=None, name="from")
    to: str | None = None
    tags: tuple[str, ...] = ()


_NOTHING = _Supplied()
_EMPTY = ("{}", b"{}")
_read_said = msgspec.json.Decoder(_Said).decode
_read_supplied = msgspec.json.Decoder(_Supplied).decode


def read(log: Log, leaves: Sequence[int]) -> Iterator[Row]:
    """Yield the packets at some leaves of a log, in any order."""
    wanted = frozenset(leaves)
    odd = []
    for leaf, received, protocol, valid, source, meaning, supplied in _select(log, leaves):
        if leaf not in wanted:
            continue
        try:
            said = _read_said(meaning)
            given = _NOTHING if supplied in _EMPTY else _read_supplied(supplied)
            row = _row(_read_time(received), _KNOWN[protocol], valid, source, said, given)
        except (KeyError, TypeError, ValueError):  # msgspec raises a ValueError
            odd.append(leaf)
            continue
        yield row
    for leaf in odd:
        yield from _repair(log, leaf)


def _select(log: Log, leaves: Sequence[int]) -> list[tuple[Any, ...]]:
    form = damage.READABLE[connection.vendor]
    statement = _SELECT.format(**{name: form.format(name) for name in _COLUMNS})
    with connection.cursor() as cursor:
        cursor.execute(f"{statement} {spread.among(sorted(leaves))}", [log.pk])
        return list(cursor.fetchall())


def _read_time(stored: Any) -> datetime:
    """Return a receive time. Raises ValueError and TypeError."""
    if isinstance(stored, datetime):
        return stored
    return datetime.fromisoformat(stored.decode()).replace(tzinfo=UTC)


def _row(
    received: datetime | None, protocol: str, valid: Any, source: int, said: _Said, given: _Supplied
) -> Row:
    return Row(
        received,
        protocol,
        bool(valid),
        source,
        said.act,
        _either(said.sender, given.from_),
        _either(said.recipient, given.to),
        said.tags + given.tags if given.tags else said.tags,
    )


def _either(said: str | None, given: str | None) -> tuple[str, ...]:
    if said is None:
        return () if given is None else (given,)
    return (said,) if given is None else (said, given)


def _repair(log: Log, leaf: int) -> Iterator[Row]:
    """Yield a packet as lists show it: without what cannot be read."""
    key = (log.pk, leaf)
    packet = damage.load([key]).get(key)
    if packet is not None:
        said, given = whole(from_json(packet.meaning)), whole(from_json(packet.supplied))
        received = None if packet.received == damage.NEVER else packet.received
        yield _row(
            received,
            packet.protocol,
            packet.valid,
            packet.source_id,
            _Said(_text(said, "act"), _text(said, "sender"), _text(said, "recipient"), _tags(said)),
            _Supplied(_text(given, "from"), _text(given, "to"), _tags(given)),
        )


def _text(values: dict[str, Any], name: str) -> str | None:
    value = values.get(name)
    return None if value is None else str(value)


def _tags(values: dict[str, Any]) -> tuple[str, ...]:
    return tuple(map(str, values.get("tags", ())))
