"""Translations: the ledger is true, the return trip is real, and what has no faithful form is
refused.
"""

import json
from collections.abc import Iterator
from random import Random
from typing import Any, get_args

import pytest

from cablese import detection, registry
from cablese.meaning import Act
from cablese.message import Message
from cablese.translation.statement import TERMS, Statement
from cablese.translation.translate import (
    ENGLISH,
    JSON,
    Translation,
    get_targets,
    translate,
    translate_text,
)
from tests.cablese.hostile import VECTORS, mutate

NAMES = registry.get_names()
TARGETS = [to for to in get_targets() if to not in (ENGLISH, JSON)]
PAIRS = pytest.mark.parametrize(
    ("name", "to"), [(name, to) for name in NAMES for to in TARGETS if to != name]
)
"""Each protocol into each other one and each dialect that is a target, those of its own
included.
"""
EACH = pytest.mark.parametrize("name", NAMES)
ACTS = get_args(Act)


def messages(name: str, *, valid: bool = True) -> Iterator[Message]:
    """The messages of one protocol's vectors."""
    for line in (VECTORS / f"{name}.jsonl").read_text("utf-8").split("\n"):
        case = json.loads(line) if line else {}
        if case and case["valid"] is valid:
            yield registry.get(name).decode(case["wire"], dialect=case.get("dialect"))


def said(statement: Statement, name: str) -> Any:
    return getattr(statement.meaning, name) if name in TERMS else statement.extras.get(name)


def words(translation: Translation) -> dict[str, str]:
    return {row.term: row.verdict for row in translation.ledger}


@PAIRS
def test_each_message_there_and_back_yields_the_ledger_that_is_claimed(name: str, to: str) -> None:
    for message in messages(name):
        _check(message, to)


@EACH
def test_spoilt_messages_that_are_valid_still_yield_the_ledger_that_is_claimed(name: str) -> None:
    random = Random(20261121)
    whole, valid = [message.wire for message in messages(name)], 0
    for _ in range(700):
        message = registry.get(name).decode(mutate(random.choice(whole), random))
        if message.valid:
            valid += 1
            for to in TARGETS:
                _check(message, to)
    assert valid >= 20


def _check(message: Message, to: str) -> None:
    translation = translate(message, to)
    if translation.refused:
        assert translation.wire is None
        return
    assert translation.wire is not None
    assert translation.back is not None
    assert translation.back.wire is not None
    codec, into = registry.get(message.protocol), registry.get(to.partition("/")[0])
    target = into.decode(translation.wire)
    assert target.valid
    assert translation.valid
    assert to in (target.protocol, target.dialect)
    returned = codec.decode(translation.back.wire, dialect=message.dialect)
    if codec is into:
        states = (
            codec.state_across(message),
            into.state_across(target),
            codec.state_across(returned),
        )
    else:
        states = (codec.state(message), into.state(target), codec.state(returned))
    _check_rows(message, target, states, translation)
    _check_return(message, states[0], returned, translation)


def _check_rows(
    message: Message,
    there: Message,
    states: tuple[Statement, Statement, Statement],
    made: Translation,
) -> None:
    source, target, again = states
    into = registry.get(there.protocol)
    fields = {field.name.split(".", 1)[0] for field in message.fields}
    assert fields <= {row.source.key.split(".", 1)[0] for row in made.ledger}, (
        "a field without a row"
    )
    assert set(source.places) <= {row.term for row in made.ledger}, "a term without a row"
    for row in made.ledger:
        if source.places.get(row.term) != row.source:  # a repeated field may be called as a term is
            assert row.verdict == "dropped"
        elif row.verdict in ("kept", "renamed", "coerced"):
            assert said(again, row.term) == said(source, row.term), (row, made.wire)
        elif row.verdict == "approximated":
            assert row.target is not None
            assert row.target.key in {field.name for field in there.fields} | {""}
            assert (said(again, row.term) == said(source, row.term)) is row.returns
            if row.term == "act":
                assert into.meaning(there).act != source.meaning.act
                if source.outcome is None and source.meaning.status is None:
                    assert into.meaning(there).act == into.acts[source.meaning.act]
        else:
            assert row.term not in target.places
            assert said(target, row.term) in (None, ())
        if row.verdict == "kept":
            assert row.source == row.target
        if row.verdict == "coerced":
            assert row.target is not None
            assert row.source.value != row.target.value


def _check_return(message: Message, source: Statement, back: Message, made: Translation) -> None:
    lost = [row for row in made.ledger if row.term in source.places and not row.returns]
    assert made.back is not None
    if not lost:
        assert made.back.verdict == "faithful", (made.wire, made.back)
        assert back.values == message.values
    if made.back.verdict == "faithful":
        assert not made.back.differences


