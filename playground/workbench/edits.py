"""Replace one value of the shown message in the text around it."""

from typing import NamedTuple

from cablese.codec import Unencodable
from cablese.edit import edit
from cablese.transcript import Cut, split
from playground.workbench.document import PIECES, Reading

ESCAPED = (
    "The message is escaped inside its wrapper and can’t be edited here. Edit the text instead."
)
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
    after = split(text, reading.protocol, most=PIECES).messages
    wanted = [*map(_place, reading.cuts)]
    wanted[reading.chosen - 1] = (*_place(cut)[:2], done.message.wire)
    if [*map(_place, after[: len(wanted)])] != wanted or len(after) != len(wanted) + reading.left:
        raise Unencodable("", ELSEWHERE)
    return Edited(text, reading.places.unit(start), reading.places.unit(end), done.text)


def _place(cut: Cut) -> tuple[str, str | None, str]:
    return cut.protocol, cut.carrier.place if cut.carrier else None, cut.wire
