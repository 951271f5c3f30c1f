"""The outlook of a message with all that is inside it, and with what was withdrawn."""

import json
from typing import Any

import pytest

from cablese.message import Message
from cablese.protocols.sacp.agents import registry, spawn
from cablese.protocols.sacp.agents.library import Library
from cablese.protocols.sacp.agents.report import Gone, Outlook, Withdrawn, look, unfold
from cablese.protocols.sacp.agents.samples import AGENTS, LIBRARY
from cablese.protocols.sacp.codec import codec

SEARCH, FLY = ["s", "H_API", {"c": "Paris"}], ["fly", "KITE", {}]
H_API = next(tool for tool in LIBRARY.tools if tool.id == "H_API")
FINDERS = tuple(agent for agent in AGENTS if "H_API" in agent.supported_tools)


def read(*plans: list[Any]) -> Message:
    """A message with the first plan, and each further one inside the one before."""
    made: dict[str, Any] = {}
    for number, plan in reversed(list(enumerate(plans))):
        made = {"g": f"G{number}", "plan": plan} | ({"subtask": made} if made else {})
    return codec.decode(json.dumps(made))


def see(*plans: list[Any]) -> Outlook:
    return look(read(*plans), LIBRARY, AGENTS)


@pytest.mark.requirement("SACP-14")
@pytest.mark.requirement("SACP-30")
def test_a_subtask_is_part_of_what_is_feasible() -> None:
    outlook = see([SEARCH], [SEARCH])

    assert outlook.feasible
    assert outlook.subtask is not None
    assert outlook.subtask.assignments[0].agents == ("HOTEL_FINDER", "HOTEL_ARCHIVE")
    assert [one.values["g"] for one in unfold(read([SEARCH], [SEARCH]))] == ["G0", "G1"]


@pytest.mark.requirement("SACP-14")
@pytest.mark.requirement("SACP-24")
@pytest.mark.parametrize(
    ("plans", "said"),
    [
        (([SEARCH], [SEARCH, FLY]), 'Subtask, step 2: the verb "fly" is not registered.'),
        (
            ([SEARCH], [SEARCH], [FLY]),
            'Subtask, subtask, step 1: the verb "fly" is not registered.',
        ),
        (([FLY], [FLY]), 'Step 1: the verb "fly" is not registered.'),
    ],
)
def test_an_answer_about_a_subtask_says_so(plans: tuple[list[Any], ...], said: str) -> None:
    outlook = see(*plans)

    assert not outlook.feasible
    assert (outlook.answer["code"], outlook.answer["details"]) == ("UNKNOWN_VERB", said)


@pytest.mark.requirement("SACP-14")
def test_subtasks_are_judged_as_deep_as_json_goes() -> None:
    outlook = see(*[[SEARCH]] * 50, [FLY])

    assert len(outlook.chain) == 51
    assert not outlook.feasible


@pytest.mark.requirement("SACP-14")
def test_a_message_that_is_wrong_is_not_looked_into() -> None:
    for message in (codec.decode("{"), read([], [SEARCH]), read([SEARCH], [])):
        outlook = look(message, LIBRARY, AGENTS)
        assert (outlook.feasible, outlook.subtask) == (False, None)
        assert outlook.answer["status"] != "VALID"


@pytest.mark.requirement("SACP-14")
@pytest.mark.requirement("SACP-31")
@pytest.mark.requirement("SACP-33")
def test_what_a_subtask_lacks_is_spawned_too() -> None:
    message = read([FLY], [FLY, ["land", "KITE", {}]])

    (spawned,), after = spawn.retry(message, LIBRARY, AGENTS)

    assert [one.supported_verbs for one in spawned.made] == [("fly",), ("land",)]
    assert after.feasible


@pytest.mark.requirement("SACP-24")
@pytest.mark.requirement("SACP-30")
def test_a_withdrawn_tool_is_not_registered_and_said_to_be_withdrawn() -> None:
    tools = tuple(tool for tool in LIBRARY.tools if tool != H_API)
    agents = registry.leave_out(AGENTS, verbs=(), tools=(H_API,))

    outlook = look(read([SEARCH]), Library(LIBRARY.verbs, tools), agents, Withdrawn(tools=(H_API,)))

    assert outlook.withdrawn == (Gone("1", "tool", "H_API"),)
    assert (
        outlook.answer["details"] == 'Step 1: the tool "H_API" is not registered: it was withdrawn.'
    )
    assert outlook.obstacles[0].details == outlook.answer["details"]


@pytest.mark.requirement("SACP-24")
def test_a_withdrawn_verb_is_found_by_its_short_form() -> None:
    verb = LIBRARY.verbs[1]
    library = Library(tuple(one for one in LIBRARY.verbs if one != verb), LIBRARY.tools)
    agents = registry.leave_out(AGENTS, verbs=(verb,), tools=())

    outlook = look(read([SEARCH]), library, agents, Withdrawn(verbs=(verb,)))

    assert verb.name == "search"
    assert outlook.withdrawn == (Gone("1", "verb", "search"),)
    assert outlook.answer["details"].endswith("is not registered: it was withdrawn.")


@pytest.mark.requirement("SACP-30")
def test_withdrawn_agents_are_named_where_nobody_is_left() -> None:
    rest = tuple(agent for agent in AGENTS if agent not in FINDERS)

    nobody = look(read([SEARCH]), LIBRARY, rest, Withdrawn(agents=FINDERS))
    another = look(read([SEARCH]), LIBRARY, (*rest, FINDERS[1]), Withdrawn(agents=FINDERS[:1]))

    assert (nobody.answer, nobody.feasible) == ({"status": "VALID"}, False)
    assert [gone.name for gone in nobody.withdrawn] == ["HOTEL_ARCHIVE", "HOTEL_FINDER"]
    assert (another.withdrawn, another.feasible) == ((), True)


@pytest.mark.requirement("SACP-25")
def test_an_agent_loses_what_is_withdrawn_and_goes_when_nothing_is_left() -> None:
    left = registry.leave_out(AGENTS, verbs=(), tools=(H_API,))

    finder = registry.get(left, "HOTEL_FINDER")
    assert finder is not None
    assert finder.supported_tools == ("RANK",)
    assert registry.get(left, "HOTEL_ARCHIVE") is None
