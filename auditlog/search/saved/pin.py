"""Pin a search to a size of its log: it always finds what it found when the log had that size.

    at=812   packets, review steps, and undone steps among leaves 0 to 811 count, and nothing else;
             since:7d is seven days before leaf 811 was received

Findings can still change: newer detectors make them again, also for earlier packets.
"""

import json
from dataclasses import dataclass
from datetime import UTC, datetime

from auditlog.models import Leaf, Log, LogEnd
from cablese.text import shorten


class BadPin(ValueError):
    """The log never had this size, or the search has several logs."""


@dataclass(frozen=True)
class Pin:
    """A size that a log had, and when the last of so many leaves was received."""

    size: int
    received: datetime


def find_size(log: Log) -> int:
    """Return the number of leaves of a log, as it is now."""
    return LogEnd.objects.values_list("size", flat=True).get(log=log)


def read(log: Log, text: str | int) -> Pin:
    """Return the pin of a size of a log. Raises BadPin."""
    size = find_size(log)
    wanted = str(text)
    if size == 0:
        raise BadPin(f"Log {log.slug} is empty. Remove at={shorten(wanted)}.")
    digits = wanted.isascii() and wanted.isdigit() and len(wanted) <= len(str(2**63))
    if not digits or not 1 <= int(wanted) <= size:
        raise BadPin(
            f"Invalid at={shorten(wanted)}. Expected a whole number from 1 to {size}, the number "
            f"of leaves of log {log.slug}."
        )
    return Pin(int(wanted), _received(log, int(wanted) - 1))


def _received(log: Log, index: int) -> datetime:
    data = Leaf.objects.filter(log=log, index=index).values_list("bytes", flat=True).first()
    try:
        return datetime.fromisoformat(json.loads(bytes(data or b""))["recv"]).astimezone(UTC)
    except (ValueError, TypeError, KeyError):
        raise BadPin(
            f"Leaf {index} of log {log.slug} is damaged, so its receive time is unknown. "
            "Use another size."
        ) from None
