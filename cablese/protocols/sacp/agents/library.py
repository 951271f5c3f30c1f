"""Hold the verbs and tools that agents share ("10. Verb/Tool Library").

A library never changes: registering returns another one. The source requires four fields of a verb
and three of a tool. ``types`` is ours: the type of an input ("8. Message Validator": "Verify param
types").
"""

from typing import Annotated, Any

from msgspec import Meta, Struct

from cablese.protocols.sacp.aliases import expand_key, expand_verb

from .definition import BadDefinition, Description, Kind, Name, Path


class Verb(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A verb, with the inputs that it expects and its outputs."""

    name: Name
    description: Description
    inputs: Annotated[tuple[Path, ...], Meta(max_length=50)]
    outputs: str | list[str] | dict[str, Any]
    types: dict[str, Kind] = {}
    """The type of an input, by its name. Other inputs take any value."""

    def type_of(self, key: str) -> Kind | None:
        """Return the type of a parameter, under its short or its full name."""
        full = expand_key(key, self.name)
        return next(
            (kind for name, kind in self.types.items() if expand_key(name, self.name) == full), None
        )


class Tool(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A tool, with the verbs that it supports."""

    id: Name
    description: Description
    supported_verbs: Annotated[tuple[Name, ...], Meta(min_length=1, max_length=50)]
    interface: Annotated[str, Meta(max_length=500)] | None = None

    def takes(self, verb: str) -> bool:
        return expand_verb(verb) in map(expand_verb, self.supported_verbs)


BUILT_IN = (
    Verb("join", "Combines the results of parallel steps.", (), "object"),
    Verb(
        "define",
        "Describes a new tool: its purpose, inputs, and outputs.",
        ("description", "inputs", "outputs"),
        "string",
        {"description": "string", "inputs": "array", "outputs": "array"},
    ),
    Verb(
        "instantiate",
        "Creates an agent for one verb and one tool.",
        ("tool", "verb"),
        "string",
        {"tool": "string", "verb": "string"},
    ),
)
"""Verbs that every agent knows. They take any tool: it names what they create ("14. Appendix D").
"""


class Library(Struct, frozen=True):
    """All registered verbs and tools."""

    verbs: tuple[Verb, ...] = ()
    tools: tuple[Tool, ...] = ()

    def verb(self, name: str) -> Verb | None:
        """Return the verb of that name or alias. Built-in verbs come first."""
        full = expand_verb(name)
        return next(
            (verb for verb in (*BUILT_IN, *self.verbs) if expand_verb(verb.name) == full), None
        )

    def tool(self, name: str) -> Tool | None:
        return next((tool for tool in self.tools if tool.id == name), None)

    def with_verb(self, verb: Verb) -> "Library":
        """Return a library in which ``verb`` replaces one of the same name. Raises BadDefinition.

        A built-in verb cannot be replaced, and a short form cannot be a verb: no one would find it.
        """
        if is_built_in(verb.name):
            raise BadDefinition("/name", f"{verb.name} is built in and cannot be replaced.")
        if expand_verb(verb.name) != verb.name:
            raise BadDefinition("/name", f"{verb.name} is short for {expand_verb(verb.name)}.")
        return Library(
            (*(known for known in self.verbs if known.name != verb.name), verb), self.tools
        )

    def with_tool(self, tool: Tool) -> "Library":
        """Return a library in which ``tool`` replaces one of the same ID."""
        return Library(self.verbs, (*(known for known in self.tools if known.id != tool.id), tool))


def is_built_in(verb: str) -> bool:
    """Return whether a verb, or the verb it is short for, belongs to every library."""
    return any(known.name == expand_verb(verb) for known in BUILT_IN)
