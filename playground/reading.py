"""A text as a page shows it: its messages in rows, and one of them in full.

Spans are code points down to here. The browser counts UTF-16 units, so every offset for it passes through `Places`
once. Wire, table, sentence and tokens agree on a field's hue.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import msgspec

from auditlog import baseline, sensitive, tokens
from protocols import detect, registry
from protocols.carrier import Carrier
from protocols.codec import INVISIBLE
from protocols.edit import is_editable
from protocols.message import Diagnostic, Field, Message, Piece, Span, tiles
from protocols.prompt import for_prompt
from protocols.transcript import Cut, Ignored, around_messages, split

HUES = 8
MESSAGES = 5_000
PIECES = 100_000
ROWS = 50
VIEW = 6_000
"""UTF-16 units that are painted where a browser does not say what it shows."""
PAINTED = 300
DEPTH = 20
"""What lies deeper is not indented any more."""
ROW_LENGTH = 600
WIRE_LENGTH = 20_000
FIELDS = 300
CHIPS = 1500
DIAGNOSTICS = 200
BASELINE = "minified JSON"
REASONS = {
    "no protocol claims it": "other text",
    "behind a message": "text behind it",
    "between messages": "text between",
}
VALUE_LENGTH = 400
EDIT_LENGTH = 2_000
"""Longer values are edited in the text."""
_HIDDEN = re.compile(f"{INVISIBLE.pattern}|[\r\ud800-\udfff]+")


Mark = tuple[int, int, int] | tuple[int, int, str, str]
"""``start, end, hue`` of a field, or ``start, end, severity, message:number`` of a diagnostic, in UTF-16 units."""


class Places:
    """Where code points of a text stand: line and column for people, UTF-16 units for the browser."""

    def __init__(self, text: str) -> None:
        self._breaks = [0, *(at + 1 for at, character in enumerate(text) if character == "\n")]
        self._astral = [] if text.isascii() else [at for at, character in enumerate(text) if ord(character) > 0xFFFF]

    def unit(self, at: int) -> int:
        return at + bisect_right(self._astral, at - 1)

    def point(self, unit: int) -> int:
        """The code point that `unit` stands in or before: `unit` the other way round."""
        return unit - bisect_left(range(len(self._astral)), unit, key=lambda one: self._astral[one] + one)

    def line(self, at: int) -> int:
        return bisect_right(self._breaks, at)

    def column(self, at: int) -> int:
        return at - self._breaks[self.line(at) - 1] + 1


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of wire in one colour. ``glyph`` stands for a character that cannot be seen.

    ``notes`` are the numbers, from 1, of the diagnostics that mark it.
    """

    text: str
    kind: str
    field: str = ""
    hue: int | None = None
    severity: str = ""
    glyph: bool = False
    notes: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """A diagnostic with its place in the whole text. ``start`` and ``end`` are UTF-16 units."""

    found: Diagnostic
    message: int
    number: int
    place: str
    fields: str
    start: int
    end: int
    fix_start: int
    fix_end: int
    before: str

    @property
    def fix_words(self) -> str:
        assert self.found.fix is not None
        before, after = _brief(self.before), _brief(self.found.fix.text)
        if not self.before:
            return f"Insert {after}"
        return f"Apply {before} → {after}" if self.found.fix.text else f"Remove {before}"


@dataclass(frozen=True, slots=True)
class FieldRow:
    """``mark`` is the name as `data-f` has it everywhere the field is drawn, ``place`` its columns in the wire."""

    mark: str
    name: str
    label: str
    value: str
    hue: int | None
    readable: bool
    place: str
    raw: str | None
    """The value itself where the field may be written anew, however it looks."""

    @property
    def plain(self) -> bool:
        """True when the value looks just as it is."""
        return self.raw is not None and self.value == self.raw and len(self.raw) <= VALUE_LENGTH


@dataclass(frozen=True, slots=True)
class Branch:
    """A part of a message and what it holds; ``row`` is None for what has only a name, such as a step of a plan."""

    name: str
    row: FieldRow | None
    index: int
    below: list["Branch"]


