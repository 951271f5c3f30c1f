"""What a JSON value must hold, as data, and everything in which a value fails it.

One table serves the quick reading, the careful one and the writer, so that they cannot disagree. It
works on plain values: where a flaw stands is a path of keys and indexes, which the careful reading
turns into a place in the text.
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
from cablese.spelling import Guess, Spelling
from cablese.text import either, quote, shorten

Path = tuple[str | int, ...]
GUESSES = 50
"""So many unknown keys of an object are compared with the known ones: guessing takes time."""
KINDS: dict[type, str] = {
    str: "text",
    int: "a number",
    float: "a number",
    list: "an array",
    dict: "an object",
}


class Flaw(NamedTuple):
    """What is wrong, and with what: a ``value``, a ``key``, or the ``object`` that lacks one.

    ``fix`` is the JSON to write in place of the value, or the other name of the key; ``safe`` as of
    a Fix.
    """

    rule: Rule
    section: str
    path: Path
    words: str
    at: Literal["value", "key", "object"] = "value"
    fix: str | None = None
    lacks: str = ""
    """The key that an object should have."""
    safe: bool = False


class Text(NamedTuple):
    """``of`` says in words what the text must be, ``holds`` whether it is.

    ``mend`` spells a wrong one right, and means the same by it; where it guesses, ``guesses`` does
    so instead.
    """

    of: str
    most: int
    holds: Callable[[str], object] = bool
    mend: Callable[[str], str] = str.strip
    guesses: Callable[[str], str] = str

    def takes(self, value: Any) -> bool:
        return isinstance(value, str) and 0 < len(value) <= self.most and bool(self.holds(value))


class Number(NamedTuple):
    """A number from ``least`` to ``most``; ``whole`` in the sense of JSON Schema, for which 5.0 is
    a whole number.
    """

    least: int = 0
    most: int | None = None
    whole: bool = True

    def takes(self, value: Any) -> bool:
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or (self.whole and isinstance(value, float) and not value.is_integer()):
            return False
        return bool(value >= self.least and (self.most is None or value <= self.most))


class Typed(NamedTuple):
    """Any value of one kind, which ``of`` names: true or false, an object, or an array."""

    kind: type
    of: str

    def takes(self, value: Any) -> bool:
        return isinstance(value, self.kind)


class Choice(NamedTuple):
    of: tuple[str, ...]

    def takes(self, value: Any) -> bool:
        return isinstance(value, str) and value in self.of


class Spaced(NamedTuple):
    """An object of anything under keys of a pattern, which ``of`` says in words."""

    of: str
    pattern: re.Pattern[str]

    def takes(self, value: Any) -> bool:
        return isinstance(value, dict) and all(map(self.pattern.fullmatch, value))


class Names(NamedTuple):
    """An array of texts, none twice."""

    name: Text

    def takes(self, value: Any) -> bool:
        return (
            isinstance(value, list)
            and all(map(self.name.takes, value))
            and len(set(value)) == len(value)
        )


class Record(NamedTuple):
    """An object with these keys and no others. ``near`` finds the key that an unknown one was meant
    to be.
    """

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
    """What stands under a key, and which rule of which section says so."""

    shape: Shape
    rule: Rule
    section: str


def judge(value: Any, part: Part, path: Path) -> Iterator[Flaw]:
    """Everything in which ``value``, which stands at ``path``, fails ``part``."""
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
            safe = kind is bool
            yield _flaw(part, path, f"must be {of}; found {what(value)}", fix, safe=safe)
        case Choice(of):
            yield _choice(value, of, part, path)
        case Names(name):
            yield from _names(value, name, part, path)
        case Spaced() | Record():
            if not isinstance(value, dict):
                yield _flaw(part, path, f"must be an object; found {what(value)}")
            elif isinstance(shape, Spaced):
                yield from _spaced(value, shape, part, path)
            else:
                yield from judge_record(value, shape, path)


def judge_record(value: dict[str, Any], record: Record, path: Path) -> Iterator[Flaw]:
    """The keys of an object that are not allowed or not there, and what is wrong below the
    others.
    """
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
            said = f" Did you mean {name}?" if name else ""
            words = f"Unknown key {quote(key)}. Valid keys: {', '.join(record.parts)}.{said}"
            fits = (
                name is not None
                and next(judge(below, record.parts[name], (*path, name)), None) is None
            )
            safe = near is not None and near.safe
            yield Flaw(rule, section, (*path, key), words, "key", name if fits else None, safe=safe)
    for key in record.required:
        if key not in value:
            rule, section = record.missing
            yield Flaw(rule, section, path, f"Missing required field {key}.", "object", lacks=key)


def guess_keys(
    unknown: Iterable[str], taken: Collection[str], near: Callable[[str], Guess | None]
) -> dict[str, Guess]:
    """The keys that unknown ones were meant to be: none that is there, and none that two may be."""
    found = {
        key: guess
        for key in islice(unknown, GUESSES)
        if (guess := near(key)) and guess.word not in taken
    }
    if len(found) < 2:
        return found
    wanted = Counter(guess.word for guess in found.values())
    return {key: guess for key, guess in found.items() if wanted[guess.word] == 1}


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
    """Which of a few words was meant; blanks and hyphens count as the underscores of the words."""
    return _spelling(choices).find(text[:80].strip().replace(" ", "_").replace("-", "_"))


@cache
def _spelling(choices: tuple[str, ...]) -> Spelling:
    return Spelling(choices)


def what(value: Any) -> str:
    """What stands there, in words."""
    if value is None or isinstance(value, bool):
        return dump(value)
    return "empty text" if value == "" else KINDS[type(value)]


def _flaw(
    part: Part, path: Path, words: str, fix: str | None = None, *, safe: bool = False
) -> Flaw:
    return Flaw(part.rule, part.section, path, f"{_called(path)} {words}.", fix=fix, safe=safe)


def _called(path: Path) -> str:
    """The name of the value: the key, and the place in a list."""
    last = path[-1]
    return f"{path[-2]}, name {last + 1}," if isinstance(last, int) and len(path) > 2 else str(last)


def _text(value: Any, shape: Text, part: Part, path: Path) -> Flaw:
    fix, safe = None, False
    if isinstance(value, str):
        words = f"must be {shape.of}; found {what(value) if not value else quote(value)}"
        start = value[: 2 * shape.most]
        better = next(
            (one for one in (shape.mend(start), shape.guesses(start)) if shape.takes(one)), None
        )
        if better is not None:
            fix, safe = dump(better), better == shape.mend(value)
    else:
        words = f"must be {shape.of}; found {what(value)}"
        spelled = _spell(value)
        if spelled is not None and shape.takes(spelled):
            fix, safe = dump(spelled), isinstance(value, int)
    return _flaw(part, path, words, fix, safe=safe)


def _number(value: Any, shape: Number, part: Part, path: Path) -> Flaw:
    kind = "a whole number" if shape.whole else "a number"
    span = (
        f"of at least {shape.least:,}"
        if shape.most is None
        else f"from {shape.least:,} to {shape.most:,}"
    )
    found = _spell(value) or what(value)
    fix = None
    if (
        isinstance(value, str)
        and re.fullmatch(r"0|[1-9][0-9]{0,14}", value)
        and shape.takes(int(value))
    ):
        fix = value
    return _flaw(part, path, f"must be {kind} {span}; found {found}", fix, safe=True)


def _spell(value: Any) -> str | None:
    """The digits of a number; None for what is none, or has no end."""
    number = isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
    return shorten(dump(value)) if number else None


def _choice(value: Any, choices: tuple[str, ...], part: Part, path: Path) -> Flaw:
    listed = either(choices)
    if not isinstance(value, str):
        return _flaw(part, path, f"must be {listed}; found {what(value)}")
    near = guess_choice(value, choices)
    meant = f" Did you mean {near.word}?" if near else ""
    words = f"Unknown {_called(path)} {quote(value)}. Expected {listed}.{meant}"
    fix = dump(near.word) if near else None
    return Flaw(part.rule, part.section, path, words, fix=fix, safe=near is not None and near.safe)


def _names(value: Any, shape: Text, part: Part, path: Path) -> Iterator[Flaw]:
    if not isinstance(value, list):
        alone = isinstance(value, str) and shape.takes(value)
        yield _flaw(
            part,
            path,
            f"must be an array; found {what(value)}",
            dump([value]) if alone else None,
            safe=alone,
        )
        return
    seen: set[str] = set()
    for index, one in enumerate(value):
        if not shape.takes(one):
            yield _text(one, shape, part, (*path, index))
        if isinstance(one, str) and one in seen:
            yield Flaw(
                part.rule, part.section, (*path, index), f"{path[-1]} contains {quote(one)} twice."
            )
        if isinstance(one, str):
            seen.add(one)


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
