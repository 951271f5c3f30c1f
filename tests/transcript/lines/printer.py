"""One way to print a message on a line, what the line says beside it, and how it is read back."""

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import lru_cache
from types import EllipsisType
from typing import Any

from msgspec import Struct

from cablese import detection
from cablese.transcript import Cut, Facts, split
from tests.transcript.messages import AWKWARD, MESSAGES, SPACED, UNPAIRED, indent

NAMED = ("level", "logger", "trace_id", "span_id", "model")
"""Attributes with names of ours: one that the text does not say must not be there."""

Some = str | None | EllipsisType


class Said(Struct, frozen=True):
    """What a text says beside a message; ``...`` is anything or nothing.

    ``time`` is ISO 8601, naive when the text writes no zone, and begins with ``-`` when it writes
    no year. ``attributes`` holds at least what is listed here.
    """

    time: Some = None
    sender: Some = None
    recipient: Some = None
    attributes: Mapping[str, Any] = {}


SILENT = Said()


class Printer(Struct, frozen=True):
    """A named way to print a message.

    ``lines``: a message of several lines is printed as it is. ``open``: nothing follows the message
    on its line. ``spaced``: a last value with spaces can be told from what follows it.
    """

    name: str
    print: Callable[[str], str]
    said: Said = SILENT
    lines: bool = False
    open: bool = False
    spaced: bool = True


class Case(Struct, frozen=True):
    """A printed text and the messages in it."""

    name: str
    text: str
    wires: tuple[str, ...]
    protocol: str


def cases(printer: Printer) -> Iterator[Case]:
    """Yield each message printed alone, and three in a row."""
    for protocol, three in MESSAGES.items():
        yield Case(f"{protocol} alone", printer.print(three[0]), three[:1], protocol)
        row = "\n".join(map(printer.print, three))
        yield Case(f"{protocol} three in a row", row, three, protocol)
        hard = (*AWKWARD.get(protocol, ()), *(SPACED.get(protocol, ()) if printer.spaced else ()))
        for wire in (*hard, *(UNPAIRED.get(protocol, ()) if printer.open else ())):
            yield Case(f"{protocol} {wire[-12:]}", printer.print(wire), (wire,), protocol)
        if printer.lines and three[0].startswith("{"):
            pretty = tuple(map(indent, three))
            yield Case(f"{protocol} indented", printer.print(pretty[0]), pretty[:1], protocol)
            row = "\n".join(map(printer.print, pretty))
            yield Case(f"{protocol} indented, three in a row", row, pretty, protocol)


@lru_cache(maxsize=1024)
def cuts_of(text: str) -> tuple[Cut, ...]:
    """Return the messages of a text, which is asked for its messages and then for its facts."""
    return split(text).messages


def misread(case: Case) -> str | None:
    """Return how the messages of the text are read wrongly; None when they are right."""
    cuts = cuts_of(case.text)
    wires = tuple(cut.wire for cut in cuts)
    if len(wires) != len(case.wires) or not all(map(is_same, wires, case.wires)):
        pairs = enumerate(zip(wires, case.wires, strict=False))
        at = next((n for n, pair in pairs if not is_same(*pair)), None)
        if at is None:
            return f"{len(wires)} messages, not {len(case.wires)}: {case.text[:200]!r}"
        return f"reads {wires[at]!r} in {case.text[:200]!r}"
    if {cut.protocol for cut in cuts} != {case.protocol}:
        return f"reads {[cut.protocol for cut in cuts]}"
    for cut in cuts:
        if not detection.decode(cut.wire, cut.protocol).valid:
            return f"calls {cut.wire!r} invalid"
    return None


def is_same(wire: str, expected: str) -> bool:
    """Return whether a wire is the message; what indents the lines of one may be part of it
    or not.
    """
    if wire == expected or "\n" not in wire + expected:
        return wire == expected
    try:
        return bool(json.loads(wire) == json.loads(expected))
    except ValueError:
        return False


def misheard(case: Case, said: Said) -> str | None:
    """Return what is read wrongly of the facts that the text states; None when they are right."""
    for cut in cuts_of(case.text):
        for name, wrong in differences(cut.facts, said):
            return f"{name} is {wrong!r} in {case.text[:200]!r}"
    return None


def differences(facts: Facts, said: Said) -> Iterator[tuple[str, object]]:
    """Yield each fact that differs from what the text says, with its value."""
    if not is_time(facts, said.time):
        yield "time", facts.time
    for name, expected in (("sender", said.sender), ("recipient", said.recipient)):
        if expected is not ... and getattr(facts, name) != expected:
            yield name, getattr(facts, name)
    for key in dict.fromkeys((*said.attributes, *NAMED)):
        expected = said.attributes.get(key)
        if expected is not ... and facts.attributes.get(key) != expected:
            yield key, facts.attributes.get(key)


def is_time(facts: Facts, expected: Some) -> bool:
    """Return whether the time is the expected one, with or without a zone as it is."""
    if expected is ...:
        return True
    if expected is None or facts.time is None:
        return facts.time is None and expected is None
    assert isinstance(expected, str)
    moment = facts.time.moment
    if expected.startswith("-"):
        wanted = datetime.fromisoformat(f"2000{expected}")
        return not facts.time.has_year and moment.replace(tzinfo=None, year=2000) == wanted
    wanted = datetime.fromisoformat(expected)
    return (
        facts.time.has_year
        and (moment.tzinfo is None) == (wanted.tzinfo is None)
        and moment == wanted
    )