@dataclass(frozen=True, slots=True)
class Claim:
    """A protocol that may be chosen by hand: how sure its own detection is, in percent, and why."""

    name: str
    title: str
    percent: int | None
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Stripped:
    """What was taken off beside a message."""

    reason: str
    text: str

    @property
    def words(self) -> str:
        characters = "character" if len(self.text) == 1 else "characters"
        return f"Ignored {len(self.text):,} {characters} of {REASONS.get(self.reason, self.reason)}"


@dataclass(frozen=True, slots=True)
class Chip:
    """One token, or several that only together make whole characters. ``first`` counts tokens from 1."""

    text: str
    ids: str
    field: str
    hue: int | None
    many: int
    first: int


@dataclass(frozen=True, slots=True)
class Cost:
    """Tokens of a message and of what it is compared with, in one tokenizer."""

    tokenizer: tokens.Info
    wire: tokens.Count
    plain: tokens.Count | None
    english: tokens.Count
    wrapper: tokens.Count | None = None
    """What is around the message where it was carried in something else, all messages in there taken out."""

    @property
    def against_plain(self) -> str:
        return "" if self.plain is None else compare(self.wire, self.plain, BASELINE, self.tokenizer.name)

    @property
    def against_english(self) -> str:
        return compare(self.wire, self.english, "its description in English", self.tokenizer.name)


@dataclass(frozen=True, slots=True)
class Advice:
    """What a field costs that the protocol advises to leave out: the difference between counts with and without it."""

    name: str
    tokens: int
    of: int


