"""What a detector reads of a packet, and what it finds: kinds and places, never the text.

A finding must not hold what it found: erasing a packet would leave it there.
"""

from functools import cached_property
from typing import Literal, NamedTuple, get_args

from msgspec import Struct

from cablese import detection
from cablese.message import Message, Span

Detector = Literal["flow", "injection", "repeated", "sensitive"]
DETECTORS: tuple[Detector, ...] = get_args(Detector)
Part = Literal["", "wire", "content"]
"""The text that a finding has a place in; none for a finding about the whole packet."""
FAILED = "failed"
"""The code of a detector that raised an exception."""
MOST = 20
"""The limit of findings of one detector in one packet."""


class Found(NamedTuple):
    """One finding of a packet: its code, and the span in a text of the packet, in code points.

    ``other`` is the leaf of another packet that it concerns.
    """

    code: str
    part: Part = ""
    start: int | None = None
    end: int | None = None
    other: int | None = None


class StoredFinding(Struct, frozen=True):
    """What a detector found in a packet when it was stored: a code, and the place in its ``wire``
    or its task ``content``, if it has one. ``other`` is the leaf of another packet that it
    concerns.
    """

    detector: str
    version: int
    code: str
    part: str | None
    span: Span | None
    other: int | None


class Subject:
    """A packet as detectors read it. Its message is decoded when one asks for it."""

    def __init__(self, wire: str, protocol: str, dialect: str, content: str | None = None) -> None:
        self.wire = wire
        self.content = content
        self._protocol = protocol
        self._dialect = dialect

    @property
    def has_fields(self) -> bool:
        """False for text of no protocol, in which no value is known."""
        return self._protocol != detection.UNKNOWN

    @property
    def texts(self) -> list[tuple[Part, str]]:
        """Return the texts that are searched as a whole, with the part of the packet they are."""
        found: list[tuple[Part, str]] = [] if self.has_fields else [("wire", self.wire)]
        return [*found, ("content", self.content)] if self.content else found

    @cached_property
    def message(self) -> Message:
        return detection.decode(self.wire, self._protocol, dialect=self._dialect)
