"""What a request that met a fault of the database is told: the reason, and its outcome."""

from django.db import Error
from msgspec import Struct

from auditlog.database import faults
from auditlog.database.unavailable import NOTHING, UNKNOWN, Unavailable

RETRY = Unavailable.retry_after


class Outage(Struct, frozen=True):
    reason: str
    outcome: str
    retry_after: int = RETRY

    def __str__(self) -> str:
        return f"{self.reason} {self.outcome}"


def find(error: BaseException | None, method: str | None) -> Outage | None:
    """Return the outage that an error means for a request with this method; None for any other
    error.
    """
    if isinstance(error, Unavailable):
        return Outage(error.reason, error.outcome, error.retry_after)
    fault = faults.find(error) if isinstance(error, Error) else None
    if fault is None:
        return None
    if method in ("GET", "HEAD"):
        return Outage(fault.message, "Try again later.")
    if fault.is_undone:
        return Outage(fault.message, NOTHING)
    return Outage(fault.message, f"{UNKNOWN} Check before you send it again.")