class Shown:
    """One message in full. Each part is made when a template asks for it."""

    def __init__(
        self, message: Message, tokenizer: str, *, carrier: Carrier | None = None, wrapper: str | None = None
    ) -> None:
        self.message = message
        self.tokenizer = tokenizer
        self.carrier = carrier
        self.wrapper = wrapper
        self.fields = message.fields
        self.hues = _hues(message, self.fields)
        self.known = message.protocol != detect.UNKNOWN

    @cached_property
    def title(self) -> str:
        return registry.get(self.message.protocol).title if self.known else "Unknown protocol"

    @cached_property
    def runs(self) -> list[Run]:
        return list(_runs(self.message, self.fields, self.hues, WIRE_LENGTH))

    @property
    def is_cut(self) -> bool:
        return len(self.message.wire) > WIRE_LENGTH

    @cached_property
    def rows(self) -> list[FieldRow]:
        return [
            FieldRow(
                _mark(field.name),
                visible(field.name),
                visible(field.label),
                visible(field.value[: VALUE_LENGTH + 1]),
                self.hues.get(_root(field.name)),
                readable=bool(field.name),
                place=_columns(_extent(field)),
                raw=field.value if len(field.value) <= EDIT_LENGTH and is_editable(self.message, field) else None,
            )
            for field in self.fields[:FIELDS]
        ]

    @cached_property
    def tree(self) -> list[Branch]:
        """The rows as a tree: what a value holds stands below it."""
        return grow(self.message, self.fields[:FIELDS], self.rows)

    @cached_property
    def exact(self) -> list[Run]:
        """The wire without colour; what cannot be seen is a glyph."""
        return [Run(text, "plain", glyph=glyph) for text, glyph in _with_glyphs(self.message.wire[:WIRE_LENGTH])]

    @property
    def size(self) -> int:
        return len(self.message.wire.encode(errors="surrogatepass"))

    @property
    def fields_read(self) -> int:
        return sum(bool(field.name) for field in self.fields)

    @property
    def unread(self) -> Field | None:
        """The first piece that could not be read."""
        return next((field for field in self.fields if not field.name), None)

    @cached_property
    def english(self) -> list[tuple[str, str, int | None]]:
        return [
            (visible(piece.text), _mark(piece.field or ""), self.hues.get(_root(piece.field or "")))
            for piece in self._described
        ]

    @cached_property
    def sentence(self) -> str:
        return "".join(piece.text for piece in self._described)

    @cached_property
    def _described(self) -> tuple[Piece, ...]:
        if not self.known:
            return (Piece("No protocol claims this text."),)
        return registry.get(self.message.protocol).describe(self.message)

    @cached_property
    def plain(self) -> str | None:
        """The JSON baseline of the message; none when nothing was read."""
        return baseline.write(self.message)

    @cached_property
    def canonical(self) -> str | None:
        return registry.get(self.message.protocol).canonical(self.message) if self.known else None

    @cached_property
    def cost(self) -> Cost:
        return self.cost_in(self.tokenizer)

    @cached_property
    def costs(self) -> list[Cost]:
        return [self.cost_in(name) for name in tokens.names()]

    def cost_in(self, tokenizer: str) -> Cost:
        beside = [text for text in (self.plain, self.wrapper) if text is not None]
        wire, english, *counts = tokens.count_batch([self.message.wire, self.sentence, *beside], tokenizer)
        counted = dict(zip(beside, counts, strict=True))
        plain, wrapper = (None if text is None else counted[text] for text in (self.plain, self.wrapper))
        return Cost(tokens.info(tokenizer), wire, plain, english, wrapper)

    @cached_property
    def sensitive(self) -> tuple[sensitive.Finding, ...]:
        return sensitive.find(self.message)

    @cached_property
    def prompt(self) -> str | None:
        """The message as it may stand in a model's prompt; none when it is long."""
        return for_prompt(self.message) if self.fields_read and not self.is_cut else None

    @cached_property
    def advice(self) -> list[Advice]:
        if not self.known or self.is_cut:
            return []
        costly = {rule.code for rule in registry.get(self.message.protocol).rules if rule.costly}
        spans = [found.span for found in self.message.diagnostics if found.code in costly]
        if not spans:
            return []
        sides = [self.message.wire, *(self._without(span) for span in spans)]
        whole, *rest = [count.count for count in tokens.count_batch(sides, self.tokenizer)]
        named = [next(visible(field.name) for field in self.fields if _touches(field, span)) for span in spans]
        return [Advice(name, whole - less, whole) for name, less in zip(named, rest, strict=True)]

    def _without(self, span: Span) -> str:
        """The wire without one field and the separator before it."""
        before = max((field.span.end for field in self.fields if field.span.end <= span.start), default=span.start)
        return self.message.wire[:before] + self.message.wire[span.end :]

    @cached_property
    def chips(self) -> list[Chip]:
        """The tokens, each in the colour of the field it begins in; one that begins between two, of the second."""
        extents = [(*_extent(field), field.name) for field in self.fields]
        chips, at, first = [], 0, 1
        for piece in tokens.pieces(self.message.wire[:WIRE_LENGTH], self.tokenizer)[:CHIPS]:
            while at < len(extents) and extents[at][1] <= piece.span[0]:
                at += 1
            name = extents[at][2] if at < len(extents) else ""
            ids = " ".join(map(str, piece.ids))
            chips.append(Chip(visible(piece.text), ids, _mark(name), self.hues.get(_root(name)), len(piece.ids), first))
            first += len(piece.ids)
        return chips


@dataclass(frozen=True, slots=True)
class Row:
    """One message of the list."""

    number: int
    line: int
    start: int
    end: int
    protocol: str
    message: Message
    runs: list[Run]
    count: int | None
    severity: str
    carrier: Carrier | None
    """``start`` and ``end`` count UTF-16 units of the whole text."""


