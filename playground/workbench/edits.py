"""Replace one value of the shown message in the text around it."""

from bisect import bisect
from typing import NamedTuple

from cablese.codec import Unencodable
from cablese.editing.edit import edit
from cablese.transcript import Cut, split
from playground.http import wanted
from playground.workbench.document import Reading

ESCAPED = (
    "The message is escaped inside its wrapper and can’t be edited here. Edit the text instead."
)
FURTHER = 1_000
"""Messages and fragments after the edited message that are compared with those before the edit."""
ELSEWHERE = "This value would change how the text around it is decoded."


class Edited(NamedTuple):
    """The text with the new value, and the replacement, in UTF-16 units of the old text."""

    text: str
    start: int
    end: int
    put: str


def edit_field(reading: Reading, number: int, value: str) -> Edited:
    """Write ``value`` into field ``number``, from 1, of the shown message.

    Raises Unencodable, with a message for people.
    """
    if not reading.chosen:
        raise Unencodable("", "No message is shown.")
    cut = reading.cuts[reading.chosen - 1]
    if not cut.verbatim:
        raise Unencodable("", ESCAPED)
    done = edit(reading.messages[reading.chosen - 1], number - 1, value)
    start, end = cut.span.start + done.span.start, cut.span.start + done.span.end
    text = reading.text[:start] + done.text + reading.text[end:]
    if not _is_alone(reading, text, done.message.wire):
        raise Unencodable("", ELSEWHERE)
    return Edited(text, reading.places.unit(start), reading.places.unit(end), done.text)


def _is_alone(reading: Reading, text: str, wire: str) -> bool:
    """Return whether the shown message is the only one that differs in the new text.

    Text far after it is not read: a value that reaches out of its message changes the next ones.
    """
    place, chosen = reading.cuts[reading.chosen - 1].span.start, reading.chosen
    count = chosen + bisect(reading.ignored, place, key=lambda fragment: fragment.span.start)
    after = split(text, reading.protocol, most=count + FURTHER, check=wanted.check)
    actual, expected = [*map(_place, after.messages)], [*map(_place, reading.cuts)]
    expected[chosen - 1] = (*expected[chosen - 1][:2], wire)
    if after.remainder is not None:
        return len(actual) >= chosen and actual[: len(expected)] == expected[: len(actual)]
    return actual[: len(expected)] == expected and len(actual) == len(expected) + reading.left


def _place(cut: Cut) -> tuple[str, str | None, str]:
    return cut.protocol, cut.carrier.place if cut.carrier else None, cut.wire
