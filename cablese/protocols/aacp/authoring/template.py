"""An instruction and its packet with slots: one reviewed pair for all instructions of one form.

    Fetch the salary of employee {employee:number} for {period:date}.
    FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:salary|filter:emp={employee}|period:{period:lower}

A slot has a type in the English, and may have a case in the packet (`CASES`). ``{{`` and ``}}`` are
braces. The rest of an instruction must be the same, also in case; a run of spaces counts as one. A
slot is not a regular expression: each has a greatest length, so that matching is linear in the
instruction, and an instruction that fits in two ways does not match. Values are written by the
codec, so that none can start a field.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from typing import NamedTuple

from cablese.codec import Unencodable
from cablese.protocols.aacp.codec import codec
from cablese.text import quote

SLOTS = 8
TEXT_LIMIT = 200
DEFAULT_TEXT = 80
LITERAL = 2
"""Words that an instruction must have outside slots, so that no rule answers everything."""
FIXED = ("task", "dom", "return", "p", "aacp")
"""Fields that no value of an instruction decides: what is done, where, and for whom."""
NAME = re.compile("[a-z][a-z0-9_]{0,19}")
HOLE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")
NUMBER = re.compile(r"-?[0-9]+(?:[.,][0-9]+)*")
WORD = re.compile(r"\w(?:[\w./@#&+-]*\w)?")
MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
NAMED_DATE = re.compile(
    rf"(?:([0-9]{{1,2}}) )?({'|'.join(MONTHS)})(?: ([0-9]{{4}}))?", re.IGNORECASE
)
ISO_DATE = re.compile("([0-9]{4})-([0-9]{2})(?:-([0-9]{2}))?")


class Kind(NamedTuple):
    """What a slot takes: the greatest length, the test of a text, and both in words."""

    longest: int
    fits: Callable[[str], bool]
    words: str


def _is_date(text: str) -> bool:
    named, iso = NAMED_DATE.fullmatch(text), ISO_DATE.fullmatch(text)
    if named:
        day, month, year = (
            int(named[1] or 1),
            MONTHS.index(named[2].lower()) + 1,
            int(named[3] or 2000),
        )
    elif iso:
        day, month, year = int(iso[3] or 1), int(iso[2]), int(iso[1])
    else:
        return False
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


KINDS = {
    "number": Kind(
        20,
        lambda text: NUMBER.fullmatch(text) is not None,
        "digits, optionally with . or , between them and - in front",
    ),
    "word": Kind(
        60,
        lambda text: WORD.fullmatch(text) is not None,
        "one word, which can contain . / @ # & + -",
    ),
    "date": Kind(17, _is_date, "2025-03, 2025-03-14, March, March 2025, or 14 March 2025"),
    "text": Kind(
        DEFAULT_TEXT,
        lambda text: text == text.strip() and text != "" and text.isprintable(),
        f"up to {DEFAULT_TEXT} characters; {{name:text 20}} allows up to 20",
    ),
}
CASES: dict[str, Callable[[str], str]] = {
    "": str,
    "lower": str.lower,
    "upper": str.upper,
    "snake": lambda text: text.lower().replace(" ", "_"),
}


class BadTemplate(ValueError):
    """A template that cannot be a rule. ``field`` is "english" or "packet"."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(reason)
        self.field = field
        self.reason = reason


class Slot(NamedTuple):
    name: str
    kind: str
    longest: int


class Use(NamedTuple):
    """Where a packet takes a slot's value, and in which case."""

    name: str
    case: str


class Template(NamedTuple):
    """``english`` alternates literals and slots, with a literal at both ends, perhaps empty."""

    english: tuple[str | Slot, ...]
    packet: dict[str, tuple[str | Use, ...]]

    @property
    def slots(self) -> tuple[Slot, ...]:
        return tuple(piece for piece in self.english if isinstance(piece, Slot))

    @property
    def literal(self) -> int:
        """Return the number of characters outside slots: the rule with more is more specific."""
        return sum(len(piece) for piece in self.english if isinstance(piece, str))


