"""Metadata of a packet, as pages show it: each field, and whether it comes from the log line.

Sent     2026-11-20T10:00:01+00:00    from the log line; zone assumed: UTC
From     planner                      from the log line
trace_id 4bf92f35                     from the log line
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from auditlog.ingest.item import Item
from auditlog.log import draft
from auditlog.search.language.written import write_phrase, write_term
from auditlog.search.terms import ATTRIBUTE, fold_attribute, members

FROM_LINE = "from the log line"
SUPPLIED = "supplied"
SHOWN = 12
"""The limit of fields in a list."""
LABELS = {"from": "From", "to": "To", "thread": "Thread", "goal": "Goal", "task": "Task"}


@dataclass(frozen=True, slots=True)
class Fact:
    """A field, its origin, and a query that finds it. ``note`` names an assumption."""

    name: str
    value: str
    origin: str = SUPPLIED
    note: str = ""
    query: str = ""
    time: bool = False
    written: str = ""
    """The time as written on the line, if different."""

    @property
    def stated(self) -> bool:
        return self.origin == FROM_LINE


def brief(item: Item) -> tuple[list[Fact], int]:
    """Return the first fields of an item, and the number of the rest."""
    facts = of_supplied(draft.collect_supplied(item), item.sent_at)
    return facts[:SHOWN], max(0, len(facts) - SHOWN)


def of_supplied(supplied: Mapping[str, Any], sent_at: str | None) -> list[Fact]:
    """Return the metadata of a record except its tags and content."""
    line = supplied.get("from_line", ())
    facts = [_time(supplied, sent_at, line)] if sent_at else []
    facts += [
        Fact(
            label,
            str(supplied[name]),
            _origin(name, line),
            query=write_term(name, str(supplied[name])),
        )
        for name, label in LABELS.items()
        if name in supplied
    ]
    return facts + attributes(supplied.get("attributes", {}), _origin("attributes", line))


def attributes(given: Mapping[str, Any], origin: str) -> list[Fact]:
    """Return each attribute value with its dotted name."""
    return [
        Fact(name, value, origin, query=f"{ATTRIBUTE}.{fold_attribute(name)}:{write_phrase(value)}")
        for name, value in members(given)
    ]


def _time(supplied: Mapping[str, Any], sent_at: str, line: Sequence[str]) -> Fact:
    zone, text = supplied.get("sent_zone"), supplied.get("sent_text", "")
    origin = FROM_LINE if "sent_at" in line else "sender’s time"
    note = f"zone assumed: {zone}" if zone else ""
    return Fact("Sent", sent_at, origin, note, time=True, written="" if text == sent_at else text)


def _origin(name: str, line: Sequence[str]) -> str:
    return FROM_LINE if name in line else SUPPLIED
