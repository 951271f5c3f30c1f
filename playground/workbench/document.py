"""A text as a page shows it: its messages in rows, and one of them in full.

Spans count code points. The browser counts UTF-16 units, so every offset for it passes through
`Places` once.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import cached_property
from itertools import islice

import msgspec

from auditlog.ingest import zones
from auditlog.ingest.item import Item
from auditlog.ingest.logged import to_item
from cablese import detection, registry, tokens
from cablese.message import Diagnostic, Message, Span
from cablese.transcript import Cut, Ignored, around_messages, split
from cablese.translation.around import Around
from playground.audit import metadata
from playground.display.cost import Cost, add_up
from playground.display.highlight import DIAGNOSTICS, FIELDS, Extents, mark_of
from playground.display.message import FullMessage
from playground.display.offsets import Places
from playground.http import wanted
from playground.http.decoding import Known, decode_cuts
from playground.workbench import resemblance, translate
from playground.workbench.parts.claims import Claim, rank_claims
from playground.workbench.parts.notes import Note
from playground.workbench.parts.painting import Painting
from playground.workbench.parts.rows import Row

MESSAGES = 5_000
MOST_PARTS = 100_000
ROWS = 50
VIEW = 6_000
"""UTF-16 units that are painted if a browser does not send the visible part."""
FRAGMENTS = 5
SUMMED = 20_000
"""Characters of messages whose tokens are added up at every keystroke."""


class Reading:
    """Everything that the workbench shows of one text."""

    def __init__(
        self,
        text: str,
        *,
        protocol: str | None,
        tokenizer: str,
        chosen: int = 1,
        offset: int = 0,
        rows: int = ROWS,
        caret: int | None = None,
        view: tuple[int, int] = (0, VIEW),
        part_limit: int = MOST_PARTS,
        known: Known | None = None,
    ) -> None:
        """``caret`` is a place in UTF-16 units: the message there is chosen, if there is one.
        ``view`` is the visible part of the text in the browser, in the same units. ``rows`` is
        the limit of rows. After about ``part_limit`` messages and fragments, the rest is not read.
        Messages that are ``known`` are not decoded again, and the others are added to them.
        """
        self.text = text
        self.protocol = protocol
        self.tokenizer = tokenizer
        self.offset = offset
        self._window = rows
        self.view = view
        transcript = split(text, protocol, most=part_limit, check=wanted.check)
        self.cuts: Sequence[Cut] = transcript.messages[:MESSAGES]
        self.left = len(transcript.messages) - len(self.cuts)
        """Messages of the text that this page does not show."""
        self.ignored: Sequence[Ignored] = transcript.ignored
        self._known: Known = {} if known is None else known
        self.places = Places(text)
        self.chosen = (None if caret is None else self._message_at(caret)) or min(
            max(chosen, 1), len(self.cuts)
        )

    @property
    def total(self) -> int:
        return len(self.cuts)

    @cached_property
    def messages(self) -> list[Message]:
        return list(decode_cuts(self.cuts, known=self._known))

    @cached_property
    def _message(self) -> Message | None:
        """Return the shown message. It waits for no other one to be decoded."""
        if not self.chosen:
            return None
        (message,) = decode_cuts([self.cuts[self.chosen - 1]], known=self._known)
        return message

    @cached_property
    def valid(self) -> int:
        return sum(message.valid for message in self.messages)

    @property
    def invalid(self) -> int:
        return self.total - self.valid

    @cached_property
    def tally(self) -> dict[str, int]:
        tally = {"error": 0, "warning": 0, "info": 0}
        for message in self.messages:
            for diagnostic in message.diagnostics:
                tally[diagnostic.severity] += 1
        return tally

    @cached_property
    def shown(self) -> FullMessage | None:
        if self._message is None:
            return None
        carrier = self.cuts[self.chosen - 1].carrier
        around = None if carrier is None else around_messages(self.text, self.cuts, carrier.span)
        return FullMessage(
            self._message,
            self.tokenizer,
            carrier=carrier,
            wrapper=around,
            editable=self.editable,
        )

    def _message_at(self, caret: int) -> int | None:
        at = self.places.point(caret)
        number = bisect_right(self.cuts, at, key=lambda cut: cut.span.start)
        return number if number and at <= self.cuts[number - 1].span.end else None

    @property
    def editable(self) -> bool:
        """Return whether values of the shown message can be replaced in the text."""
        return self.chosen > 0 and self.cuts[self.chosen - 1].verbatim

    @cached_property
    def spots(self) -> str:
        """Return the places of the names and the values of all fields in the shown message as JSON:
        ``[[mark, start, end], …]``.
        """
        cut, shown = self.cuts[self.chosen - 1], self.shown
        if shown is None or not cut.verbatim:
            return "[]"
        unit, base = self.places.unit, cut.span.start
        places = [
            (mark_of(field.name), unit(base + span.start), unit(base + span.end))
            for field in shown.fields[:FIELDS]
            for span in (field.name_span, field.span)
            if span is not None and field.name
        ]
        return msgspec.json.encode(places).decode()

    @cached_property
    def guesses(self) -> tuple[detection.Guess, ...]:
        """Return the possible protocols of the shown message, or else of the ignored text."""
        if self.chosen:
            return detection.rank(self.cuts[self.chosen - 1].wire)
        return tuple(
            detection.Guess(resemblance.protocol, 0.0, (resemblance.description,))
            for resemblance in self.resembling
        )

    @cached_property
    def resembling(self) -> list[resemblance.Resemblance]:
        return resemblance.rank(resemblance.count(self.ignored))

    @cached_property
    def fragments(self) -> list[tuple[Ignored, int, int, int]]:
        """Return the first ignored fragments that resemble a protocol: the line of each, and its
        place in UTF-16 units of the whole text.
        """
        resembling = (fragment for fragment in self.ignored if fragment.resembles is not None)
        unit, line = self.places.unit, self.places.line
        return [
            (
                fragment,
                line(fragment.span.start),
                unit(fragment.span.start),
                unit(fragment.span.end),
            )
            for fragment in islice(resembling, FRAGMENTS)
        ]

    @property
    def fragments_left(self) -> int:
        return sum(resemblance.fragments for resemblance in self.resembling) - len(self.fragments)

    @cached_property
    def rows(self) -> list[Row]:
        """Return the rows in view; the others are loaded while scrolling."""
        window = range(self.offset, min(self.offset + self._window, self.total))
        return [
            Row(
                at + 1,
                self.cuts[at],
                self.messages[at],
                self.tokenizer,
                chosen=at + 1 == self.chosen,
            )
            for at in window
        ]

    @property
    def next_offset(self) -> int | None:
        after = self.offset + self._window
        return after if after < self.total else None

    @property
    def spans(self) -> str:
        """Return the places of all messages, in UTF-16 units: for each the distance from the end of
        the previous one, and its length.
        """
        end, runs = 0, []
        for start, stop in self.places.units(cut.span for cut in self.cuts):
            runs.append(f"{start - end},{stop - start}")
            end = stop
        return " ".join(runs)

    @cached_property
    def counted(self) -> Cost | None:
        """Return the cost of all messages. Without a baseline of each, there is none of the sum."""
        if not self.total:
            return None
        messages = [FullMessage(message, self.tokenizer) for message in self.messages[:1000]]
        plains = [message.plain for message in messages if message.plain is not None]
        wire = add_up(
            tokens.count_batch([message.message.wire for message in messages], self.tokenizer)
        )
        english = add_up(
            tokens.count_batch([message.sentence for message in messages], self.tokenizer)
        )
        plain = (
            add_up(tokens.count_batch(plains, self.tokenizer))
            if len(plains) == len(messages)
            else None
        )
        return Cost(tokens.info(self.tokenizer), wire, plain, english)

    @cached_property
    def notes(self) -> list[Note]:
        return list(self._notes())[:DIAGNOSTICS]

    @cached_property
    def fixable(self) -> int:
        """Return how many diagnostics have a safe fix that can be applied to the text."""
        return sum(
            diagnostic.fix is not None and diagnostic.fix.safe
            for cut, message in zip(self.cuts, self.messages, strict=True)
            if cut.verbatim
            for diagnostic in message.diagnostics
        )

    @cached_property
    def claims(self) -> list[Claim]:
        """Return every protocol, those that claim the shown message first."""
        return rank_claims(self.guesses)

    @property
    def claims_key(self) -> str:
        """Return everything that the menu of protocols depends on."""
        return repr((self.guesses, self._read_as, self.protocol))

    @property
    def claim(self) -> Claim | None:
        """Return the protocol as which the shown message is decoded."""
        return next((claim for claim in self.claims if claim.name == self._read_as), None)

    @property
    def _read_as(self) -> str:
        return self._message.protocol if self._message else ""

    @cached_property
    def parties(self) -> tuple[str | None, str | None] | None:
        """Return the sender and recipient of the shown message, which it or its line states."""
        message = self._message
        if message is None or message.protocol == detection.UNKNOWN:
            return None
        meaning = registry.get(message.protocol).meaning(message)
        item = self._item
        sender = meaning.sender or (item.from_ if item else None)
        recipient = meaning.recipient or (item.to if item else None)
        return (sender, recipient) if sender or recipient else None

    @cached_property
    def _item(self) -> Item | None:
        """Return the shown message with what its line states, as the log would take it."""
        cut = self.cuts[self.chosen - 1] if self.chosen else None
        if cut is None or not cut.facts:
            return None
        return to_item(cut, received=datetime.now(UTC), zone=zones.UTC)

    @property
    def around(self) -> Around:
        """Return what the line of the shown message states, for its translation."""
        return translate.read_line(self._item, self.cuts[self.chosen - 1].facts.time)

    @cached_property
    def facts(self) -> tuple[list[metadata.Fact], int]:
        """Return the first metadata on the line of the shown message, and the number of others."""
        return metadata.brief(self._item) if self._item else ([], 0)

    @cached_property
    def stripped(self) -> list[Ignored]:
        """Return what was ignored next to the shown message: on its lines, and its fence."""
        if not self.chosen:
            return []
        span = self.cuts[self.chosen - 1].span
        first, last = self.text.rfind("\n", 0, span.start) + 1, self.text.find("\n", span.end)
        last = last if last >= 0 else len(self.text)
        at = bisect_left(self.ignored, span.start, key=lambda fragment: fragment.span.start)
        neighbors = self.ignored[max(at - 3, 0) : at + 3]
        return [
            fragment
            for fragment in neighbors
            if (first <= fragment.span.start and fragment.span.end <= last)
            or self._is_fence(fragment, span)
        ]

    def _is_fence(self, fragment: Ignored, span: Span) -> bool:
        low, high = (
            (fragment.span.end, span.start)
            if fragment.span.end <= span.start
            else (span.end, fragment.span.start)
        )
        return fragment.reason == "code fence" and not self.text[low:high].strip()

    def place(self, cut: Cut, span: Span) -> Span:
        """Return the place of a part of a message in the text: all of it if it is escaped."""
        return (
            Span(cut.span.start + span.start, cut.span.start + span.end)
            if cut.verbatim
            else cut.span
        )

    def note(self, message: int, number: int) -> Note | None:
        """Return the diagnostic ``number`` of ``message``, both counted from 1."""
        return next(
            (note for note in self.notes if (note.message, note.number) == (message, number)), None
        )

    def _notes(self) -> Iterator[Note]:
        for number, (cut, message) in enumerate(zip(self.cuts, self.messages, strict=True), 1):
            if not message.diagnostics:
                continue
            extents = Extents(message.fields)
            for which, diagnostic in enumerate(message.diagnostics, 1):
                yield self._note(cut, diagnostic, number, which, extents)

    def _note(
        self, cut: Cut, diagnostic: Diagnostic, message: int, number: int, extents: Extents
    ) -> Note:
        start, end = self.place(cut, diagnostic.span)
        if not cut.verbatim:
            diagnostic = msgspec.structs.replace(
                diagnostic, fix=None
            )  # The text has other characters than the wire.
        fix = diagnostic.fix.span if diagnostic.fix else Span(0, 0)
        base, unit = cut.span.start, self.places.unit
        begin = unit(base)
        first = f"{self.places.line(start)}:{self.places.column(start)}"
        last = f"{self.places.line(end - 1)}:{self.places.column(end - 1)}"
        return Note(
            diagnostic=diagnostic,
            message=message,
            number=number,
            place=first if end <= start + 1 else f"{first}–{last}",
            fields=" ".join(
                dict.fromkeys(mark_of(field.name) for field in extents.touching(diagnostic.span))
            ),
            start=unit(start) - begin,
            end=unit(end) - begin,
            fix_start=unit(base + fix.start) - begin,
            fix_end=unit(base + fix.end) - begin,
            before=cut.wire[slice(*fix)],
        )

    @cached_property
    def painting(self) -> Painting:
        """Return what the editor shows of the messages in the visible part."""
        return Painting(self.cuts, self.messages, self.places, self.view, self.tokenizer)

    @cached_property
    def summed(self) -> tokens.Count | None:
        """Return the tokens of all messages; None if adding them up would take long."""
        if sum(len(message.wire) for message in self.messages) > SUMMED:
            return None
        wires = [message.wire for message in self.messages]
        return add_up(tokens.count_batch(wires, self.tokenizer))


def apply_fix(text: str, reading: Reading, note: Note) -> str:
    """Return the text with one fix applied, for a browser without JavaScript."""
    assert note.diagnostic.fix is not None
    base = reading.cuts[note.message - 1].span.start
    start, end = note.diagnostic.fix.span
    return text[: base + start] + note.diagnostic.fix.text + text[base + end :]