class Reading:
    """Everything the workbench says about one text."""

    def __init__(
        self,
        text: str,
        *,
        protocol: str | None,
        tokenizer: str,
        chosen: int = 1,
        offset: int = 0,
        caret: int | None = None,
        view: tuple[int, int] = (0, VIEW),
    ) -> None:
        """``caret`` is a place in UTF-16 units: the message there is chosen, if there is one. So is ``view``, which is
        the stretch of the text that the browser shows."""
        self.text = text
        self.protocol = protocol
        self.tokenizer = tokenizer
        self.offset = offset
        self.view = view
        transcript = split(text, protocol, most=PIECES)
        self.cuts: Sequence[Cut] = transcript.messages[:MESSAGES]
        self.left = len(transcript.messages) - len(self.cuts)
        """Messages that the text has and this page does not show."""
        self.ignored: Sequence[Ignored] = transcript.ignored
        self.messages = [detect.decode(cut.wire, cut.protocol) for cut in self.cuts]
        self._found: dict[int, tuple[Field, ...]] = {}
        self.places = Places(text)
        self.chosen = (None if caret is None else self._message_at(caret)) or min(max(chosen, 1), len(self.cuts))

    @property
    def total(self) -> int:
        return len(self.cuts)

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
            for found in message.diagnostics:
                tally[found.severity] += 1
        return tally

    @cached_property
    def shown(self) -> Shown | None:
        if not self.chosen:
            return None
        carrier = self.cuts[self.chosen - 1].carrier
        around = None if carrier is None else around_messages(self.text, self.cuts, carrier.span)
        return Shown(self.messages[self.chosen - 1], self.tokenizer, carrier=carrier, wrapper=around)

    def _message_at(self, caret: int) -> int | None:
        at = self.places.point(caret)
        number = bisect_right(self.cuts, at, key=lambda cut: cut.span.start)
        return number if number and at <= self.cuts[number - 1].span.end else None

    @property
    def editable(self) -> bool:
        """True when values of the shown message can be written anew in the text."""
        return self.chosen > 0 and self.cuts[self.chosen - 1].verbatim

    @cached_property
    def stretch(self) -> tuple[int, int]:
        """Where the shown message stands, in UTF-16 units of the whole text."""
        span = self.cuts[self.chosen - 1].span if self.chosen else Span(0, 0)
        return self.places.unit(span.start), self.places.unit(span.end)

    @cached_property
    def spots(self) -> str:
        """Where the fields of the shown message stand: ``[[mark, start, end], …]`` as JSON, names and values apart."""
        cut, shown = self.cuts[self.chosen - 1], self.shown
        if shown is None or not cut.verbatim:
            return "[]"
        unit, base = self.places.unit, cut.span.start
        found = [
            (_mark(field.name), unit(base + span.start), unit(base + span.end))
            for field in shown.fields[:FIELDS]
            for span in (field.name_span, field.span)
            if span is not None and field.name
        ]
        return msgspec.json.encode(found).decode()

    @cached_property
    def guesses(self) -> tuple[detect.Guess, ...]:
        return detect.rank(self.cuts[self.chosen - 1].wire) if self.chosen else ()

    @cached_property
    def rows(self) -> list[Row]:
        """The rows in view; the others come as they are scrolled to."""
        window = range(self.offset, min(self.offset + ROWS, self.total))
        counts = tokens.count_batch([self.cuts[at].wire for at in window], self.tokenizer)
        return [self._row(at, counts[at - self.offset].count) for at in window]

    @property
    def next_offset(self) -> int | None:
        after = self.offset + ROWS
        return after if after < self.total else None

    @cached_property
    def counted(self) -> Cost | None:
        """All messages together, where each of them has a baseline."""
        if not self.total:
            return None
        shown = [Shown(message, self.tokenizer) for message in self.messages[:1000]]
        plains = [one.plain for one in shown if one.plain is not None]
        wire = _sum(tokens.count_batch([one.message.wire for one in shown], self.tokenizer))
        english = _sum(tokens.count_batch([one.sentence for one in shown], self.tokenizer))
        plain = _sum(tokens.count_batch(plains, self.tokenizer)) if len(plains) == len(shown) else None
        return Cost(tokens.info(self.tokenizer), wire, plain, english)

    @cached_property
    def notes(self) -> list[Note]:
        return list(self._notes())[:DIAGNOSTICS]

    @cached_property
    def fixable(self) -> int:
        """How many diagnostics have a fix that can be applied to the text."""
        told = (message.diagnostics for cut, message in zip(self.cuts, self.messages, strict=True) if cut.verbatim)
        return sum(found.fix is not None for one in told for found in one)

    @cached_property
    def claims(self) -> list[Claim]:
        """Every protocol, those that claim the shown message first."""
        ranked = {guess.protocol: guess for guess in self.guesses}
        rest = [codec.name for codec in registry.all_codecs() if codec.name not in ranked]
        found = []
        for name in (*ranked, *rest):
            guess = ranked.get(name)
            percent = None if guess is None else max(1, round(100 * guess.score))
            found.append(Claim(name, registry.get(name).title, percent, guess.reasons if guess else ()))
        return found

    @property
    def claim(self) -> Claim | None:
        """What the shown message is read as."""
        read_as = self.messages[self.chosen - 1].protocol if self.chosen else ""
        return next((claim for claim in self.claims if claim.name == read_as), None)

    @cached_property
    def stripped(self) -> list[Stripped]:
        """What was taken off beside the shown message: on its lines, and a fence around it."""
        if not self.chosen:
            return []
        span = self.cuts[self.chosen - 1].span
        first, last = self.text.rfind("\n", 0, span.start) + 1, self.text.find("\n", span.end)
        last = last if last >= 0 else len(self.text)
        at = bisect_left(self.ignored, span.start, key=lambda one: one.span.start)
        near = self.ignored[max(at - 3, 0) : at + 3]
        return [
            Stripped(one.reason, one.text)
            for one in near
            if (first <= one.span.start and one.span.end <= last) or self._is_fence(one, span)
        ]

    def _is_fence(self, one: Ignored, span: Span) -> bool:
        low, high = (one.span.end, span.start) if one.span.end <= span.start else (span.end, one.span.start)
        return one.reason == "code fence" and not self.text[low:high].strip()

    def place(self, cut: Cut, span: Span) -> Span:
        """Where a piece of a message stands in the text: all of the message, when escapes there move everything."""
        return Span(cut.span.start + span.start, cut.span.start + span.end) if cut.verbatim else cut.span

    def note(self, message: int, number: int) -> Note | None:
        """The diagnostic ``number`` of ``message``, both counted from 1."""
        return next((note for note in self.notes if (note.message, note.number) == (message, number)), None)

    def _notes(self) -> Iterator[Note]:
        for number, (cut, message) in enumerate(zip(self.cuts, self.messages, strict=True), 1):
            fields = self._fields(number - 1) if message.diagnostics else ()
            for which, found in enumerate(message.diagnostics, 1):
                yield self._note(cut, found, number, which, fields)

    def _note(self, cut: Cut, found: Diagnostic, message: int, number: int, fields: tuple[Field, ...]) -> Note:
        start, end = self.place(cut, found.span)
        if not cut.verbatim:
            found = msgspec.structs.replace(found, fix=None)  # the text holds other characters than the wire
        fix = found.fix.span if found.fix else Span(0, 0)
        base = cut.span.start
        first = f"{self.places.line(start)}:{self.places.column(start)}"
        last = f"{self.places.line(end)}:{self.places.column(end)}"
        return Note(
            found=found,
            message=message,
            number=number,
            place=first if end <= start + 1 else f"{first}–{last}",
            fields=" ".join(dict.fromkeys(_mark(field.name) for field in fields if _touches(field, found.span))),
            start=self.places.unit(start),
            end=self.places.unit(end),
            fix_start=self.places.unit(base + fix.start),
            fix_end=self.places.unit(base + fix.end),
            before=cut.wire[slice(*fix)],
        )

    def _row(self, at: int, count: int) -> Row:
        cut, message = self.cuts[at], self.messages[at]
        fields = self._fields(at)
        hues = _hues(message, fields)
        severities = {found.severity for found in message.diagnostics}
        worst = next((one for one in ("error", "warning", "info") if one in severities), "")
        return Row(
            number=at + 1,
            line=self.places.line(cut.span.start),
            start=self.places.unit(cut.span.start),
            end=self.places.unit(cut.span.end),
            protocol=message.protocol,
            message=message,
            runs=list(_runs(message, fields, hues, ROW_LENGTH)),
            count=count,
            severity=worst,
            carrier=cut.carrier,
        )

    def _fields(self, at: int) -> tuple[Field, ...]:
        """The fields of a message, which it looks for anew whenever it is asked."""
        if at not in self._found:
            self._found[at] = self.messages[at].fields
        return self._found[at]

    @cached_property
    def marks(self) -> list[Mark]:
        """What is coloured in the stretch that the browser shows, in UTF-16 units of the whole text."""
        top, bottom = (self.places.point(unit) for unit in self.view)
        first = bisect_right(self.cuts, top, key=lambda cut: cut.span.end)
        last = bisect_left(self.cuts, bottom, key=lambda cut: cut.span.start)
        return [mark for at in range(first, min(last, first + PAINTED)) for mark in self._marks(at)]

    @property
    def marks_json(self) -> str:
        return msgspec.json.encode(self.marks).decode()

    def _marks(self, at: int) -> Iterator[Mark]:
        cut, message = self.cuts[at], self.messages[at]
        if not cut.verbatim:
            return
        fields = self._fields(at)
        hues = _hues(message, fields)
        unit, base = self.places.unit, cut.span.start
        for field in fields[:FIELDS]:
            hue = hues.get(_root(field.name))
            if hue is not None:
                yield unit(base + field.span.start), unit(base + field.span.end), hue
        for number, found in enumerate(message.diagnostics[:DIAGNOSTICS], 1):
            start, end = _seen(found.span, len(message.wire))
            yield unit(base + start), unit(base + end), found.severity, f"{at + 1}:{number}"


