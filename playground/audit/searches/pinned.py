"""The pin of an address: `&at=812`."""

from typing import Any

from django.http import QueryDict

from auditlog.erasure import find as erasures
from auditlog.models import Log
from auditlog.search.saved import pin
from auditlog.search.saved.pin import BadPin, Pin


def read(sent: QueryDict, log: Log) -> Pin | None:
    """Return the pin of an address, if it has one. Raises BadPin."""
    text = sent.get("at", "").strip()
    if not text:
        return None
    logs = list(dict.fromkeys(sent.getlist("log")))
    if len(logs) > 1:
        raise BadPin(f"at applies to one log. This search has {len(logs)}.")
    return pin.read(log, text)


def show(log: Log, held: Pin | None) -> dict[str, Any]:
    """Return what a page says of its pin, or what it needs to offer one: the size of the log."""
    size = pin.find_size(log)
    if held is None:
        return {"log_size": size}
    return {
        "log_size": size,
        "pin": held,
        "at": held.size,
        "newer_leaves": size - held.size,
        "erased_since": erasures.count(log, 0, held.size, since=held.size),
    }
