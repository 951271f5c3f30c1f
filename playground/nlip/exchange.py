"""Show pending replies and findings between NLIP messages."""

from collections.abc import Sequence
from typing import Any

from cablese.conversation.gather import recorded
from cablese.message import SEVERITIES, Message, Span
from cablese.protocols.nlip.exchange.breaches import Breach
from cablese.protocols.nlip.exchange.checker import Report, examine
from cablese.protocols.nlip.exchange.sides import alternate
from cablese.protocols.nlip.requirements import REQUIREMENTS
from playground.display.highlight import DIAGNOSTICS
from playground.display.offsets import Places
from playground.workbench.document import Reading


def draw(messages: Sequence[Message], report: Report) -> dict[str, Any]:
    """Return the context of a report on messages, read as alternating requests and answers."""
    places = [Places(message.wire) for message in messages]
    numbers = range(1, len(messages) + 1)
    debts = [
        _debt(finding, numbers, places[finding.at], finding.span, 0)
        for finding in report.findings[:DIAGNOSTICS]
    ]
    return _context(report, debts, len(numbers))


def find(reading: Reading) -> dict[str, Any] | None:
    """Return the context of the exchange in a text, or None if it has fewer than two NLIP messages,
    or if their lines state that they are not requests and answers in turn.

    ``shown`` are the codes of the shown findings, each with the message indexes in the reading.
    """
    numbers = [
        number for number, message in enumerate(reading.messages, 1) if message.protocol == "nlip"
    ]
    stated = recorded(reading.cuts[number - 1] for number in numbers)
    if len(numbers) < 2 or not alternate(stated):
        return None
    report, debts = examine([reading.messages[number - 1] for number in numbers]), []
    for finding in report.findings[:DIAGNOSTICS]:
        cut, places = reading.cuts[numbers[finding.at] - 1], reading.places
        span, base = reading.place(cut, finding.span), places.unit(cut.span.start)
        debts.append(_debt(finding, numbers, places, span, base))
    shown = frozenset(
        (finding.code, tuple(numbers[at] - 1 for at in finding.messages))
        for finding in report.findings[:DIAGNOSTICS]
    )
    return _context(report, debts, len(numbers)) | {"shown": shown}


def _debt(
    finding: Breach, numbers: Sequence[int], places: Places, span: Span, base: int
) -> dict[str, Any]:
    """Return a finding with its place in its message, which begins at ``base``, in UTF-16 units."""
    return {
        "finding": finding,
        "message": numbers[finding.at],
        "others": [numbers[at] for at in finding.messages if at != finding.at],
        "place": f"{places.line(span.start)}:{places.column(span.start)}",
        "start": places.unit(span.start) - base,
        "end": places.unit(span.end) - base,
    }


def _context(report: Report, debts: list[dict[str, Any]], total: int) -> dict[str, Any]:
    """Return the findings that are shown, how many are not, and the requirements that are met."""
    severities = [finding.severity for finding in report.findings]
    return {
        "report": report,
        "debts": debts,
        "left": len(report.findings) - len(debts),
        "tally": {severity: severities.count(severity) for severity in SEVERITIES},
        "met": [(name, REQUIREMENTS[name]) for name in report.held],
        "total": total,
    }