@PAIRS
def test_where_private_fields_are_allowed_everything_comes_back(name: str, to: str) -> None:
    if not registry.get(to.partition("/")[0]).carries:
        return
    for message in messages(name):
        translation = translate(message, to)
        if translation.refused is None:
            assert translation.back is not None
            assert translation.back.verdict == "faithful", (
                message.wire,
                translation.wire,
                translation.back,
            )


@PAIRS
def test_a_translation_is_the_same_each_time_and_is_detected_as_what_it_is(
    name: str, to: str
) -> None:
    for message in messages(name):
        translation = translate(message, to)
        assert translation == translate(message, to)
        if translation.wire is not None:
            found = detection.decode(translation.wire)
            assert to in (found.protocol, found.dialect)


@EACH
def test_an_invalid_message_is_refused_in_words(name: str) -> None:
    for message in messages(name, valid=False):
        for to in get_targets():
            translation = translate(message, to)
            assert translation.wire is None
            assert translation.refused


@EACH
def test_json_says_each_message_and_is_read_back_through_the_same_words(name: str) -> None:
    codec = registry.get(name)
    faithful = 0
    for message in messages(name):
        translation = translate(message, "json")
        assert translation.wire is not None
        assert translation.back is not None
        assert json.loads(translation.wire) == codec.plain(message)
        faithful += translation.back.verdict == "faithful"
        if (
            translation.back.verdict == "faithful"
            and codec.decode(message.wire).dialect == message.dialect
        ):
            again = translate_text(translation.wire, name, protocol="json")
            assert again.refused is None, (translation.wire, again)
            assert again.wire is not None
            assert (
                codec.decode(again.wire).values == codec.decode(codec.encode(message.values)).values
            )
    assert faithful >= 0.8 * len(list(messages(name)))


@EACH
def test_english_is_the_description_and_has_no_way_back(name: str) -> None:
    codec = registry.get(name)
    for message in messages(name):
        translation = translate(message, "english")
        assert translation.wire == "".join(piece.text for piece in codec.describe(message))
        assert translation.back is not None
        assert translation.back.verdict == "lost"
        assert "cannot be translated back" in translation.back.words


def test_json_is_said_in_a_dialect_or_refused_in_words() -> None:
    earlier = '{"g":"A","plan":[["run","T",{}]]}'

    assert translate_text(earlier, "sacp/0.1", protocol=JSON).wire == earlier
    assert "Not possible in SACP 1.0: " in str(
        translate_text(earlier, "sacp/1.0", protocol=JSON).refused
    )


def test_a_plan_in_json_is_a_plan_and_not_the_tool_within_it() -> None:
    translation = translate_text('{"g":"A","plan":[["run","T",{}]]}', "sacp", protocol=JSON)

    (plan,) = [row for row in translation.ledger if row.term == "plan"]
    assert plan.target is not None
    assert plan.target.value == [{"verb": "run", "tool": "T", "params": {}}]


def test_an_unknown_key_comes_back_even_when_its_value_is_empty() -> None:
    translation = translate_text(
        '{"Format":"text","Subformat":"English","Content":"Hi","more":[]}', "nslip"
    )

    assert words(translation)["nlip.more"] == "coerced"
    assert translation.back is not None
    assert translation.back.verdict == "faithful"


def test_from_english_nothing_is_translated() -> None:
    assert "cannot be translated back" in str(
        translate_text("Requests task 1.", "nslip", protocol="english").refused
    )


@EACH
def test_each_protocol_says_what_it_makes_of_the_fourteen_acts(name: str) -> None:
    acts = registry.get(name).acts
    assert tuple(acts) == ACTS
    assert all(acts[nearest] == nearest for nearest in acts.values())


def test_nothing_is_raised_for_spoilt_messages_and_for_translations_of_translations() -> None:
    random = Random(20261121)
    wires = [message.wire for name in NAMES for message in messages(name)]
    for _ in range(3000):
        wire: str | None = random.choice(wires)
        for _ in range(3):
            assert wire is not None
            to = random.choice(get_targets())
            if random.random() < 0.5:
                wire = mutate(wire, random)
            translation = translate_text(
                wire, to, protocol=random.choice((None, None, None, "json"))
            )
            assert (translation.wire is None) is (translation.refused is not None)
            wire = translation.wire or wire


@pytest.mark.requirement("AACP-39")
def test_the_ledger_says_what_became_of_each_slot() -> None:
    translation = translate_text("PRO/PLN|g=42,t=1,@=plan_incremental,due=monday", "aacp")
    assert translation.wire == (
        "REPORT|PLN|return:unstated|aacp:1.1|x-cablese-act:propose|x-cablese-goal:42|"
        "x-cablese-task:1"
        "|x-cablese-tags:plan_incremental|x-cablese-nslip-due:monday|x-cablese-added:return"
    )
    assert words(translation) == {
        "act": "approximated", "topic": "renamed", "goal": "coerced", "task": "coerced",
        "tags": "renamed",
        "nslip.due": "renamed",
    }  # fmt: skip
    assert translation.ledger[0].words == (
        'AACP has no act "propose". The closest is "request". '
        '"x-cablese-act" stores the exact word for the round trip.'
    )
    assert [place.key for place in translation.added] == ["return"]


