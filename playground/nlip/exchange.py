"""Show pending replies and findings between the NLIP messages of a text."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from cablese.message import Message
from cablese.protocols.nlip.exchange.breaches import Breach
from cablese.protocols.nlip.exchange.checker import Report, examine
from cablese.protocols.nlip.requirements import REQUIREMENTS
from playground.display.highlight import DIAGNOSTICS
from playground.display.offsets import Places
from playground.workbench.document import Reading


@dataclass(frozen=True, slots=True)
class Debt:
    """A finding, its message number, and its position there in UTF-16 units."""

    found: Breach
    message: int
    others: tuple[int, ...]
    place: str
    start: int
    end: int


class Findings(ABC):
    """The findings of a report, up to the display limit."""

    @property
    @abstractmethod
    def _report(self) -> Report: ...

    @property
    def debts(self) -> list[Debt]:
        return [self._debt(found) for found in self._report.findings[:DIAGNOSTICS]]

    @property
    def left(self) -> int:
        """Return the number of findings that are not shown."""
        return max(0, len(self._report.findings) - DIAGNOSTICS)

    @property
    def tally(self) -> dict[str, int]:
        """Return the number of findings of each severity."""
        severities = [found.severity for found in self._report.findings]
        return {severity: severities.count(severity) for severity in ("error", "warning", "info")}

    @property
    def held(self) -> list[tuple[str, str]]:
        """Return the requirements that applied and are met, with their text."""
        return [(name, REQUIREMENTS[name]) for name in self._report.held]

    @abstractmethod
    def _debt(self, found: Breach) -> Debt: ...


class Exchange(Findings):
    """The report on the NLIP messages of a text, read as alternating requests and answers."""

    def __init__(self, reading: Reading, numbers: Sequence[int]) -> None:
        self._reading = reading
        self._numbers = numbers
        self.total = len(numbers)

    @cached_property
    def _report(self) -> Report:
        return examine([self._reading.messages[number - 1] for number in self._numbers])

    @property
    def told(self) -> frozenset[tuple[str, tuple[int, ...]]]:
        """Return the codes of the shown findings, each with the message indexes in the reading."""
        return frozenset(
            (found.code, tuple(self._numbers[at] - 1 for at in found.messages))
            for found in self._report.findings[:DIAGNOSTICS]
        )

    def _debt(self, found: Breach) -> Debt:
        number = self._numbers[found.at]
        places = self._reading.places
        cut = self._reading.cuts[number - 1]
        start, end = self._reading.place(cut, found.span)
        begin = places.unit(cut.span.start)
        return Debt(
            found=found,
            message=number,
            others=tuple(self._numbers[at] for at in found.messages if at != found.at),
            place=f"{places.line(start)}:{places.column(start)}",
            start=places.unit(start) - begin,
            end=places.unit(end) - begin,
        )


class Verdict(Findings):
    """The report on messages that were given one by one, for the panel."""

    def __init__(self, report: Report, messages: Sequence[Message]) -> None:
        self._given = report
        self._places = [Places(message.wire) for message in messages]
        self.total = len(messages)

    @property
    def _report(self) -> Report:
        return self._given

    def _debt(self, found: Breach) -> Debt:
        places = self._places[found.at]
        start, end = found.span
        others = tuple(at + 1 for at in found.messages if at != found.at)
        place = f"{places.line(start)}:{places.column(start)}"
        return Debt(found, found.at + 1, others, place, places.unit(start), places.unit(end))


def of(reading: Reading) -> Exchange | None:
    """Return the exchange in a text, or None if it has fewer than two NLIP messages."""
    numbers = [
        number for number, message in enumerate(reading.messages, 1) if message.protocol == "nlip"
    ]
    return Exchange(reading, numbers) if len(numbers) > 1 else None
