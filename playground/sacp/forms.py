"""Forms of the SACP pages."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from django import forms

from cablese.protocols.sacp.agents import interface, registry
from cablese.protocols.sacp.agents.definition import BadDefinition, define
from cablese.protocols.sacp.agents.library import Library
from cablese.protocols.sacp.agents.registry import ROLES, Agents
from cablese.protocols.sacp.schema import FORMATS
from playground.sacp.store import TYPES, load, name_of
from playground.workbench.forms import WireField

STEPS, MOST_STEPS = 5, 20
GROUPS = ("A", "B", "C", "D")
JOIN = "MERGE"


class ObjectField(forms.CharField):
    """A JSON object as text. Empty text is an empty object."""

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        return _read_object(text, '{"city": "Paris"}') if text else {}


class RankForm(forms.Form):
    wish = forms.CharField(required=False, max_length=2000)


class QueryForm(forms.Form):
    """A registry query: a verb, comma-separated inputs, and an output type."""

    verb = forms.CharField(required=False, max_length=64)
    inputs = forms.CharField(required=False, max_length=2000)
    output_type = forms.CharField(required=False, max_length=100)

    @property
    def is_empty(self) -> bool:
        return not any(self[name].value() for name in self.fields)

    def clean(self) -> dict[str, Any]:
        sent = {name: value for name, value in self.cleaned_data.items() if value}
        if "inputs" in sent:
            sent["inputs"] = [name for name in re.split(r"[,\s]+", sent["inputs"]) if name]
        try:
            return {"query": registry.read_query(sent)}
        except BadDefinition as bad:
            raise forms.ValidationError(_describe(bad)) from None


class DefinitionForm(forms.Form):
    """A definition as JSON. ``name`` is the name that a revision must keep."""

    body = forms.CharField(max_length=100_000)

    def __init__(self, kind: str, data: dict[str, str], *, name: str | None = None) -> None:
        super().__init__(data)
        self.kind = kind
        self.name = name

    def clean_body(self) -> Any:
        try:
            fields = _read_object(self.cleaned_data["body"], "{…}")
            definition = (
                registry.read_agent(fields, load()[1])
                if self.kind == "agent"
                else define(TYPES[self.kind], fields)
            )
        except BadDefinition as bad:
            raise forms.ValidationError(_describe(bad)) from None
        if self.name not in (None, name_of(definition)):
            raise forms.ValidationError(
                f"A revision cannot change the name {self.name}. Register a new definition instead."
            )
        return definition

    def refuse(self, bad: BadDefinition) -> None:
        self.add_error("body", _describe(bad))


class PlanForm(forms.Form):
    """A message, and the names of agents that fail in its dry run."""

    text = WireField()

    @property
    def failing(self) -> frozenset[str]:
        names = self.data.getlist("failing") if hasattr(self.data, "getlist") else ()
        return frozenset(names)


class TranscriptForm(forms.Form):
    """A transcript, and the default role for unregistered senders."""

    text = WireField()
    role = forms.TypedChoiceField(
        choices=[(role, role) for role in ROLES],
        required=False,
        initial="Executor",
        empty_value="Executor",
    )


class AssembleForm(forms.Form):
    """A goal, a context, and rows of steps, each with a registered pair.

    Rows of one group run at the same time, in place of the first row of the group; a join follows.
    """

    goal = forms.CharField(max_length=200)
    context = ObjectField(required=False, max_length=10_000, label="Context")
    join = forms.CharField(
        required=False, max_length=64, empty_value=JOIN, label="Tool that joins groups"
    )
    out_fmt = forms.ChoiceField(
        choices=[(form, form) for form in FORMATS], initial="raw", label="Result"
    )
    msg_id = forms.CharField(required=False, max_length=200, label="Message ID")
    test_mode = forms.BooleanField(required=False, label="Dry run (test_mode)")

    def __init__(self, pairs: Sequence[tuple[str, str]], data: Any = None) -> None:
        super().__init__(data)
        self.total = _count_rows(data or {})
        choices = [("", "–"), *((f"{verb} {tool}", f"{verb} with {tool}") for verb, tool in pairs)]
        groups = [("", "alone"), *((name, f"group {name}") for name in GROUPS)]
        for number in range(1, self.total + 1):
            self.fields[f"pair{number}"] = forms.ChoiceField(
                choices=choices, required=number == 1, label=f"Step {number}"
            )
            self.fields[f"params{number}"] = ObjectField(
                required=False, max_length=10_000, label=f"Parameters of step {number}"
            )
            self.fields[f"group{number}"] = forms.ChoiceField(
                choices=groups, required=False, label=f"Group of step {number}"
            )

    @property
    def rows(self) -> list[tuple[int, *tuple[forms.BoundField, ...]]]:
        """Return the number of each step with its fields: pair, parameters, and group."""
        return [
            (number, *(self[f"{name}{number}"] for name in ("pair", "params", "group")))
            for number in range(1, self.total + 1)
        ]

    @property
    def is_full(self) -> bool:
        return self.total == MOST_STEPS

    @property
    def join_tool(self) -> str:
        return self["join"].value() or JOIN

    def assemble(self, library: Library, agents: Agents) -> dict[str, Any]:
        """Return the values of the message. Raises BadDefinition for a step that cannot be
        executed.
        """
        sent = self.cleaned_data
        more = {"msg_id": sent["msg_id"], "test_mode": sent["test_mode"]}
        given = [(name, value) for name, value in more.items() if value]
        return interface.assemble(
            sent["goal"],
            sent["context"],
            self._arrange(),
            library,
            agents,
            out_fmt=sent["out_fmt"],
            more=given,
        )

    def _arrange(self) -> list[interface.Pair | interface.Group]:
        sent = self.cleaned_data
        chosen = [number for number in range(1, self.total + 1) if sent[f"pair{number}"]]
        named = [(at, *sent[f"pair{at}"].split(" ")) for at in chosen]
        rows = (
            (interface.Pair(verb, tool, sent[f"params{at}"]), sent[f"group{at}"])
            for at, verb, tool in named
        )
        return interface.arrange(rows, sent["join"])


def _count_rows(data: Mapping[str, Any]) -> int:
    """Return as many rows as were sent, and five more on request."""
    sent = [number for number in range(1, MOST_STEPS + 1) if f"pair{number}" in data]
    return min(max(STEPS, *sent, 0) + (STEPS if "more" in data else 0), MOST_STEPS)


def _read_object(text: str, example: str) -> dict[str, Any]:
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise forms.ValidationError(f"Expected a JSON object, such as {example}.") from None


def _describe(bad: BadDefinition) -> str:
    where = bad.pointer.removeprefix("/")
    return f"{where}: {bad.reason}" if where else bad.reason