def test_what_slip_has_no_place_for_is_dropped_and_the_way_back_says_so() -> None:
    translation = translate_text("EVL/EVL|g=42,sc=8", "slip")
    assert translation.wire == "SLIP v3 unstated unstated Eval EVL"
    assert words(translation) == {
        "act": "renamed",
        "topic": "renamed",
        "goal": "dropped",
        "score": "dropped",
    }
    assert 'SLIP v3 has no equivalent of "sc".' in [row.words for row in translation.ledger]
    assert translation.back is not None
    assert translation.back.verdict == "lost"
    assert [difference.key for difference in translation.back.differences] == [
        "slots.g",
        "slots.sc",
    ]


def test_an_act_that_slip_lacks_comes_back_as_the_nearest() -> None:
    translation = translate_text("CFM/TSK|", "slip")
    assert words(translation)["act"] == "approximated"
    assert translation.ledger[0].returns is False
    assert translation.back is not None
    assert translation.back.verdict == "changed"
    assert translation.back.wire == "INF/TSK|"


@pytest.mark.requirement("NLIP-18")
def test_nlip_gets_english_with_the_exact_terms_beside_it() -> None:
    translation = translate_text("REQ/TSK|g=42,t=1", "nlip")
    assert translation.wire is not None
    message = json.loads(translation.wire)
    assert message["Content"] == "Requests task 1 of goal 42."
    assert message["Submessages"][0]["Subformat"] == "x-cablese"
    assert message["Submessages"][0]["Content"]["goal"] == "42"


def test_sacp_carries_in_its_context_beside_what_stands_there() -> None:
    translation = translate_text("T|17|C|obj=FIND_HOTEL;next=book", "sacp")
    assert translation.wire == (
        '{"g":"FIND_HOTEL","ctx":{"x-cablese":{"act":"command","next":"book","added":["plan",'
        '"tool"]}},'
        '"plan":[["command","unstated",{}]],"msg_id":"17"}'
    )


@pytest.mark.requirement("TLINE-13")
def test_a_state_line_declares_the_keys_that_it_carries() -> None:
    translation = translate_text("INF/OBS|g=1,t=2", "tline")
    assert translation.wire is not None
    assert "keydef=x_cablese_task:task" in translation.wire
    assert "keydef" not in str(translate_text("REQ/TSK|g=1,t=2", "tline").wire)


@pytest.mark.parametrize("to", ["tline", "nslip", "aacp", "slip"])
@pytest.mark.parametrize(
    "part",
    [
        ("binary", "image/png", "iVBORw=="),
        ("token", "conversation", "c-1"),
        ("token", "session", "x"),
    ],
)
def test_bytes_and_tokens_have_no_form_in_a_line(to: str, part: tuple[str, str, str]) -> None:
    one = dict(zip(("Format", "Subformat", "Content"), part, strict=True))
    text = {"Format": "text", "Subformat": "English", "Content": "Hello"}
    for wire in (one, {**text, "Submessages": [one]}):
        translation = translate_text(json.dumps(wire), to)
        assert "cannot represent" in str(translation.refused)


def test_an_authentication_token_is_passed_on_to_nobody() -> None:
    wire = '{"Format":"token","Subformat":"authentication","Content":"s3cret"}'
    for to in (*NAMES, "english"):
        assert "s3cret" not in str(translate_text(wire, to).wire)


def test_a_message_is_not_translated_into_its_own_protocol() -> None:
    assert translate_text("REQ/TSK|g=1", "nslip").refused == "The message is already nSLIP."


def test_text_that_no_protocol_claims_is_refused() -> None:
    assert "No protocol detected" in str(translate_text("good morning", "nslip").refused)


def test_an_unknown_target_is_an_unknown_protocol() -> None:
    with pytest.raises(registry.UnknownProtocol):
        translate_text("REQ/TSK|g=1", "morse")


def test_a_repeated_slot_is_dropped_by_name() -> None:
    translation = translate_text("REQ/TSK|g=1,g=2", "tline")
    row = translation.ledger[-1]
    assert (row.term, row.verdict, row.source.value) == ("g", "dropped", "1")


@pytest.mark.parametrize(
    ("wire", "to", "written"),
    [
        ("T|1|Q|res=x", "slip", "SLIP v3 unstated unstated Ask Generic"),
        ("QRY/OBS|x-cablese-id=5,x-cablese-added=frame", "tline", "T|5|Q|obj=unstated"),
        ("SLIP v3 unstated unstated Accept Generic", "nslip", "ACC/PLN|x-cablese-added=frame"),
    ],
)
def test_what_a_target_requires_is_written_where_nothing_is_said(
    wire: str, to: str, written: str
) -> None:
    assert translate_text(wire, to).wire == written
