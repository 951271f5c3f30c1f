"""The way between SACP 0.1 and 1.0."""

import json
from typing import Any

import pytest

from cablese import registry
from cablese.message import Message
from cablese.protocols.sacp.codec import codec
from cablese.protocols.sacp.reference import REFERENCE
from cablese.protocols.sacp.schema import CODES_10, STATES_10, STEP_10
from cablese.translation.translate import (
    Translation,
    get_targets,
    get_title,
    translate,
    translate_text,
)
from tests.cablese.hostile import VECTORS
from tests.cablese.protocols.sacp.later import EARLIER, LATER, message, step


def said(translation: Translation) -> dict[str, str]:
    return {row.term: row.verdict for row in translation.ledger}


def cases(dialect: str) -> list[Message]:
    lines = (VECTORS / "sacp.jsonl").read_text("utf-8").split("\n")
    read = [json.loads(line) for line in lines if line]
    decoded = [codec.decode(case["wire"], dialect=case.get("dialect")) for case in read]
    return [source for source in decoded if source.valid and source.dialect == dialect]


@pytest.mark.requirement("SACP-40")
@pytest.mark.parametrize(("dialect", "to"), [(EARLIER, LATER), (LATER, EARLIER)])
def test_each_message_is_converted_and_comes_back_or_is_refused_in_words(
    dialect: str, to: str
) -> None:
    done = 0
    for source in cases(dialect):
        translation = translate(source, to)
        if translation.refused:
            assert translation.wire is None
            continue
        done += 1
        assert translation.wire is not None
        assert translation.back is not None
        target = codec.decode(translation.wire)
        assert (target.valid, target.dialect, translation.to) == (True, to, to)
        assert translation.back.verdict == "faithful", (
            source.wire,
            translation.wire,
            translation.back,
        )
        assert {field.name.split(".", 1)[0] for field in source.fields} <= {
            row.source.key.split(".", 1)[0] for row in translation.ledger
        }
        assert translate(source, to) == translation
    assert done >= 12


@pytest.mark.requirement("SACP-40")
@pytest.mark.parametrize("name", [name for name in registry.get_names() if name != "sacp"])
def test_each_protocol_is_said_in_1_0_and_comes_back(name: str) -> None:
    lines = (VECTORS / f"{name}.jsonl").read_text("utf-8").split("\n")
    read = [json.loads(line) for line in lines if line]
    done = 0
    for case in read:
        translation = translate(
            registry.get(name).decode(case["wire"], dialect=case.get("dialect")), LATER
        )
        if translation.refused is None:
            done += 1
            assert translation.wire is not None
            assert codec.decode(translation.wire).dialect == LATER
            assert translation.back is not None
            assert translation.back.verdict == "faithful", (
                case["wire"],
                translation.wire,
                translation.back,
            )
    assert done >= 10


@pytest.mark.requirement("SACP-40")
def test_parallel_and_join_become_what_steps_wait_for() -> None:
    plan = [["a", "T", {}], {"parallel": [["b", "T", {}], ["c", "T", {}]]}, ["join", "M", {}]]
    translation = translate_text(
        json.dumps({"g": "FIND", "plan": plan, "state": "IN_PROGRESS"}), LATER
    )

    assert translation.wire is not None
    steps = codec.decode(translation.wire).values["steps"]
    assert [(step["id"], step.get("depends_on")) for step in steps] == [
        ("s1", None), ("s2", ["s1"]), ("s3", ["s1"]), ("s4", ["s2", "s3"]),
    ]  # fmt: skip
    assert said(translation)["sacp.steps"] == "coerced"
    assert {place.key for place in translation.added} == {"msg_id", "ts", "sender"}


@pytest.mark.requirement("SACP-40")
def test_how_parallels_are_nested_is_carried() -> None:
    plan = [{"parallel": [["a", "T", {}], {"parallel": [["b", "T", {}]]}]}, ["join", "M", {}]]
    translation = translate_text(json.dumps({"g": "FIND", "plan": plan}), LATER)

    assert said(translation)["sacp.groups"] == "renamed"
    assert translation.back is not None
    assert translation.back.verdict == "faithful"


