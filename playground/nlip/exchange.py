"""Show pending replies and findings between NLIP messages."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from cablese.message import SEVERITIES, Message, Span
from cablese.protocols.nlip.exchange.checker import Report, examine
from cablese.protocols.nlip.requirements import REQUIREMENTS
from playground.display.highlight import DIAGNOSTICS
from playground.display.offsets import Places
from playground.workbench.document import Reading


class Exchange:
    """The report on messages, read as alternating requests and answers."""

    def __init__(self, messages: Sequence[Message], report: Report | None = None) -> None:
        self.messages = messages
        self.numbers: Sequence[int] = range(1, len(messages) + 1)
        self.total = len(messages)
        self._given = report

    @cached_property
    def report(self) -> Report:
        return self._given or examine(self.messages)

    @property
    def debts(self) -> Iterator[dict[str, Any]]:
        """Yield the first findings, each with its place in its message in UTF-16 units."""
        for found in self.report.findings[:DIAGNOSTICS]:
            places, span, base = self._locate(found.at, found.span)
            yield {
                "found": found,
                "message": self.numbers[found.at],
                "others": [self.numbers[at] for at in found.messages if at != found.at],
                "place": f"{places.line(span.start)}:{places.column(span.start)}",
                "start": places.unit(span.start) - base,
                "end": places.unit(span.end) - base,
            }

    def _locate(self, at: int, span: Span) -> tuple[Places, Span, int]:
        """Return the span in the text of a message, and the message's start in UTF-16 units."""
        return self._places[at], span, 0

    @cached_property
    def _places(self) -> list[Places]:
        return [Places(message.wire) for message in self.messages]

    @property
    def left(self) -> int:
        """Return the number of findings that are not shown."""
        return max(0, len(self.report.findings) - DIAGNOSTICS)

    @property
    def tally(self) -> dict[str, int]:
        """Return the number of findings of each severity."""
        severities = [found.severity for found in self.report.findings]
        return {severity: severities.count(severity) for severity in SEVERITIES}

    @property
    def held(self) -> list[tuple[str, str]]:
        """Return the requirements that applied and are met, with their text."""
        return [(name, REQUIREMENTS[name]) for name in self.report.held]


class ReadExchange(Exchange):
    """The exchange between the NLIP messages of a text."""

    def __init__(self, reading: Reading, numbers: Sequence[int]) -> None:
        super().__init__([reading.messages[number - 1] for number in numbers])
        self.reading = reading
        self.numbers = numbers

    @property
    def told(self) -> frozenset[tuple[str, tuple[int, ...]]]:
        """Return the codes of the shown findings, each with the message indexes in the reading."""
        return frozenset(
            (found.code, tuple(self.numbers[at] - 1 for at in found.messages))
            for found in self.report.findings[:DIAGNOSTICS]
        )

    def _locate(self, at: int, span: Span) -> tuple[Places, Span, int]:
        cut, places = self.reading.cuts[self.numbers[at] - 1], self.reading.places
        return places, self.reading.place(cut, span), places.unit(cut.span.start)


def find(reading: Reading) -> ReadExchange | None:
    """Return the exchange in a text, or None if it has fewer than two NLIP messages."""
    numbers = [
        number for number, message in enumerate(reading.messages, 1) if message.protocol == "nlip"
    ]
    return ReadExchange(reading, numbers) if len(numbers) > 1 else None
