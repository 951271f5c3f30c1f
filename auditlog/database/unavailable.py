"""Rows that may not be on disk: what the sender is told."""

from auditlog.database.faults import Fault

NOTHING = "None of this was stored. Try again later."
UNKNOWN = "This may or may not have been stored."
AGAIN = "Send it again with the same event ID or Idempotency-Key, so that nothing is stored twice."


class Unavailable(Exception):
    """Rows that were handed over may not be stored. Senders see the text."""

    retry_after = 5
    """Seconds after which it is worth trying again."""

    def __init__(self, reason: str, outcome: str) -> None:
        super().__init__(f"{reason} {outcome}")
        self.reason = reason
        """The sentence that says why."""
        self.outcome = outcome
        """What became of the rows, and what to do."""


class Overloaded(Unavailable):
    """The queue is full. Nothing of what was handed over is written."""

    retry_after = 1

    def __init__(self) -> None:
        super().__init__("Too many packets are waiting to be stored.", NOTHING)


class Stuck(Unavailable):
    """The database takes no writes now. Nothing of what was handed over is written."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message, NOTHING)
        self.fault = fault


class Unknown(Unavailable):
    """The commit failed or hangs, and may have happened."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message, f"{UNKNOWN} {AGAIN}")
        self.fault = fault
