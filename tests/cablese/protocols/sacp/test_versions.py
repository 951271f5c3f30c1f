"""SACP 1.0 beyond its vectors: fixes, what cannot be written, states, dry runs, and the way between
0.1 and 1.0.
"""

import json
from collections import Counter
from random import Random
from typing import Any

import pytest

from cablese import registry
from cablese.codec import Unencodable
from cablese.message import Message
from cablese.protocols.sacp.agents import dryrun, feasible
from cablese.protocols.sacp.agents.answer import answer
from cablese.protocols.sacp.agents.registry import Agent
from cablese.protocols.sacp.agents.samples import AGENTS, LIBRARY
from cablese.protocols.sacp.codec import codec
from cablese.protocols.sacp.reference import REFERENCE
from cablese.protocols.sacp.schema import CODES_10, STATES_10, STEP_10
from cablese.protocols.sacp.tasks import states
from cablese.translation.translate import (
    Translation,
    get_targets,
    get_title,
    translate,
    translate_text,
)
from tests.cablese.hostile import VECTORS, mutate, wires

LATER = "sacp/1.0"
EARLIER = "sacp/0.1"


def step(number: int, *after: str, **more: Any) -> dict[str, Any]:
    waits = {"depends_on": list(after)} if after else {}
    return {"id": f"s{number}", "verb": "run", "tool": f"T{number}", "params": {}, **waits, **more}


def message(*steps: dict[str, Any], **more: Any) -> str:
    held = {
        "proto_ver": "1.0.0", "msg_id": "m1", "ts": "2026-05-09T00:00:00Z", "sender": "A", "g": "FIND",
        "plan": list(steps) or [step(1)], "state": "PENDING",
    }  # fmt: skip
    return json.dumps(held | more, separators=(",", ":"))


def said(translation: Translation) -> dict[str, str]:
    return {row.term: row.verdict for row in translation.ledger}


def fixed(wire: str) -> list[str]:
    """The wire after each of its fixes."""
    fixes = [found.fix for found in codec.decode(wire).diagnostics if found.fix]
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
        for found in before.diagnostics:
            if found.fix and before.dialect == LATER and found.code != "sacp.syntax":
                after = codec.decode(
                    wire[: found.fix.span.start] + found.fix.text + wire[found.fix.span.end :]
                )
                counts = [Counter(one.code for one in each.diagnostics) for each in (before, after)]
                assert counts[1][found.code] < counts[0][found.code], (wire, found)


@pytest.mark.requirement("SACP-36")
def test_a_circle_is_told_once_with_its_steps() -> None:
    found = codec.decode(
        message(step(1, "s3"), step(2, "s1"), step(3, "s2"), step(4, "s3"))
    ).diagnostics

    assert [one.message for one in found] == [
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

    assert [(one.step, one.code) for one in found.obstacles] == [
        ("1", "BAD_PARAM"),
        ("2", "UNKNOWN_VERB"),
    ]
    assert found.assignments[0].agents == ("HOTEL_FINDER", "HOTEL_ARCHIVE")


def cases(dialect: str) -> list[Message]:
    lines = (VECTORS / "sacp.jsonl").read_text("utf-8").split("\n")
    read = [json.loads(line) for line in lines if line]
    decoded = [codec.decode(case["wire"], dialect=case.get("dialect")) for case in read]
    return [one for one in decoded if one.valid and one.dialect == dialect]


@pytest.mark.requirement("SACP-40")
@pytest.mark.parametrize(("dialect", "to"), [(EARLIER, LATER), (LATER, EARLIER)])
def test_each_message_is_converted_and_comes_back_or_is_refused_in_words(
    dialect: str, to: str
) -> None:
    done = 0
    for one in cases(dialect):
        made = translate(one, to)
        if made.refused:
            assert made.wire is None
            continue
        done += 1
        assert made.wire is not None
        assert made.back is not None
        there = codec.decode(made.wire)
        assert (there.valid, there.dialect, made.to) == (True, to, to)
        assert made.back.verdict == "faithful", (one.wire, made.wire, made.back)
        assert {field.name.split(".", 1)[0] for field in one.fields} <= {
            row.source.key.split(".", 1)[0] for row in made.ledger
        }
        assert translate(one, to) == made
    assert done >= 12


@pytest.mark.requirement("SACP-40")
@pytest.mark.parametrize("name", [name for name in registry.get_names() if name != "sacp"])
def test_each_protocol_is_said_in_1_0_and_comes_back(name: str) -> None:
    lines = (VECTORS / f"{name}.jsonl").read_text("utf-8").split("\n")
    read = [json.loads(line) for line in lines if line]
    done = 0
    for case in read:
        made = translate(
            registry.get(name).decode(case["wire"], dialect=case.get("dialect")), LATER
        )
        if made.refused is None:
            done += 1
            assert made.wire is not None
            assert codec.decode(made.wire).dialect == LATER
            assert made.back is not None
            assert made.back.verdict == "faithful", (case["wire"], made.wire, made.back)
    assert done >= 10


@pytest.mark.requirement("SACP-40")
def test_parallel_and_join_become_what_steps_wait_for() -> None:
    plan = [["a", "T", {}], {"parallel": [["b", "T", {}], ["c", "T", {}]]}, ["join", "M", {}]]
    made = translate_text(json.dumps({"g": "FIND", "plan": plan, "state": "IN_PROGRESS"}), LATER)

    assert made.wire is not None
    steps = codec.decode(made.wire).values["steps"]
    assert [(one["id"], one.get("depends_on")) for one in steps] == [
        ("s1", None), ("s2", ["s1"]), ("s3", ["s1"]), ("s4", ["s2", "s3"]),
    ]  # fmt: skip
    assert said(made)["sacp.steps"] == "coerced"
    assert {place.key for place in made.added} == {"msg_id", "ts", "sender"}


@pytest.mark.requirement("SACP-40")
def test_how_parallels_are_nested_is_carried() -> None:
    plan = [{"parallel": [["a", "T", {}], {"parallel": [["b", "T", {}]]}]}, ["join", "M", {}]]
    made = translate_text(json.dumps({"g": "FIND", "plan": plan}), LATER)

    assert said(made)["sacp.groups"] == "renamed"
    assert made.back is not None
    assert made.back.verdict == "faithful"


@pytest.mark.requirement("SACP-40")
def test_what_0_1_has_no_place_for_is_carried_and_said() -> None:
    wire = message(
        {**step(2, timeout_ms=8000), "id": "find"}, {**step(3, "find"), "id": "show"},
        state="WAITING", ext={"org.example": 1},
    )  # fmt: skip
    made = translate_text(wire, EARLIER)

    assert made.wire is not None
    earlier = codec.decode(made.wire).values
    assert earlier["state"] == "IN_PROGRESS"
    assert earlier["ctx"]["x-cablese"]["sacp.timeout_ms"] == {"1": 8000}
    verdicts = said(made)
    assert verdicts["status"] == "approximated"
    assert {
        verdicts[term] for term in ("sacp.id", "sacp.timeout_ms", "sacp.ts", "sacp.ext", "sender")
    } == {"renamed"}
    assert "SACP 0.1 has no status" in next(
        row.words for row in made.ledger if row.term == "status"
    )


@pytest.mark.requirement("SACP-40")
@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ((step(1), step(2), step(3, "s1")), 'Step "s3" does not wait for step "s2"'),
        (
            (step(1), step(2, "s1"), step(3), step(4, "s2", "s3")),
            'Step "s2" does not wait for step "s3"',
        ),
        (
            (step(1, on_error="fallback", fallback_step="s2"), step(2)),
            'Step "s1" falls back to step "s2"',
        ),
    ],
)
def test_a_plan_that_0_1_cannot_say_is_refused(
    steps: tuple[dict[str, Any], ...], words: str
) -> None:
    made = translate_text(message(*steps), EARLIER)

    assert made.wire is None
    assert made.refused is not None
    assert made.refused.startswith(f"{words}, which SACP 0.1 cannot express")