@pytest.mark.requirement("SACP-40")
def test_what_0_1_has_no_place_for_is_carried_and_said() -> None:
    wire = message(
        {**step(2, timeout_ms=8000), "id": "find"}, {**step(3, "find"), "id": "show"},
        state="WAITING", ext={"org.example": 1},
    )  # fmt: skip
    translation = translate_text(wire, EARLIER)

    assert translation.wire is not None
    earlier = codec.decode(translation.wire).values
    assert earlier["state"] == "IN_PROGRESS"
    assert earlier["ctx"]["x-cablese"]["sacp.timeout_ms"] == {"1": 8000}
    verdicts = said(translation)
    assert verdicts["status"] == "approximated"
    assert {
        verdicts[term] for term in ("sacp.id", "sacp.timeout_ms", "sacp.ts", "sacp.ext", "sender")
    } == {"renamed"}
    assert "SACP 0.1 has no status" in next(
        row.words for row in translation.ledger if row.term == "status"
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
    translation = translate_text(message(*steps), EARLIER)

    assert translation.wire is None
    assert translation.refused is not None
    assert translation.refused.startswith(f"{words}, which SACP 0.1 cannot express")


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
    {"sacp.id": 5}, {"sacp.id": ["a", "b", "c"]}, {"sacp.order": [7]}, {"sacp.order": [True]},
    {"sacp.groups": [[[]]]},
    {"sacp.groups": {"a": 1}}, {"sacp.timeout_ms": {"9": 1}}, {"sacp.timeout_ms": 3},
    {"sacp.steps": 1},
    {"sacp.depends_on": {"1": ["s9"]}}, {"sacp.ext": 7}, {"sacp.error": []}, {"sacp.proto_ver": 3},
    {"sacp.proto_ver": "1.0.7"}, {"id": 7}, {"sender": "a b"},
]  # fmt: skip


@pytest.mark.parametrize("parcel", NONSENSE)
def test_private_fields_that_hold_nonsense_raise_nothing(parcel: dict[str, Any]) -> None:
    earlier = json.dumps({"g": "A", "ctx": {"x-cablese": parcel}, "plan": [["run", "T", {}]]})
    for wire in (earlier, message(ext={"cablese.carried": parcel})):
        for to in get_targets():
            translation = translate_text(wire, to)
            assert (translation.wire is None) is (translation.refused is not None)


@pytest.mark.requirement("SACP-38")
def test_the_page_tells_the_versions_apart_by_their_constants() -> None:
    told = {difference.subject: difference.says for difference in REFERENCE.differences}

    assert told["States"][1] == ", ".join(STATES_10)
    assert told["Error codes"][1] == ", ".join(CODES_10)
    assert all(key in told["A step"][1] for key in STEP_10)
    assert all(len(difference.says) == len(codec.dialects) for difference in REFERENCE.differences)


@pytest.mark.requirement("SACP-40")
@pytest.mark.parametrize(
    ("begin", "limit", "term", "rest", "verdict"),
    [
        ("T|1|Q|obj=", 128, "goal", "x" * 128, "approximated"),
        ("INF/ERR|!=", 1024, "reason", "unstated", "renamed"),
        ("FETCH|HR|return:A|p:1|aacp:1.1|res:", 64, "object", "x" * 64, "approximated"),
    ],
)
def test_a_text_longer_than_1_0_allows_is_cut_or_left_out_and_carried(
    begin: str, limit: int, term: str, rest: str, verdict: str
) -> None:
    fits, carried = (translate_text(begin + "x" * length, LATER) for length in (limit, limit + 1))
    meanings = [codec.meaning(codec.decode(str(made.wire))) for made in (fits, carried)]

    assert [getattr(meaning, term) for meaning in meanings] == ["x" * limit, rest]
    assert [said(made)[term] for made in (fits, carried)] == ["renamed", verdict]
    assert carried.back is not None
    assert carried.back.verdict == "faithful"