def grow(message: Message, fields: Sequence[Field], rows: Sequence[FieldRow]) -> list[Branch]:
    """Rows as a tree: in JSON ``plan.0.1`` stands below ``plan``, elsewhere what a message holds together does."""
    root = Branch("", None, 0, [])
    made: dict[str, tuple[Branch, int]] = {"": (root, 0)}
    for index, (field, row) in enumerate(zip(fields, rows, strict=True), 1):
        holder, steps = _steps(message, field, made)
        branch, depth = made.setdefault(holder, (Branch(visible(holder), None, 0, []), 1))
        if depth == 1 and branch not in root.below:
            root.below.append(branch)
        for step in steps[:-1]:
            holder = f"{holder}.{step}" if holder else step
            if holder not in made:
                made[holder] = (Branch(visible(step), None, 0, []), depth + 1)
                branch.below.append(made[holder][0])
            branch, depth = made[holder]
        leaf = Branch(visible(steps[-1]), row, index, [])
        branch.below.append(leaf)
        if field.name and not field.value and depth < DEPTH:
            made.setdefault(field.name, (leaf, depth + 1))
    return root.below


def _steps(message: Message, field: Field, made: dict[str, tuple[Branch, int]]) -> tuple[str, list[str]]:
    """What holds a field, and the steps from there: a key may have points in it, so a holder must have been met."""
    if not field.name or message.protocol == detect.UNKNOWN:
        return "", [field.name]
    if registry.get(message.protocol).form == "line":
        held = (key for key, value in message.values.items() if isinstance(value, dict) and field.name in value)
        return next(held, ""), [field.name]
    parts = field.name.split(".")
    met = next((at for at in range(len(parts) - 1, 0, -1) if ".".join(parts[:at]) in made), 0)
    rest, steps = parts[met:], list[str]()
    while len(rest) > 1 and rest[0].isdecimal() and len(steps) < DEPTH - met:
        steps.append(rest.pop(0))
    return ".".join(parts[:met]), [*steps, ".".join(rest)]