@pytest.mark.requirement("SACP-40")
def test_a_short_reply_has_no_form_in_1_0() -> None:
    assert "no short replies" in str(translate_text('{"status":"VALID"}', LATER).refused)


def test_a_message_is_not_converted_into_its_own_version() -> None:
    assert translate_text(message(), LATER).refused == "The message is already SACP 1.0."
    assert translate_text(message(), "sacp").refused == "The message is already SACP."


def test_targets_have_titles_and_others_are_unknown() -> None:
    assert [get_title(to) for to in get_targets() if to.startswith("sacp")] == [
        "SACP",
        "SACP 0.1",
        "SACP 1.0",
    ]
    for to in ("sacp/2.0", "nlip/draft", "morse/1"):
        with pytest.raises(registry.UnknownProtocol):
            translate_text(message(), to)


NONSENSE: list[dict[str, Any]] = [
    {"sacp.id": 5}, {"sacp.id": ["a", "b", "c"]}, {"sacp.order": [7]}, {"sacp.order": [True]}, {"sacp.groups": [[[]]]},
    {"sacp.groups": {"a": 1}}, {"sacp.timeout_ms": {"9": 1}}, {"sacp.timeout_ms": 3}, {"sacp.steps": 1},
    {"sacp.depends_on": {"1": ["s9"]}}, {"sacp.ext": 7}, {"sacp.error": []}, {"sacp.proto_ver": 3},
    {"sacp.proto_ver": "1.0.7"}, {"id": 7}, {"sender": "a b"},
]  # fmt: skip


@pytest.mark.parametrize("parcel", NONSENSE)
def test_private_fields_that_hold_nonsense_raise_nothing(parcel: dict[str, Any]) -> None:
    earlier = json.dumps({"g": "A", "ctx": {"x-cablese": parcel}, "plan": [["run", "T", {}]]})
    for wire in (earlier, message(ext={"cablese.carried": parcel})):
        for to in get_targets():
            made = translate_text(wire, to)
            assert (made.wire is None) is (made.refused is not None)


@pytest.mark.requirement("SACP-38")
def test_the_page_tells_the_versions_apart_by_their_constants() -> None:
    told = {one.subject: one.says for one in REFERENCE.differences}

    assert told["States"][1] == ", ".join(STATES_10)
    assert told["Error codes"][1] == ", ".join(CODES_10)
    assert all(key in told["A step"][1] for key in STEP_10)
    assert all(len(one.says) == len(codec.dialects) for one in REFERENCE.differences)
