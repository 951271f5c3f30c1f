"""SACP 1.0 beyond its vectors: fixes, what cannot be written, states, and dry runs."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from cablese.codec import Unencodable
from cablese.message import Message
from cablese.protocols.sacp.agents import dryrun, feasible
from cablese.protocols.sacp.agents.answer import answer
from cablese.protocols.sacp.agents.registry import Agent
from cablese.protocols.sacp.agents.samples import AGENTS, LIBRARY
from cablese.protocols.sacp.codec import codec
from cablese.protocols.sacp.tasks import states
from tests.cablese.hostile import mutate, wires
from tests.cablese.protocols.sacp.later import LATER, message, step


def fixed(wire: str) -> list[str]:
    """The wire after each of its fixes."""
    fixes = [diagnostic.fix for diagnostic in codec.decode(wire).diagnostics if diagnostic.fix]
    return [wire[: fix.span.start] + fix.text + wire[fix.span.end :] for fix in fixes]


@pytest.mark.requirement("SACP-34")
@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ('"1.0.0"', '"1.0"'),
        ('"m1"', '" m1"'),
        ('"2026-05-09T00:00:00Z"', '"2026-05-09t00:00:00+00:00"'),
        ('"PENDING"', '"pending"'),
        ('"sender"', '"from"'),
        ('{"id":"s1","verb":"run","tool":"T1","params":{}}', '["run","T1",{}]'),
    ],
)
def test_a_fix_gives_the_message_that_was_meant(wrong: str, right: str) -> None:
    wire = message()

    assert wire in fixed(wire.replace(wrong, right, 1))


@pytest.mark.parametrize(
    "wire",
    [
        message(state="done"),
        message(step(1, on_error="Fallback")),
        message(step(1), {**step(2), "depends_on": "s3"}),
        message(step(1), {**step(2), "id": 1}, {**step(3), "id": "1"}),
        message(ts="2026-05-09T00:00:00+02:00"),
        '{"g":"A","plan":[["run","T",{}]],"proto_ver":1.0}',
    ],
)
def test_it_offers_no_fix_that_would_bring_another_error(wire: str) -> None:
    assert codec.decode(wire).diagnostics
    assert fixed(wire) == []


def test_no_fix_of_a_spoilt_message_brings_a_new_error() -> None:
    random = Random(20261122)
    later = [wire for wire in wires("sacp") if codec.decode(wire).dialect == LATER]
    for _ in range(3000):
        wire = mutate(random.choice(later), random)
        before = codec.decode(wire)
        for diagnostic in before.diagnostics:
            if diagnostic.fix and before.dialect == LATER and diagnostic.code != "sacp.syntax":
                after = codec.decode(
                    wire[: diagnostic.fix.span.start]
                    + diagnostic.fix.text
                    + wire[diagnostic.fix.span.end :]
                )
                counts = [
                    Counter(diagnostic.code for diagnostic in each.diagnostics)
                    for each in (before, after)
                ]
                assert counts[1][diagnostic.code] < counts[0][diagnostic.code], (wire, diagnostic)


@pytest.mark.requirement("SACP-36")
def test_a_circle_is_told_once_with_its_steps() -> None:
    diagnostics = codec.decode(
        message(step(1, "s3"), step(2, "s1"), step(3, "s2"), step(4, "s3"))
    ).diagnostics

    assert [diagnostic.message for diagnostic in diagnostics] == [
        'Step 1: It depends on itself: "s1" → "s3" → "s2" → "s1".'
    ]


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"msg_id": None}, "/msg_id"),
        ({"mood": "calm"}, "/mood"),
        ({"steps": []}, "/steps"),
        ({"steps": [step(1, "s2")]}, "/steps/0/depends_on/0"),
        ({"steps": [{"id": "s1", "verb": "a", "tool": "T"}]}, "/steps/0/params"),
        ({"state": "LATE"}, "/state"),
        ({"status": "VALID"}, "/status"),
    ],
)
def test_it_says_where_values_cannot_be_written(change: dict[str, Any], pointer: str) -> None:
    values = codec.decode(message()).values | change
    values = {key: value for key, value in values.items() if value is not None}

    with pytest.raises(Unencodable) as raised:
        codec.encode(values, dialect=LATER)

    assert raised.value.pointer == pointer


def test_the_version_is_written_where_the_dialect_is_named() -> None:
    values = codec.decode(message()).values

    wire = codec.encode(
        {key: value for key, value in values.items() if key != "proto_ver"}, dialect=LATER
    )

    assert wire == message()


@pytest.mark.parametrize(
    ("wire", "code"),
    [
        (message(plan=[]), "MALFORMED_PLAN"),
        (message(proto_ver="1.2.0"), "BAD_LIFECYCLE"),
        (message(step(1, "s9")), "MALFORMED_PLAN"),
        (message(state="DONE"), "MISSING_FIELD"),
    ],
)
def test_it_answers_in_the_short_form(wire: str, code: str) -> None:
    reply = answer(codec.decode(wire))

    assert (reply["status"], reply["code"]) == ("ERR", code)
    assert codec.decode(codec.encode(reply)).valid


@pytest.mark.requirement("SACP-37")
def test_the_states_of_1_0_follow_their_own_table() -> None:
    def tell(number: int, state: str) -> Message:
        above = {"reply_to": "m0"} if number else {}
        outcome: dict[str, Any] = {"result": {"outputs": {}}} if state == "DONE" else {}
        return codec.decode(message(msg_id=f"m{number}", state=state, **above, **outcome))

    told = ("PENDING", "ACCEPTED", "IN_PROGRESS", "WAITING", "IN_PROGRESS", "DONE", "IN_PROGRESS")
    (history,) = states.track(tell(number, state) for number, state in enumerate(told))
    (short,) = states.track([tell(0, "PENDING"), tell(1, "IN_PROGRESS")])

    assert [move.state for move in history.moves] == list(told)
    assert [move.reason for move in history.moves] == [
        *[None] * 6, "IN_PROGRESS cannot follow DONE: the message has ended.",
    ]  # fmt: skip
    assert (
        short.moves[1].reason == "IN_PROGRESS cannot follow PENDING; expected ACCEPTED in between."
    )


def agents(*able: int) -> tuple[Agent, ...]:
    return tuple(Agent(f"A{one}", ("run",), (f"T{one}",), (), ("x",), "Runs") for one in able)


def rehearse(*steps: dict[str, Any], able: tuple[int, ...]) -> dryrun.DryRun:
    return dryrun.rehearse(codec.decode(message(*steps)).values, agents(*able))


def ended(run: dryrun.DryRun) -> dict[str, tuple[int, str]]:
    """The wave and the last state of each step."""
    return {event.step: (event.wave, event.state) for event in run.events if event.step}


@pytest.mark.requirement("SACP-41")
def test_steps_begin_when_all_that_they_wait_for_are_done() -> None:
    run = rehearse(step(4, "s2", "s3"), step(1), step(2, "s1"), step(3), able=(1, 2, 3, 4))

    assert run.history == ("PENDING", "ACCEPTED", "IN_PROGRESS", "DONE")
    assert ended(run) == {"2": (1, "DONE"), "4": (1, "DONE"), "3": (2, "DONE"), "1": (3, "DONE")}


@pytest.mark.requirement("SACP-41")
def test_a_failure_ends_the_message_unless_the_step_says_otherwise() -> None:
    fast = rehearse(step(1), step(2, "s1"), able=(2,))
    goes_on = rehearse(step(1, on_error="continue"), step(2, "s1"), step(3), able=(2, 3))

    assert (fast.state, fast.not_begun) == ("FAILED", ("2",))
    assert (goes_on.state, goes_on.not_begun) == ("DONE", ("2",))
    assert ended(goes_on)["3"] == (1, "DONE")


@pytest.mark.requirement("SACP-41")
def test_a_fallback_is_carried_out_only_in_the_place_of_a_step_that_failed() -> None:
    plan = (step(1, on_error="fallback", fallback_step="s9"), step(2, "s1"), step(9))

    well = rehearse(*plan, able=(1, 2, 9))
    badly = rehearse(*plan, able=(2, 9))
    worst = rehearse(*plan, able=(2,))

    assert (well.state, set(ended(well)), well.not_begun) == ("DONE", {"1", "2"}, ())
    assert (badly.state, ended(badly)["3"], ended(badly)["2"]) == ("DONE", (1, "DONE"), (2, "DONE"))
    assert (worst.state, worst.not_begun) == ("FAILED", ("2",))


@pytest.mark.requirement("SACP-41")
def test_steps_of_1_0_are_looked_up_like_those_of_0_1() -> None:
    search = {"id": "find", "verb": "s", "tool": "H_API", "params": {"p_max": "cheap"}}
    found = feasible.check(codec.decode(message(search, step(2, "find"))), LIBRARY, AGENTS)

    assert [(obstacle.step, obstacle.code) for obstacle in found.obstacles] == [
        ("1", "BAD_PARAM"),
        ("2", "UNKNOWN_VERB"),
    ]
    assert found.assignments[0].agents == ("HOTEL_FINDER", "HOTEL_ARCHIVE")


@pytest.mark.parametrize(("steps", "codes"), [(248, []), (249, ["sacp.too-many-fields"])])
def test_a_message_has_at_most_a_thousand_fields(steps: int, codes: list[str]) -> None:
    """Seven of the message, and four of each step."""
    diagnostics = codec.decode(message(*map(step, range(steps)))).diagnostics

    assert [diagnostic.code for diagnostic in diagnostics] == codes
