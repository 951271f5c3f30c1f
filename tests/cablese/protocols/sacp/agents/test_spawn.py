"""Agents that are missing: a request for them, the listener, and the plan tried again."""

import json
from typing import Any

import pytest

from cablese.protocols.sacp.agents import (
    feasible,
    prompt,
    registry,
    report,
    spawn,
)
from cablese.protocols.sacp.agents.library import Tool
from cablese.protocols.sacp.agents.samples import AGENTS, LIBRARY
from cablese.protocols.sacp.codec import codec
from tests.cablese.protocols.sacp.source import HOTEL, read

VISA: dict[str, Any] = {
    "g": "SPAWN_AGENT",
    "msg_id": "m-1",
    "ctx": {
        "missing_capability": "visa_requirements_check",
        "input_hints": ["citizenship", "destination_country", "travel_dates"],
        "output_expectation": "visa_required: true/false",
    },
    "plan": [
        ["define", "VISA_QUERY", {
            "description": "Checks visa requirements for a citizen traveling to a country",
            "inputs": ["nationality", "destination"],
            "outputs": ["visa_required"],
        }],
        ["instantiate", "VISA_AGENT", {"tool": "VISA_QUERY", "verb": "check"}],
    ],
    "out_fmt": "raw",
}  # fmt: skip
"""The request of "14. Appendix D", with an id."""


@pytest.mark.requirement("SACP-31")
def test_a_message_asks_for_the_agent_that_is_missing() -> None:
    message = read(HOTEL[0], ["predict", "WEATHER", {"loc": "Paris"}])
    (steps,) = spawn.find_missing(message, report.look(message, LIBRARY, AGENTS))

    asked = codec.decode(codec.encode(spawn.ask(steps, LIBRARY, AGENTS)))

    assert asked.diagnostics == ()
    assert asked.values["g"] == "SPAWN_AGENT"
    assert asked.values["ctx"] == {
        "missing_capability": "predict_weather", "input_hints": ["loc"],
        "output_expectation": "predictions",
    }  # fmt: skip
    assert [(step["verb"], step["tool"]) for step in asked.values["steps"]] == [
        ("define", "WEATHER"), ("instantiate", "WEATHER_AGENT"),
    ]  # fmt: skip


@pytest.mark.requirement("SACP-32")
def test_the_listener_defines_registers_and_confirms() -> None:
    spawned = spawn.listen(codec.decode(json.dumps(VISA)), LIBRARY, AGENTS)

    assert spawned.reply == {
        "status": "VALID", "details": "Registered: VISA_AGENT (check with VISA_QUERY).",
        "reply_to": "m-1",
    }  # fmt: skip
    agent = registry.get(spawned.agents, "VISA_AGENT")
    assert agent is not None
    assert (agent.inputs, agent.outputs) == (("nationality", "destination"), ("visa_required",))
    tool, verb = spawned.library.tool("VISA_QUERY"), spawned.library.verb("check")
    assert spawned.defined == (verb, tool, agent)
    assert "### Agent Role: VISA_AGENT" in prompt.make_prompt(agent)


@pytest.mark.requirement("SACP-32")
@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        ({"g": "FIND"}, "MALFORMED_MESSAGE", "only answers SPAWN_AGENT"),
        ({"plan": [VISA["plan"][0]]}, "MALFORMED_PLAN", "has no instantiate"),
        ({"plan": [VISA["plan"][1]]}, "BAD_PARAM", "Step 1: tool: "),
        ({"plan": [["define", "X", {"description": "d"}]]}, "BAD_PARAM",
         'Step 1: inputs: Missing key "inputs".'),
        ({"plan": [["delete", "X", {}]]}, "UNKNOWN_VERB", "Step 1: "),
        ({"plan": [VISA["plan"][0], ["instantiate", "HOTEL_FINDER",
         {"tool": "VISA_QUERY", "verb": "check"}]]},
         "BAD_PARAM", "Step 2: Agent HOTEL_FINDER already exists."),
        ({"plan": [VISA["plan"][0], ["instantiate", "A\nB",
         {"tool": "VISA_QUERY", "verb": "check"}]]},
         "BAD_PARAM", "Step 2: agent_name: "),
        ({"plan": [["define", "X", {"description": 5, "inputs": [], "outputs": []}]]}, "BAD_PARAM",
         "description"),
        ({"plan": [["define", "X", {"description": "d", "inputs": 5, "outputs": []}],
         VISA["plan"][1]]},
         "BAD_PARAM", "Step 1: inputs"),
        ({"plan": [["define", "H_API", VISA["plan"][0][2]], VISA["plan"][1]]},
         "BAD_PARAM", "Step 1: Tool H_API already exists."),
        ({"plan": [["instantiate", "H_A", {"tool": "H_API", "verb": "rank"}]]},
         "BAD_PARAM", "H_API does not support rank"),
        ({"plan": [VISA["plan"][0], ["instantiate", "V", {"tool": "VISA_QUERY", "verb": "join"}]]},
         "BAD_PARAM", "join is built in"),
    ],
)  # fmt: skip
def test_a_spawn_that_is_wrong_makes_nothing(
    change: dict[str, object], code: str, words: str
) -> None:
    spawned = spawn.listen(codec.decode(json.dumps(VISA | change)), LIBRARY, AGENTS)

    assert spawned.reply["code"] == code
    assert words in spawned.reply["details"]
    assert (spawned.library, spawned.agents) == (LIBRARY, AGENTS)


@pytest.mark.requirement("SACP-33")
def test_the_original_plan_is_tried_again() -> None:
    message = read(HOTEL[0], ["check", "VISA_QUERY", {"nationality": "FR"}])
    before = feasible.check(message, LIBRARY, AGENTS)

    spawned, after = spawn.retry(message, LIBRARY, AGENTS)

    assert before.answer["code"] == "UNKNOWN_VERB"
    assert [result.made[0].agent_name for result in spawned] == ["VISA_QUERY_AGENT"]
    assert after.feasible
    assert after.assignments[1].agents == ("VISA_QUERY_AGENT",)


@pytest.mark.requirement("SACP-31")
@pytest.mark.requirement("SACP-33")
def test_steps_that_lack_the_same_tool_are_asked_for_together() -> None:
    plan = [["check", "VISA_QUERY", {"nationality": "FR"}], ["renew", "VISA_QUERY", {"days": 30}]]
    message = read(*plan, ["check", "VISA_QUERY", {}])

    (spawned,), after = spawn.retry(message, LIBRARY, AGENTS)

    assert [one.agent_name for one in spawned.made] == ["VISA_QUERY_AGENT", "VISA_QUERY_AGENT_2"]
    tools = [one for one in spawned.defined if isinstance(one, Tool)]
    assert [tool.supported_verbs for tool in tools] == [("check", "renew")]
    assert after.feasible


@pytest.mark.requirement("SACP-33")
@pytest.mark.parametrize(
    ("step", "code"),
    [(["s", "H_API", {"c": 5}], "BAD_PARAM"), (["rank", "H_API", {}], "VERB_TOOL_MISMATCH")],
)
def test_what_no_agent_can_mend_is_not_spawned(step: list[object], code: str) -> None:
    spawned, after = spawn.retry(read(step), LIBRARY, ())

    assert spawned == ()
    assert after.answer["code"] == code


@pytest.mark.requirement("SACP-31")
def test_a_tool_that_is_registered_is_not_defined_again() -> None:
    (spawned,), after = spawn.retry(read(["s", "H_API", {}]), LIBRARY, ())

    assert after.feasible
    assert spawned.defined == spawned.made
    assert spawned.library == LIBRARY
