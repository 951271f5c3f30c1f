"""Definitions of verbs, tools, and agents: those of the source, and wrong ones."""

from typing import Any

import pytest

from cablese.protocols.sacp.agents.definition import BadDefinition, define
from cablese.protocols.sacp.agents.library import BUILT_IN, Library, Tool, Verb
from cablese.protocols.sacp.agents.registry import Agent, Published, Query
from cablese.protocols.sacp.agents.samples import LIBRARY
from tests.cablese.protocols.sacp.source import PREDICTOR

RIGHT: dict[type[Any], dict[str, Any]] = {
    Verb: {"name": "a", "description": "b", "inputs": [], "outputs": "string"},
    Tool: {"id": "A", "description": "b", "supported_verbs": ["a"]},
    Agent: PREDICTOR,
    Published: {"agent": "A", "embedding": [0.5], "description": "b"},
    Query: {},
}


@pytest.mark.requirement("SACP-22")
def test_the_verb_of_the_source_is_a_verb() -> None:
    said = {
        "name": "generate",
        "description": "Creates a new textual or code artifact.",
        "inputs": ["type", "length", "topic"],
        "outputs": "string",
    }

    assert define(Verb, said) == LIBRARY.verb("generate")
    assert {verb.name for verb in BUILT_IN} == {"join", "define", "instantiate"}
    assert all(Library().verb(verb.name) is verb for verb in BUILT_IN)


@pytest.mark.requirement("SACP-23")
def test_the_tool_of_the_source_is_a_tool() -> None:
    said = {
        "id": "H_API",
        "description": "External API to search for hotels by filters",
        "interface": "https://api.hotelprovider.com/docs",
        "supported_verbs": ["search"],
    }

    tool = define(Tool, said)

    assert tool == LIBRARY.tool("H_API")
    assert tool.takes("search")
    assert tool.takes("s")
    assert not tool.takes("rank")


@pytest.mark.requirement("SACP-22")
@pytest.mark.parametrize(
    ("kind", "change", "pointer", "words"),
    [
        (Verb, {"name": None}, "/name", "Expected `str`, got `null`."),
        (Verb, {"name": "two words"}, "/name", "without spaces"),
        (Verb, {"name": "line\n"}, "/name", "without spaces"),
        (Verb, {"types": {"a": "text"}}, "/types", "Invalid enum value 'text'."),
        (Verb, {"colour": "red"}, "/colour", 'Unknown key "colour".'),
        (Agent, {"supported_verbs": []}, "/supported_verbs", "length >= 1"),
        (Agent, {"supported_tools": ["A", 5]}, "/supported_tools/1", "Expected `str`"),
        (Agent, {"confidence_score": 1.5}, "/confidence_score", "<= 1"),
    ],
)
def test_a_definition_that_is_wrong_says_where(
    kind: type[Any], change: dict[str, object], pointer: str, words: str
) -> None:
    with pytest.raises(BadDefinition) as bad:
        define(kind, RIGHT[kind] | change)

    assert bad.value.pointer.startswith(pointer)
    assert words in bad.value.reason


@pytest.mark.parametrize(
    ("kind", "key", "longest"),
    [
        (Verb, "description", "x" * 1000),
        (Verb, "inputs", ["x"] * 50),
        (Tool, "description", "x" * 1000),
        (Tool, "supported_verbs", ["x"] * 50),
        (Tool, "interface", "x" * 500),
        (Agent, "supported_verbs", ["x"] * 50),
        (Agent, "supported_tools", ["x"] * 50),
        (Agent, "inputs", ["x"] * 50),
        (Agent, "outputs", ["x"] * 50),
        (Agent, "tags", ["x"] * 50),
        (Agent, "embedding", [0.5] * 4096),
        (Agent, "tool.interface", "x" * 500),
        (Agent, "agent_location", "x" * 500),
        (Agent, "version", "x" * 40),
        (Published, "embedding", [0.5] * 4096),
        (Query, "verb", "x" * 64),
        (Query, "inputs", ["x"] * 50),
        (Query, "output_type", "x" * 100),
    ],
)
def test_a_field_is_as_long_as_it_may_be_and_not_longer(
    kind: type[Any], key: str, longest: Any
) -> None:
    define(kind, RIGHT[kind] | {key: longest})

    with pytest.raises(BadDefinition) as bad:
        define(kind, RIGHT[kind] | {key: longest + longest[:1]})

    assert bad.value.pointer == f"/{key}"
    assert f"length <= {len(longest)}" in bad.value.reason


@pytest.mark.requirement("SACP-25")
@pytest.mark.parametrize("name", list(PREDICTOR))
def test_six_fields_of_an_agent_are_required(name: str) -> None:
    with pytest.raises(BadDefinition) as bad:
        define(Agent, {key: value for key, value in PREDICTOR.items() if key != name})

    assert (bad.value.pointer, bad.value.reason) == (f"/{name}", f'Missing key "{name}".')


@pytest.mark.requirement("SACP-25")
def test_six_more_fields_may_be_given() -> None:
    more = {
        "embedding": [0.012, -0.135, 0.246],
        "tags": ["travel"],
        "tool.interface": "https://example.org/api",
        "confidence_score": 0.8,
        "agent_location": "internal:4",
        "version": "2.1",
    }

    agent = define(Agent, PREDICTOR | more)

    assert (agent.embedding, agent.tags, agent.interface) == (
        (0.012, -0.135, 0.246),
        ("travel",),
        more["tool.interface"],
    )
    assert (agent.confidence_score, agent.agent_location, agent.version) == (
        0.8,
        "internal:4",
        "2.1",
    )
