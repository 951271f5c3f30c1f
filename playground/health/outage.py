"""The response to a request after a fault of the database: its reason and its outcome."""

from django.db import Error

from auditlog.database import faults
from auditlog.database.unavailable import NOTHING, UNKNOWN, Unavailable

RETRY = Unavailable.retry_after


def find(error: BaseException | None, method: str | None) -> Unavailable | None:
    """Return the outage that an error means for a request with this method; None for any other
    error.
    """
    if isinstance(error, Unavailable):
        return error
    fault = faults.find(error) if isinstance(error, Error) else None
    if fault is None:
        return None
    if method in ("GET", "HEAD"):
        return Unavailable(fault.message, "Try again later.")
    if fault.is_undone:
        return Unavailable(fault.message, NOTHING)
    return Unavailable(fault.message, f"{UNKNOWN} Check before you send it again.")