def brief_runs(message: Message) -> list[Run]:
    """The beginning of a wire in colour, for a row."""
    fields = message.fields
    return list(_runs(message, fields, _hues(message, fields), ROW_LENGTH))


def apply_fix(text: str, reading: Reading, note: Note) -> str:
    """The text with one fix applied, for a browser without JavaScript."""
    assert note.found.fix is not None
    base = reading.cuts[note.message - 1].span.start
    start, end = note.found.fix.span
    return text[: base + start] + note.found.fix.text + text[base + end :]


def visible(text: str) -> str:
    """The text with characters that cannot be seen written as glyphs."""
    return _HIDDEN.sub(lambda found: "".join(map(_glyph, found[0])), text)


def _glyph(character: str) -> str:
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:
        return f"⟨0x{code - 0xDC00:02X}⟩"  # a byte that is not UTF-8
    return chr(0x2400 + code) if code < 0x20 else "␡" if code == 0x7F else f"⟨U+{code:04X}⟩"


def _mark(name: str) -> str:
    """A field's name as one word, for attributes that list several."""
    return "␠".join(visible(name).split())


def _root(name: str) -> str:
    return name.split(".", 1)[0] if name else ""


def _hues(message: Message, fields: tuple[Field, ...]) -> dict[str, int]:
    """A hue for each field name: by its place in the codec's table, so that all messages of a protocol agree."""
    known = list(registry.get(message.protocol).labels) if message.protocol != detect.UNKNOWN else []
    places = {name: at for at, name in enumerate(known)}
    roots = dict.fromkeys(_root(field.name) for field in fields if field.name)
    return {root: places.get(root, len(places) + at) % HUES for at, root in enumerate(roots)}


