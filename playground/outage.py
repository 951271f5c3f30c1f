"""A request that met a fault of the database: what is wrong and what became of the request, in words for people."""

from django.db import Error
from msgspec import Struct

from auditlog import faults
from auditlog.unavailable import Unavailable

RETRY = 5
"""Seconds after which it is worth trying again."""
_NOTHING_DONE = ("locked", "full", "read-only")
"""Kinds of faults after which a write is known not to have happened."""


class Outage(Struct, frozen=True):
    reason: str
    outcome: str
    retry_after: int = RETRY

    def __str__(self) -> str:
        return f"{self.reason} {self.outcome}"


def find(error: BaseException | None, method: str | None) -> Outage | None:
    """The outage that an error means for a request with this method; None for an error of another kind."""
    if isinstance(error, Unavailable):
        return Outage(error.reason, error.outcome, error.retry_after)
    fault = faults.find(error) if isinstance(error, Error) else None
    if fault is None:
        return None
    if method in ("GET", "HEAD"):
        return Outage(fault.message, "Try again later.")
    if fault.kind in _NOTHING_DONE:
        return Outage(fault.message, "None of this was stored. Send it again later.")
    return Outage(fault.message, "It is not known whether this was stored. Look before you send it again.")
