"""Metadata that the text around a message states: its time, sender, recipient, and more.

    2026-11-20T10:00:01Z INFO bus planner -> executor REQ/TSK|g=42,t=1
    {"ts": 1763632801, "from": "planner", "trace_id": "4bf92f35", "msg": "REQ/TSK|g=42,t=1"}

A log line or a record is not part of its message, so this is stored separately from the packet.
"""

import re
from datetime import datetime, tzinfo
from typing import Any

from msgspec import Struct

from cablese import detection

RFC_3339 = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2})"
)


class Time(Struct, frozen=True, gc=False):
    """A time as a log writes it. ``moment`` is naive when no zone is written.

    Syslog writes no year: ``has_year`` is then false, and the year in ``moment`` is a placeholder.
    """

    text: str
    moment: datetime
    has_year: bool = True

    @property
    def assumed(self) -> bool:
        """True when no zone is written, so that a sent time rests on an assumption."""
        return self.moment.tzinfo is None

    def sent_at(self, *, received: datetime, zone: tzinfo) -> str:
        """Return the time in RFC 3339 with an offset.

        ``received`` supplies a missing year, and ``zone`` a missing zone.
        """
        if RFC_3339.fullmatch(self.text):
            return self.text
        moment = self.moment if self.has_year else self._with_year(received, zone)
        return (moment.replace(tzinfo=zone) if moment.tzinfo is None else moment).isoformat()

    def _with_year(self, received: datetime, zone: tzinfo) -> datetime:
        """Return the time in the latest year in which it is at most a day after ``received``."""
        local = received.astimezone(self.moment.tzinfo or zone)
        for year in range(local.year + 1, local.year - 8, -1):
            try:
                moment = self.moment.replace(year=year)
            except ValueError:  # February 29
                continue
            known = moment if moment.tzinfo else moment.replace(tzinfo=zone)
            if (known - local).total_seconds() <= 86_400:
                return moment
        return self.moment.replace(year=local.year)


class Facts(Struct, frozen=True, gc=False):
    """What a log line or a record states about one message; None where it states nothing."""

    time: Time | None = None
    sender: str | None = None
    recipient: str | None = None
    thread: str | None = None
    attributes: dict[str, Any] = {}

    def __bool__(self) -> bool:
        return self != NOTHING

    @property
    def doubts(self) -> tuple[str, ...]:
        """Return what of `message.DOUBTS` the text around a message raises."""
        return detection.find_doubts(self.attributes)

    @property
    def is_cut_off(self) -> bool:
        """Return whether the message may have been longer."""
        return "cut_off" in self.doubts

    def or_else(self, other: "Facts") -> "Facts":
        """Return these facts, and those of ``other`` where these state nothing.

        A time without a zone gives way to one that states its moment.
        """
        if not other:
            return self
        return Facts(
            time=_surer(self.time, other.time),
            sender=self.sender or other.sender,
            recipient=self.recipient or other.recipient,
            thread=self.thread or other.thread,
            attributes={**other.attributes, **self.attributes},
        )


def _surer(time: Time | None, other: Time | None) -> Time | None:
    if time is None or (time.assumed and other is not None and not other.assumed):
        return other
    return time


NOTHING = Facts()
CUT_OFF = Facts(attributes={"cut_off": True})
"""Stated where a string does not end, a value ends with an ellipsis, or its text visibly goes on:
the message may have been longer.
"""
NEXT_COLUMNS = Facts(attributes={"next_columns": True})
"""Stated in a row of cells whose last one may be a part of the message or not."""