def _extent(field: Field) -> Span:
    """A field from the beginning of its name to the end of its value."""
    name = field.name_span or field.span
    return Span(min(name.start, field.span.start), max(name.end, field.span.end))


def _columns(span: Span) -> str:
    return str(span.start + 1) if span.end <= span.start + 1 else f"{span.start + 1}–{span.end}"


def _touches(field: Field, span: Span) -> bool:
    start, end = _extent(field)
    return start < max(span.end, span.start + 1) and span.start < max(end, start + 1)


def _seen(span: Span, length: int) -> tuple[int, int]:
    """A span that has no width is shown on the character beside it."""
    if span.end > span.start:
        return span
    return (span.start, span.start + 1) if span.start < length else (max(span.start - 1, 0), span.start)


def _runs(message: Message, fields: tuple[Field, ...], hues: dict[str, int], limit: int) -> Iterator[Run]:
    """The wire up to ``limit`` characters, cut wherever its colour or its underline changes."""
    wire = message.wire
    laid = tiles(wire, fields) if fields else ()
    marked = [
        (*_seen(found.span, len(wire)), found.severity, number)
        for number, found in enumerate(message.diagnostics[:DIAGNOSTICS], 1)
    ]
    edges = {0, min(len(wire), limit)}
    edges.update(at for start, end, _, _ in marked for at in (start, end) if at < limit)
    edges.update(tile.span.start for tile in laid if tile.span.start < limit)
    tile_starts = [tile.span.start for tile in laid]
    for start, end in pairwise(sorted(edges)):
        tile = laid[bisect_right(tile_starts, start) - 1] if laid else None
        field = fields[tile.field].name if tile is not None and tile.field is not None else ""
        over = {number: severity for low, high, severity, number in marked if low <= start < high} if marked else {}
        severity = next((one for one in ("error", "warning", "info") if one in over.values()), "") if over else ""
        notes = " ".join(map(str, over))
        hue = hues.get(_root(field))
        kind = tile.kind if tile is not None else "bad"
        for text, glyph in _with_glyphs(wire[start:end]):
            yield Run(text, kind, _mark(field), hue, severity, glyph, notes)


def _with_glyphs(text: str) -> Iterator[tuple[str, bool]]:
    at = 0
    for found in _HIDDEN.finditer(text):
        if at < found.start():
            yield text[at : found.start()], False
        yield "".join(map(_glyph, found[0])), True
        at = found.end()
    if at < len(text):
        yield text[at:], False


def _sum(counts: Sequence[tokens.Count]) -> tokens.Count:
    return tokens.Count(sum(one.count for one in counts), exact=all(one.exact for one in counts))


def compare(ours: tokens.Count, theirs: tokens.Count, baseline: str, tokenizer: str) -> str:
    """``8 tokens fewer than minified JSON (−30 %, o200k_base)``, and as plainly when it is more."""
    if not theirs.count:
        return ""
    about = "" if ours.exact and theirs.exact else "≈ "
    difference = ours.count - theirs.count
    if not difference:
        return f"as many tokens as {baseline} ({tokenizer})"
    percent = round(100 * difference / theirs.count)
    sign = "+" if percent > 0 else "−" if percent < 0 else ""
    unit = "token" if abs(difference) == 1 else "tokens"
    than = "more than" if difference > 0 else "fewer than"
    return f"{about}{abs(difference):,} {unit} {than} {baseline} ({sign}{abs(percent)} %, {tokenizer})"


def _brief(text: str) -> str:
    shown = visible(text).replace("\n", "⏎")
    shown = shown.replace(" ", "␠") if not shown.strip() else shown
    return shown if len(shown) <= 18 else f"{shown[:16]}…"
