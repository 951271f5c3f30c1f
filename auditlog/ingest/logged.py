"""A message of a log line as an item, with what the line says beside it.

    2026-11-20T10:00:01Z INFO bus planner -> executor REQ/TSK|g=42,t=1

gives ``sent_at``, ``from``, ``to``, and the attribute ``level``, all of them in ``from_line``. A
time that names no zone is taken to be in a given one, which ``sent_zone`` then states. Where clocks
are set back, the earlier of two times is meant (PEP 495, fold 0).
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from msgspec import structs

from auditlog.ingest import attributes
from auditlog.ingest.item import (
    ATTRIBUTE_NAMES,
    NAME_LIMIT,
    SENT_LIMIT,
    TEXT_LIMIT,
    Item,
    wrong_time,
)
from auditlog.text import whole
from cablese.transcript import Cut, Facts, Time


def to_item(
    cut: Cut,
    *,
    received: datetime,
    zone: ZoneInfo,
    dialect: str | None = None,
    log: str | None = None,
) -> Item:
    """The item of a message: what its line says never keeps it from being stored, though its wire
    can be too long.

    ``received`` gives the year of a time that is written without one.
    """
    facts = cut.facts
    if not facts:
        return Item(cut.wire, cut.protocol, dialect, log=log)
    stated = dict(_state(facts, received, zone))
    line: list[Any] = sorted(
        name
        for name in ("attributes", "from", "sent_at", "thread", "to")
        if _attribute(name) in stated
    )
    return Item(cut.wire, cut.protocol, dialect, log=log, from_line=line or None, **stated)


def move(item: Item, zone: ZoneInfo) -> Item:
    """``item`` with its time in another zone, where the line names none."""
    if item.sent_zone is None or item.sent_at is None:
        return item
    # A leap second is a time in RFC 3339, but not in Python.
    moment = datetime.fromisoformat(item.sent_at.upper().replace(":60", ":59"))
    sent_at = _format(moment.replace(tzinfo=zone))
    return item if sent_at is None else structs.replace(item, sent_at=sent_at, sent_zone=zone.key)


def correct(item: Item, **facts: Any) -> Item:
    """``item`` with facts that a person gives, or None to leave one out, in place of what the line
    says.
    """
    changed = {name: value for name, value in facts.items() if getattr(item, name) != value}
    if not changed:
        return item
    if "sent_at" in changed:
        changed["sent_zone"] = None
        if changed["sent_at"] is None:
            changed["sent_text"] = None
    line = [name for name in item.from_line or () if _attribute(name) not in changed]
    return structs.replace(item, from_line=line or None, **changed)


def _state(facts: Facts, received: datetime, zone: ZoneInfo) -> Iterator[tuple[str, Any]]:
    if facts.time is not None:
        yield from _state_time(facts.time, received, zone)
    for name, value in (("from_", facts.sender), ("to", facts.recipient), ("thread", facts.thread)):
        # A text of a thousand characters is not a name, and a part of it would be another.
        if value and len(value) <= NAME_LIMIT:
            yield name, whole(value)
    if facts.attributes:
        yield "attributes", attributes.fit(facts.attributes)


def _state_time(time: Time, received: datetime, zone: ZoneInfo) -> Iterator[tuple[str, str]]:
    try:
        sent_at: str | None = time.sent_at(received=received, zone=zone)
        if (
            sent_at is not None and len(sent_at) > SENT_LIMIT
        ):  # a fraction of more digits than are stored
            sent_at = _format(datetime.fromisoformat(sent_at))
    except (ValueError, OverflowError):  # a time beyond the years that Python counts
        return
    if sent_at is not None and wrong_time(sent_at) is None and time.text:
        yield "sent_at", sent_at
        yield "sent_text", whole(time.text)[:TEXT_LIMIT]
        if time.assumed:
            yield "sent_zone", zone.key


def _format(moment: datetime) -> str | None:
    """RFC 3339; None where the offset has seconds, as before there were time zones."""
    written = moment.isoformat()
    return written if wrong_time(written) is None else None


def _attribute(name: str) -> str:
    return ATTRIBUTE_NAMES.get(name, name)
