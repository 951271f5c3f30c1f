"""One record that carries messages, printed minified and indented, and where they are found
in it.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

from cablese.transcript import Cut, split
from tests.transcript.lines.printer import SILENT, Case, Said, cuts_of, differences, misread
from tests.transcript.messages import AWKWARD, MESSAGES, SPACED, indent

SENTINEL = "REQ/TSK|g=7,t=7"
DEPTH = 8


class Wrapper(Struct, frozen=True):
    """A named record. ``build`` takes what is put into it: texts, or objects where it ``holds``
    them.

    ``many``: it takes several at once, and all of them are messages.
    """

    name: str
    build: Callable[..., Any]
    said: Said = SILENT
    holds: bool = False
    many: bool = False


def cases(wrapper: Wrapper) -> Iterator[Case]:
    """Yield each message in each way to print the record, alone and in threes."""
    for protocol, three in MESSAGES.items():
        yield from _printed(wrapper, protocol, "text", three, three)
        if wrapper.holds and three[0].startswith("{"):
            yield from _printed(wrapper, protocol, "object", three, tuple(map(json.loads, three)))
        for wire in (*AWKWARD.get(protocol, ()), *SPACED.get(protocol, ())):
            yield Case(f"{protocol} {wire[-12:]}", minified(wrapper.build(wire)), (wire,), protocol)
        yield Case(
            f"{protocol} with a line end",
            minified(wrapper.build(three[0] + "\n")),
            three[:1],
            protocol,
        )
        if three[0].startswith("{"):
            pretty = indent(three[0])
            yield Case(
                f"{protocol} indented inside", minified(wrapper.build(pretty)), (pretty,), protocol
            )


def _printed(
    wrapper: Wrapper, protocol: str, form: str, wires: tuple[str, ...], puts: tuple[Any, ...]
) -> Iterator[Case]:
    for style, dump in (
        ("minified", minified),
        ("indent 2", indented(2)),
        ("indent 4", indented(4)),
    ):
        name = f"{protocol} {form} {style}"
        records = [wrapper.build(put) for put in puts]
        yield Case(f"{name} alone", dump(records[0]), wires[:1], protocol)
        yield Case(f"{name} three records", "\n".join(map(dump, records)), wires, protocol)
        yield Case(f"{name} array", dump(records), wires, protocol)
        if wrapper.many:
            yield Case(f"{name} three in one", dump(wrapper.build(*puts)), wires, protocol)


def minified(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def indented(width: int) -> Callable[[Any], str]:
    return lambda value: json.dumps(value, indent=width, ensure_ascii=False)


def unread(wrapper: Wrapper) -> list[str]:
    """Return what is read wrongly of the messages in the record, each with its case, and of their
    places.
    """
    wrong = [f"{case.name}: {why}" for case in cases(wrapper) if (why := misread(case))]
    return [*wrong, *_misplaced(wrapper)]


def unheard(wrapper: Wrapper) -> list[str]:
    """Return what is read wrongly of the facts that the record states, each with its case."""
    return [
        f"{case.name}: {name} is {value!r} in {case.text[:200]!r}"
        for case in cases(wrapper)
        for cut in cuts_of(case.text)
        for name, value in differences(_with_sides(cut), wrapper.said)
    ]


def _with_sides(cut: Cut) -> Any:
    """Return the facts, with the parties that the wrapper names where no fact does."""
    sides = cut.carrier.sides if cut.carrier else (None, None)
    facts = cut.facts
    return type(facts)(
        facts.time,
        facts.sender or sides[0],
        facts.recipient or sides[1],
        facts.thread,
        facts.attributes,
    )


def _misplaced(wrapper: Wrapper) -> Iterator[str]:
    record = wrapper.build(SENTINEL)
    expected = list(places(record))
    for dump in (minified, indented(2)):
        for cut in split(dump(record)).messages:
            found = () if cut.carrier is None else tuple(level.path for level in cut.carrier.levels)
            if found not in expected:
                yield f"place: {found} is none of {expected}"


def places(value: Any, path: str = "") -> Iterator[tuple[str, ...]]:
    """Yield where the sentinel is: a JSON pointer for each level, those of JSON in a string after
    its own.
    """
    if isinstance(value, str):
        inner = _load(value)
        if isinstance(inner, dict | list):
            yield from ((path, *rest) for rest in places(inner))
        elif SENTINEL in value:
            yield (path,)
    elif isinstance(value, list) and not path and value and isinstance(value[0], dict):
        for item in value:  # each object of a list is a record of its own
            yield from places(item)
    elif isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            step = str(key).replace("~", "~0").replace("/", "~1")
            yield from places(item, f"{path}/{step}")


def _load(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None