def parse(english: str, packet: str) -> Template:
    """Return the template of two texts. Raises BadTemplate."""
    pieces = tuple(_english(normalize(english)))
    message = codec.decode(packet.strip())
    worse = [
        diagnostic.message for diagnostic in message.diagnostics if diagnostic.severity != "info"
    ]
    if worse:
        raise BadTemplate("packet", f"Invalid packet for a rule. {worse[0]}")
    values = {key: tuple(_packet(key, text)) for key, text in message.values.items()}
    used = {piece.name for text in values.values() for piece in text if isinstance(piece, Use)}
    names = [piece.name for piece in pieces if isinstance(piece, Slot)]
    if not names:
        raise BadTemplate(
            "english",
            "Expected a slot, such as {period:date}. To use no slots, promote the candidate.",
        )
    if len(names) > SLOTS:
        raise BadTemplate("english", f"The limit is {SLOTS} slots per rule.")
    for name in names:
        if names.count(name) > 1:
            raise BadTemplate("english", f"Duplicate slot {{{name}}}.")
        if name not in used:
            raise BadTemplate("packet", f"The packet does not use the slot {{{name}}}.")
    for name in sorted(used.difference(names)):
        raise BadTemplate("packet", f"The instruction has no slot {{{name}}}.")
    if any(piece == "" for piece in pieces[1:-1]):
        raise BadTemplate(
            "english", "Put text between two slots, so that the end of the first one is clear."
        )
    if sum(len(re.findall(r"\w+", piece)) for piece in pieces if isinstance(piece, str)) < LITERAL:
        raise BadTemplate(
            "english", f"An instruction must have at least {LITERAL} words outside slots."
        )
    return Template(pieces, values)


def normalize(english: str) -> str:
    """Return an instruction as rules compare it, with one space for each run of spaces."""
    return " ".join(english.split())


def match(template: Template, english: str) -> dict[str, str] | None:
    """Return the values of the slots; None if the instruction fits in no way, or in several."""
    text = normalize(english)
    first, *rest = template.english
    assert isinstance(first, str)
    if not text.startswith(first):
        return None
    # The places reached so far, each with the values that lead there: two ways are as good as many.
    reached_at: dict[int, list[tuple[str, ...]]] = {len(first): [()]}
    for at in range(0, len(rest), 2):
        slot, literal = rest[at], rest[at + 1]
        assert isinstance(slot, Slot)
        assert isinstance(literal, str)
        reached: dict[int, list[tuple[str, ...]]] = {}
        for start, leading in reached_at.items():
            for stop in _ends(text, start, slot, literal, last=at + 2 == len(rest)):
                into = reached.setdefault(stop + len(literal), [])
                into += [(*values, text[start:stop]) for values in leading][: 2 - len(into)]
        reached_at = reached
    matches = reached_at.get(len(text), [])
    return (
        dict(zip((slot.name for slot in template.slots), matches[0], strict=True))
        if len(matches) == 1
        else None
    )


def fill(template: Template, values: Mapping[str, str]) -> str:
    """Return the canonical packet with the values in its slots. Raises Unencodable."""
    return codec.encode(
        {
            key: "".join(
                piece if isinstance(piece, str) else CASES[piece.case](values[piece.name])
                for piece in pieces
            )
            for key, pieces in template.packet.items()
        }
    )


def answer(template: Template, english: str) -> str | None:
    """Return the packet for an instruction; None if it does not fit."""
    values = match(template, english)
    if values is None:
        return None
    try:
        return fill(template, values)
    except Unencodable:
        return None


def propose(english: str, packet: str) -> tuple[str, str]:
    """Return the two texts with slots for the numbers, dates, and names that they share.

    A word that occurs twice is left to people.
    """
    text = normalize(english)
    parts = {key: _braced(str(value)) for key, value in codec.decode(packet).values.items()}
    words = [(token.start(), token[0]) for token in WORD.finditer(text)]
    taken: set[str] = set()
    proposal, end = "", 0
    for at, word in words:
        if (
            len(taken) == SLOTS
            or sum(1 for _, other in words if other == word) > 1
            or not _is_telling(at, word)
        ):
            continue
        name = _cut_slot(parts, word, taken)
        if name:
            taken.add(name)
            kind = next(
                (kind for kind in ("number", "date", "word") if KINDS[kind].fits(word)), "text"
            )
            proposal += f"{_braced(text[end:at])}{{{name}:{kind}}}"
            end = at + len(word)
    return proposal + _braced(text[end:]), codec.encode(parts)


