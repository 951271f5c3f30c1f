"""What the pages of SACP take from browsers."""

from collections.abc import Sequence
from typing import Any

import msgspec
from django import forms

from playground.capabilities import TYPES, name_of
from playground.forms import WireField
from protocols.sacp import interface
from protocols.sacp.definition import BadDefinition, define
from protocols.sacp.interface import Pair
from protocols.sacp.library import Library
from protocols.sacp.registry import Agents
from protocols.sacp.schema import FORMATS

STEPS = 5


class ObjectField(forms.CharField):
    """A JSON object as text; nothing is an empty one."""

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return _read_object(text, '{"city": "Paris"}') if text else {}


class LikenessForm(forms.Form):
    wish = forms.CharField(required=False, max_length=2000)


class DefinitionForm(forms.Form):
    """A definition as JSON; ``name`` is what it must stay."""

    body = forms.CharField(max_length=100_000)

    def __init__(self, kind: str, data: dict[str, str], *, name: str | None = None) -> None:
        super().__init__(data)
        self.kind = kind
        self.name = name

    def clean_body(self) -> Any:
        try:
            made = define(TYPES[self.kind], _read_object(self.cleaned_data["body"], "{…}"))
        except BadDefinition as bad:
            raise forms.ValidationError(_told(bad)) from None
        if self.name not in (None, name_of(made)):
            raise forms.ValidationError(f"A revision keeps its name, {self.name}. Register another one instead.")
        return made

    def refuse(self, bad: BadDefinition) -> None:
        self.add_error("body", _told(bad))


class PlanForm(forms.Form):
    """A message, and the names of agents that shall fail in its dry run."""

    text = WireField()

    @property
    def failing(self) -> frozenset[str]:
        names = self.data.getlist("failing") if hasattr(self.data, "getlist") else ()
        return frozenset(names)


class AssembleForm(forms.Form):
    """A goal, a context, and up to five steps, each one of the pairs that are registered."""

    goal = forms.CharField(max_length=200)
    context = ObjectField(required=False, max_length=10_000, label="Context")
    out_fmt = forms.ChoiceField(choices=[(one, one) for one in FORMATS], initial="raw", label="Result")
    msg_id = forms.CharField(required=False, max_length=200, label="Id of the message")
    test_mode = forms.BooleanField(required=False, label="Dry run (test_mode)")

    def __init__(self, pairs: Sequence[tuple[str, str]], data: Any = None) -> None:
        super().__init__(data)
        choices = [("", "–"), *((f"{verb} {tool}", f"{verb} with {tool}") for verb, tool in pairs)]
        for number in range(1, STEPS + 1):
            self.fields[f"pair{number}"] = forms.ChoiceField(
                choices=choices, required=number == 1, label=f"Step {number}"
            )
            self.fields[f"params{number}"] = ObjectField(
                required=False, max_length=10_000, label=f"Parameters of step {number}"
            )

    @property
    def steps(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
        return [(self[f"pair{number}"], self[f"params{number}"]) for number in range(1, STEPS + 1)]

    def assemble(self, library: Library, agents: Agents) -> dict[str, Any]:
        """The values of the message. Raises BadDefinition for a step that cannot be carried out."""
        sent = self.cleaned_data
        named = [(sent[f"pair{number}"].split(" "), sent[f"params{number}"]) for number in range(1, STEPS + 1)]
        pairs = [Pair(pair[0], pair[1], params) for pair, params in named if len(pair) == 2]
        more = {"msg_id": sent["msg_id"], "test_mode": sent["test_mode"]}
        given = [(name, value) for name, value in more.items() if value]
        return interface.assemble(
            sent["goal"], sent["context"], pairs, library, agents, out_fmt=sent["out_fmt"], more=given
        )


def _read_object(text: str, such_as: str) -> dict[str, Any]:
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise forms.ValidationError(f"This must be a JSON object, such as {such_as}.") from None


def _told(bad: BadDefinition) -> str:
    where = bad.pointer.removeprefix("/")
    return f"{where}: {bad.reason}" if where else bad.reason
