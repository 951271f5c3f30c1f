"""Describe JSON values as data, and find every flaw of a value.

One table serves the quick reading, the careful one, and the writer, so that they cannot disagree.
It works on plain values: the place of a flaw is a path of keys and indexes, which the careful
reading turns into a span.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from itertools import islice
from math import isfinite
from typing import Any, Literal, NamedTuple

from cablese.json.jsontext import dump
from cablese.message import Rule
from cablese.spelling import Guess, Spelling, question
from cablese.text import either, quote, shorten

Path = tuple[str | int, ...]
GUESSES = 50
"""Unknown keys of an object that are compared with known ones: guessing takes time."""
KINDS: dict[type, str] = {
    str: "text",
    int: "a number",
    float: "a number",
    list: "an array",
    dict: "an object",
}


class Flaw(NamedTuple):
    """A problem of a ``value``, a ``key``, or the ``object`` that lacks one.

    ``fix`` is the JSON that replaces the value, or the correct name of the key; ``safe`` as in Fix.
    """

    rule: Rule
    section: str
    path: Path
    message: str
    at: Literal["value", "key", "object"] = "value"
    fix: str | None = None
    lacks: str = ""
    """The key that an object lacks."""
    safe: bool = False


class Text(NamedTuple):
    """A text that ``holds`` accepts; ``of`` describes it.

    ``correct`` corrects the spelling of a wrong text without changing its meaning; ``guesses``
    guesses.
    """

    of: str
    most: int
    holds: Callable[[str], object] = bool
    correct: Callable[[str], str] = str.strip
    guesses: Callable[[str], str] = str

    def takes(self, value: Any) -> bool:
        return isinstance(value, str) and 0 < len(value) <= self.most and bool(self.holds(value))


class Number(NamedTuple):
    """A number from ``least`` to ``most``. As in JSON Schema, 5.0 is a whole number."""

    least: int = 0
    most: int | None = None
    whole: bool = True

    def takes(self, value: Any) -> bool:
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or (self.whole and isinstance(value, float) and not value.is_integer()):
            return False
        return bool(value >= self.least and (self.most is None or value <= self.most))


class Typed(NamedTuple):
    """A value of one kind, which ``of`` names."""

    kind: type
    of: str

    def takes(self, value: Any) -> bool:
        return isinstance(value, self.kind)


class Choice(NamedTuple):
    of: tuple[str, ...]

    def takes(self, value: Any) -> bool:
        return isinstance(value, str) and value in self.of


class Spaced(NamedTuple):
    """An object with keys of a pattern, which ``of`` describes."""

    of: str
    pattern: re.Pattern[str]

    def takes(self, value: Any) -> bool:
        return isinstance(value, dict) and all(map(self.pattern.fullmatch, value))


class Names(NamedTuple):
    """An array of texts without duplicates."""

    name: Text

    def takes(self, value: Any) -> bool:
        return (
            isinstance(value, list)
            and all(map(self.name.takes, value))
            and len(set(value)) == len(value)
        )


class Record(NamedTuple):
    """An object with these keys and no others. ``near`` finds the key that an unknown one means."""

    parts: Mapping[str, "Part"]
    required: tuple[str, ...]
    unknown: tuple[Rule, str]
    missing: tuple[Rule, str]
    near: Callable[[str], Guess | None] = lambda _: None

    def takes(self, value: Any) -> bool:
        if not isinstance(value, dict):
            return False
        for key, below in value.items():
            part = self.parts.get(key)
            if part is None or not part.shape.takes(below):
                return False
        return value.keys() >= set(self.required)


Shape = Text | Number | Typed | Choice | Spaced | Names | Record


class Part(NamedTuple):
    """What is under a key, and the rule and section that say so."""

    shape: Shape
    rule: Rule
    section: str


def judge(value: Any, part: Part, path: Path) -> Iterator[Flaw]:
    """Yield every flaw of ``value``, which is at ``path``."""
    shape = part.shape
    if shape.takes(value):
        return
    match shape:
        case Text():
            yield _text(value, shape, part, path)
        case Number():
            yield _number(value, shape, part, path)
        case Typed(kind, of):
            fix = None
            if kind is bool and isinstance(value, str) and value.lower() in ("true", "false"):
                fix = value.lower()
            elif kind is dict and value in (None, [], ""):
                fix = "{}"
            yield _flaw(
                part, path, f"must be {of}; found {describe(value)}", fix, safe=kind is bool
            )
        case Choice(of):
            yield _choice(value, of, part, path)
        case Names(name):
            yield from _names(value, name, part, path)
        case Spaced() | Record():
            if not isinstance(value, dict):
                yield _flaw(part, path, f"must be an object; found {describe(value)}")
            elif isinstance(shape, Spaced):
                yield from _spaced(value, shape, part, path)
            else:
                yield from judge_record(value, shape, path)


def judge_record(value: dict[str, Any], record: Record, path: Path) -> Iterator[Flaw]:
    """Yield unknown and missing keys of an object, and the flaws of its values."""
    if record.takes(value):
        return
    meant = guess_keys((key for key in value if key not in record.parts), value.keys(), record.near)
    for key, below in value.items():
        part = record.parts.get(key)
        if part is not None:
            yield from judge(below, part, (*path, key))
        else:
            rule, section = record.unknown
            near = meant.get(key)
            name = near.word if near else None
            text = f"Unknown key {quote(key)}. Valid keys: {', '.join(record.parts)}."
            fits = (
                name is not None
                and next(judge(below, record.parts[name], (*path, name)), None) is None
            )
            yield Flaw(
                rule,
                section,
                (*path, key),
                f"{text}{question(near)}",
                "key",
                name if fits else None,
                safe=near is not None and near.safe,
            )
    for key in record.required:
        if key not in value:
            rule, section = record.missing
            yield Flaw(rule, section, path, f"Missing required field {key}.", "object", lacks=key)


def guess_keys(
    unknown: Iterable[str], present: Collection[str], near: Callable[[str], Guess | None]
) -> dict[str, Guess]:
    """Return the known keys that unknown ones mean: none that is there already, and none that two
    may mean.
    """
    guesses = {
        key: guess
        for key in islice(unknown, GUESSES)
        if (guess := near(key)) and guess.word not in present
    }
    wanted = Counter(guess.word for guess in guesses.values())
    return {key: guess for key, guess in guesses.items() if wanted[guess.word] == 1}


def find_key(
    full: dict[str, str], called: dict[str, str], keys: tuple[str, ...]
) -> Callable[[str], Guess | None]:
    """Return a function that finds the key of ``keys`` that a word means. ``full`` has the keys in
    full, ``called`` other names for them.
    """
    spelling = Spelling(keys, full)

    def find(key: str) -> Guess | None:
        word = key[:40].strip().replace("-", "_").replace(" ", "_")
        other = called.get(word.lower())
        near = Guess(other, safe=False) if other else spelling.find(word)
        return near if near and near.word in keys else None

    return find


def guess_choice(text: str, choices: tuple[str, ...]) -> Guess | None:
    """Return the choice that ``text`` means. Spaces and hyphens count as underscores."""
    return _spelling(choices).find(text[:80].strip().replace(" ", "_").replace("-", "_"))


@cache
def _spelling(choices: tuple[str, ...]) -> Spelling:
    return Spelling(choices)


def describe(value: Any) -> str:
    """Return what a value is, as the end of a sentence."""
    if value is None or isinstance(value, bool):
        return dump(value)
    return "empty text" if value == "" else KINDS[type(value)]


def _flaw(
    part: Part, path: Path, message: str, fix: str | None = None, *, safe: bool = False
) -> Flaw:
    return Flaw(part.rule, part.section, path, f"{_called(path)} {message}.", fix=fix, safe=safe)


def _called(path: Path) -> str:
    """Return the name of a value: its key, and its place in a list."""
    last = path[-1]
    return f"{path[-2]}, name {last + 1}," if isinstance(last, int) and len(path) > 2 else str(last)


def _text(value: Any, shape: Text, part: Part, path: Path) -> Flaw:
    fix, safe = None, False
    actual = quote(value) if isinstance(value, str) and value else describe(value)
    if isinstance(value, str):
        start = value[: 2 * shape.most]
        better = next(
            (text for text in (shape.correct(start), shape.guesses(start)) if shape.takes(text)),
            None,
        )
        if better is not None:
            fix, safe = dump(better), better == shape.correct(value)
    else:
        spelled = _spell(value)
        if spelled is not None and shape.takes(spelled):
            fix, safe = dump(spelled), isinstance(value, int)
    return _flaw(part, path, f"must be {shape.of}; found {actual}", fix, safe=safe)


def _number(value: Any, shape: Number, part: Part, path: Path) -> Flaw:
    kind = "a whole number" if shape.whole else "a number"
    span = (
        f"of at least {shape.least:,}"
        if shape.most is None
        else f"from {shape.least:,} to {shape.most:,}"
    )
    actual = _spell(value) or describe(value)
    is_whole = isinstance(value, str) and re.fullmatch(r"0|[1-9][0-9]{0,14}", value) is not None
    fix = value if is_whole and shape.takes(int(value)) else None
    return _flaw(part, path, f"must be {kind} {span}; found {actual}", fix, safe=True)


def _spell(value: Any) -> str | None:
    """Return the digits of a number; None for other values and infinite ones."""
    number = isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
    return shorten(dump(value)) if number else None


def _choice(value: Any, choices: tuple[str, ...], part: Part, path: Path) -> Flaw:
    listed = either(choices)
    if not isinstance(value, str):
        return _flaw(part, path, f"must be {listed}; found {describe(value)}")
    near = guess_choice(value, choices)
    text = f"Unknown {_called(path)} {quote(value)}. Expected {listed}.{question(near)}"
    return Flaw(
        part.rule,
        part.section,
        path,
        text,
        fix=dump(near.word) if near else None,
        safe=near is not None and near.safe,
    )


def _names(value: Any, shape: Text, part: Part, path: Path) -> Iterator[Flaw]:
    if not isinstance(value, list):
        alone = isinstance(value, str) and shape.takes(value)
        yield _flaw(
            part,
            path,
            f"must be an array; found {describe(value)}",
            dump([value]) if alone else None,
            safe=alone,
        )
        return
    seen: set[str] = set()
    for index, item in enumerate(value):
        if not shape.takes(item):
            yield _text(item, shape, part, (*path, index))
        if isinstance(item, str) and item in seen:
            yield Flaw(
                part.rule, part.section, (*path, index), f"{path[-1]} contains {quote(item)} twice."
            )
        if isinstance(item, str):
            seen.add(item)


def _spaced(value: dict[str, Any], shape: Spaced, part: Part, path: Path) -> Iterator[Flaw]:
    for key in value:
        if shape.pattern.fullmatch(key) is None:
            yield Flaw(
                part.rule,
                part.section,
                (*path, key),
                f"The key {quote(key)} must be {shape.of}.",
                "key",
            )