def _cut_slot(parts: dict[str, str], word: str, taken: set[str]) -> str:
    """Put a slot for a word into the values with it. Return its name, empty without a value."""
    name = ""
    for key, source in parts.items():
        if key in FIXED:
            continue
        for case, change in (("", str), ("lower", str.lower), ("upper", str.upper)):
            occurrence = re.search(
                rf"(?<!\w){re.escape(change(word))}(?!\w)(?![^{{}}]*\}})", source
            )
            if occurrence is None:
                continue
            name = name or _name(source[: occurrence.start()], key, taken)
            hole = f"{{{name}:{case}}}" if case else f"{{{name}}}"
            parts[key] = source[: occurrence.start()] + hole + source[occurrence.end() :]
            break
    return name


def _ends(text: str, start: int, slot: Slot, literal: str, *, last: bool) -> Iterator[int]:
    """Yield where a slot from ``start`` on may end, which is where the next literal begins."""
    reach = start + slot.longest
    if last:
        stop = len(text) - len(literal)
        stops = [stop] if start < stop <= reach and text.endswith(literal) else []
    else:
        stops = []
        stop = text.find(literal, start + 1, reach + len(literal))
        while stop >= 0:
            stops.append(stop)
            stop = text.find(literal, stop + 1, reach + len(literal))
    return (stop for stop in stops if KINDS[slot.kind].fits(text[start:stop]))


def _english(text: str) -> Iterator[str | Slot]:
    for piece in _pieces(text, "english"):
        if isinstance(piece, str):
            yield piece
            continue
        name, _, kind = piece[0].partition(":")
        kind, _, longest = (kind.strip() or "word").partition(" ")
        if kind not in KINDS:
            raise BadTemplate(
                "english", f"Unknown slot type {quote(kind)}. Expected {', '.join(KINDS)}."
            )
        if longest and not (
            kind == "text" and longest.isdecimal() and 1 <= int(longest[:9]) <= TEXT_LIMIT
        ):
            raise BadTemplate(
                "english", f"Only text has a length, of 1 to {TEXT_LIMIT}: {{name:text 40}}."
            )
        yield Slot(
            _checked(name, "english"), kind, int(longest) if longest else KINDS[kind].longest
        )


def _packet(key: str, text: str) -> Iterator[str | Use]:
    for piece in _pieces(text, "packet"):
        if isinstance(piece, str):
            yield piece
            continue
        if key in FIXED:
            raise BadTemplate("packet", f"{key} cannot contain slots.")
        name, _, case = piece[0].partition(":")
        if case not in CASES:
            raise BadTemplate(
                "packet",
                f"Unknown case {quote(case)}. Expected {', '.join(filter(None, CASES))}, or none.",
            )
        yield Use(_checked(name, "packet"), case)


def _pieces(text: str, field: str) -> Iterator[str | tuple[str]]:
    """Yield literals and the content of slots in turn, a literal first and last."""
    literal, end = "", 0
    for hole in HOLE.finditer(text):
        literal += text[end : hole.start()]
        end = hole.end()
        if hole[0] in ("{{", "}}"):
            literal += hole[0][0]
        elif hole[1] is None:
            raise BadTemplate(
                field, f"Unmatched {hole[0]}. Write a slot as {{name}}, and a literal brace as two."
            )
        else:
            yield literal
            yield (hole[1],)
            literal = ""
    yield literal + text[end:]


def _checked(name: str, field: str) -> str:
    if not NAME.fullmatch(name):
        raise BadTemplate(
            field,
            f"Invalid slot name {quote(name)}. Expected a-z, then letters, digits, and _.",
        )
    return name


def _is_telling(at: int, word: str) -> bool:
    """Return whether a word is likely to differ next time: a number, a date, or a name."""
    return any(map(str.isdigit, word)) or _is_date(word) or (at > 0 and word[0].isupper())


def _name(before: str, key: str, taken: set[str]) -> str:
    """Return the name before a value, such as ``emp`` in ``filter:emp=4711``, or else its key."""
    named = re.search(r"([a-z][a-z0-9_]{0,15})[=<>]+\Z", before)
    name = named[1] if named else re.sub("[^a-z0-9_]", "_", key)[:16]
    name = name if NAME.fullmatch(name) else "slot"
    numbered = (name, *(f"{name}_{number}" for number in range(2, SLOTS + 2)))
    return next(free for free in numbered if free not in taken)


def _braced(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
