"""Packets from structured input, without a model (section 6.1).

A workflow is data: its inputs and its hops. Each hop has templates for the fields of its packet and
for the English that it replaces, in which ``{period}`` is an input. The same inputs give the same
bytes.
"""

import calendar
import re
from collections.abc import Mapping
from datetime import date
from string import Formatter

from msgspec import Struct

from cablese.codec import Unencodable
from cablese.json import pointer
from cablese.protocols.aacp.codec import codec
from cablese.protocols.aacp.tables import VERSION
from cablese.text import quote


class Kind(Struct, frozen=True, gc=False):
    """What an input may hold: a regular expression that HTML forms understand too, and the same in
    words.
    """

    pattern: str
    hint: str
    calendar: bool = False
    """The text is a month or a day, which the calendar must know."""


class Input(Struct, frozen=True, gc=False):
    """One thing that a workflow asks for. ``example`` fits, and is what the source's own packets
    hold.
    """

    name: str
    label: str
    kind: Kind
    example: str


class Hop(Struct, frozen=True, gc=False):
    """One packet of a workflow. ``english`` is the instruction that it replaces; ``quoted`` when it
    is the source's.
    """

    title: str
    english: str
    task: str
    dom: str
    agent: str
    priority: str
    fields: dict[str, str]
    quoted: bool = False

    @property
    def needs(self) -> tuple[str, ...]:
        """Return the inputs of the packet, in the order of its fields."""
        return tuple(
            dict.fromkeys(
                name
                for text in self.fields.values()
                for _, name, _, _ in Formatter().parse(text)
                if name
            )
        )


class Workflow(Struct, frozen=True, gc=False):
    name: str
    title: str
    summary: str
    requirement: str
    inputs: tuple[Input, ...]
    hops: tuple[Hop, ...]

    @property
    def example(self) -> dict[str, str]:
        return {field.name: field.example for field in self.inputs}


def encode_hops(workflow: Workflow, inputs: Mapping[str, object]) -> tuple[str, ...]:
    """Return a packet for each hop. Raises Unencodable with the pointer of the wrong input."""
    given = check_inputs(workflow, inputs)
    return tuple(codec.encode(_values(hop, given)) for hop in workflow.hops)


def tell_hops(workflow: Workflow, inputs: Mapping[str, object]) -> tuple[str, ...]:
    """Return the English instruction of each hop. Raises as `encode_hops` does."""
    given = check_inputs(workflow, inputs)
    values = given | {
        f"{field.name}_end": _last_day(given[field.name])
        for field in workflow.inputs
        if field.kind.calendar and field.example.count("-") == 1  # a month
    }
    return tuple(hop.english.format_map(values) for hop in workflow.hops)


def check_inputs(workflow: Workflow, inputs: Mapping[str, object]) -> dict[str, str]:
    """Return the inputs in the workflow's order. Raises Unencodable."""
    names = [field.name for field in workflow.inputs]
    for name in inputs:
        if name not in names:
            raise Unencodable(
                pointer.join(name),
                f"{workflow.title} has no input {quote(str(name))}. Expected {', '.join(names)}.",
            )
    return {field.name: check_input(field, inputs.get(field.name)) for field in workflow.inputs}


def check_input(wanted: Input, text: object) -> str:
    """Return the text of one input. Raises Unencodable."""

    def refuse(reason: str) -> Unencodable:
        return Unencodable(pointer.join(wanted.name), f"{wanted.label} {reason}")

    if text is None or text == "":
        raise refuse(f"is missing. Expected {wanted.kind.hint}, such as {wanted.example}.")
    if not isinstance(text, str):
        raise refuse(f"must be text: {wanted.kind.hint}, such as {wanted.example}.")
    if not re.fullmatch(wanted.kind.pattern, text):
        raise refuse(f"is {quote(text)}. Expected {wanted.kind.hint}, such as {wanted.example}.")
    if wanted.kind.calendar and not _is_day(text):
        raise refuse(f"is {text}, which is not a calendar date.")
    return text


def _values(hop: Hop, given: dict[str, str]) -> dict[str, str]:
    return {
        "task": hop.task,
        "dom": hop.dom,
        "return": hop.agent,
        "p": hop.priority,
        "aacp": VERSION,
        **{key: text.format_map(given) for key, text in hop.fields.items()},
    }


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text if text.count("-") > 1 else f"{text}-01")
    except ValueError:
        return False
    return True


def _last_day(month: str) -> str:
    """``31 August 2024`` for ``2024-08``."""
    year, number = int(month[:4]), int(month[5:])
    return f"{calendar.monthrange(year, number)[1]} {MONTHS[number - 1]} {year}"


# Not from the calendar module, whose names depend on the locale.
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
