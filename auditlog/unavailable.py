"""What a writer is told when its rows are not known to be on disk. The words are for the sender."""

from auditlog.faults import Fault

_NONE = "None of this was stored. Send it again later."
AGAIN = "Send it again with the same event ID or Idempotency-Key, so that nothing is stored twice."


class Unavailable(Exception):
    """Rows that were handed over are not known to be stored. The text is one that a sender may see."""

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
        super().__init__("Too much is being stored at the moment.", _NONE)


class Stuck(Unavailable):
    """The database takes no writes now. Nothing of what was handed over is written."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message, _NONE)
        self.fault = fault


class Unknown(Unavailable):
    """The commit failed or hangs in a way that does not tell whether it has happened."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message, f"It is not known whether this was stored. {AGAIN}")
        self.fault = fault
