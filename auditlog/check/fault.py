"""What a self-check found, and where. No text of a packet is in it."""

from collections.abc import Iterable

import msgspec

MOST = 200
"""Faults that are named. The others are counted."""


class Fault(msgspec.Struct, frozen=True):
    """A difference, with its place: the row, such as `packet`, its leaf or other number, and what
    of it differs.
    """

    row: str
    at: str
    part: str
    message: str

    def __str__(self) -> str:
        return f"{self.row} {self.at}, {self.part}: {self.message}"


class Faults:
    """The faults of a self-check, of which the first are named and all are counted."""

    def __init__(self, number: int = 0, named: Iterable[Fault] = ()) -> None:
        self.number = number
        self.named = list(named)

    def add(self, row: str, at: object, part: str, message: str) -> None:
        self.number += 1
        if len(self.named) < MOST:
            self.named.append(Fault(row, str(at), part, message))

    @property
    def is_full(self) -> bool:
        """Return whether further faults are only counted."""
        return len(self.named) >= MOST

    def write(self) -> str:
        """Return the named faults as they are stored."""
        return msgspec.json.encode(self.named).decode()


def read(number: int, stored: str) -> Faults:
    """Return faults as `Faults.write` wrote them; of damaged ones, the number."""
    try:
        return Faults(number, msgspec.json.decode(stored, type=list[Fault]))
    except msgspec.DecodeError:
        return Faults(number)
