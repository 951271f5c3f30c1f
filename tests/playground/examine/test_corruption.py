"""The corruption test: what is noticed, what is silent, what is harmless."""

from random import Random

import pytest

from auditlog import baseline
from cablese import detection, registry
from cablese.json import jsontext
from playground.examine import corruption
from playground.examine.corruption import Corruption, Loss
from tests.cablese.hostile import mutate, wires

REQUEST = "REQ/TSK|g=42,t=1,p=2,@=auth_refactor"
PLAN = (
    '{"msg_id":"abc123","g":"FIND_HOTEL","ctx":{"loc":"Paris"},'
    '"plan":[["s","H_API",{"c":"Paris"}]],"state":"PENDING"}'
)


def corrupted(wire: str, unit: corruption.Unit = "tokens") -> Corruption:
    made = corruption.corrupt(detection.decode(wire), unit, "o200k_base")
    assert made is not None
    return made


def lost(made: Corruption, text: str) -> Loss:
    return next(loss for loss in made.losses if loss.text == text)


def test_each_token_is_lost_once_and_the_tally_adds_up() -> None:
    made = corrupted(REQUEST)

    assert "".join(loss.text for loss in made.losses) == REQUEST
    assert (
        made.tally.units,
        made.tally.tested,
        made.tally.detected,
        made.tally.silent,
        made.tally.harmless,
    ) == (
        19,
        19,
        16,
        3,
        0,
    )
    assert not made.is_cut


def test_only_so_many_tokens_are_lost_as_are_asked_for() -> None:
    message = detection.decode(REQUEST)
    written = baseline.write(message)
    assert written is not None

    wire = corruption.tally_message(message, "o200k_base", 4)
    plain = corruption.tally_written(
        message, written, jsontext.load_or_none, "JSON", "o200k_base", 5
    )

    assert wire is not None
    assert plain is not None
    assert (wire.units, wire.tested) == (19, 4)
    assert (plain.units, plain.tested) == (27, 5)


def test_a_lost_separator_is_detected_by_a_diagnostic_that_was_not_there() -> None:
    loss = lost(corrupted(REQUEST), "/")

    assert loss.outcome == "detected"
    assert loss.codes
    assert loss.changes == ()


def test_a_lost_part_of_a_value_is_silent_and_says_what_it_becomes() -> None:
    loss = lost(corrupted(REQUEST), "_ref")

    assert loss.outcome == "silent"
    assert [(change.before, change.after) for change in loss.changes] == [
        ('"auth_refactor"', '"authactor"')
    ]


def test_a_character_that_says_nothing_is_harmless() -> None:
    made = corrupted('{"g": "FIND_HOTEL","plan":[["s","H_API",{}]]}', "characters")

    assert made.losses[5].text == " "
    assert made.losses[5].outcome == "harmless"


def test_a_field_is_lost_with_the_separator_that_is_noticed_least() -> None:
    made = corrupted("T|17|Q|obj=test_scope;ctx=api_auth", "fields")

    assert lost(made, "obj=test_scope").outcome == "silent"
    assert [(change.key, change.after) for change in lost(made, "ctx=api_auth").changes] == [
        ("payload.ctx", None)
    ]


def test_a_key_of_a_json_message_is_lost_with_everything_in_it() -> None:
    made = corrupted(PLAN, "fields")

    assert [loss.text.split('"')[1] for loss in made.losses] == [
        "msg_id",
        "g",
        "ctx",
        "plan",
        "state",
    ]
    assert {loss.text.split('"')[1]: loss.outcome for loss in made.losses} == {
        "msg_id": "silent",
        "g": "detected",
        "ctx": "silent",
        "plan": "detected",
        "state": "silent",
    }


def test_json_is_held_against_its_grammar_alone_and_against_the_rules() -> None:
    parsed, checked = corrupted(REQUEST).baselines

    assert parsed.title == "JSON, parsed"
    assert checked.title == "JSON, checked by nSLIP rules"
    assert (parsed.units, parsed.silent, checked.silent) == (27, 11, 3)
    assert parsed.detected + parsed.silent + parsed.harmless == parsed.tested


def test_advice_notices_nothing() -> None:
    """Without its "d" the status is "one", which nSLIP only advises on: a receiver goes on."""
    wire = "INF/OBS|g=42,t=1,r=1,s=done,@=tests_pass"
    without = wire[:23] + wire[24:]
    loss = corrupted(wire, "characters").losses[23]

    assert [diagnostic.severity for diagnostic in detection.decode(without).diagnostics] == ["info"]
    assert (loss.text, loss.outcome, loss.changes[0].after) == ("d", "silent", '"one"')


def test_what_was_wrong_before_notices_nothing() -> None:
    made = corrupted("RJE/PLN|g=42,t=1")

    assert lost(made, "42").outcome == "detected"
    assert corrupted("RJE/PLN|g=42,t=1", "characters").losses[10].outcome == "silent"


def test_what_no_protocol_claims_is_not_tested() -> None:
    assert corruption.corrupt(detection.decode("hello there"), "tokens", "o200k_base") is None


def test_a_long_message_loses_its_first_units_and_says_so() -> None:
    made = corrupted("REQ/TSK|g=1,@=" + "word_" * 900)
    longer = corrupted("REQ/TSK|g=1,@=" + "x" * 50_000, "characters")

    assert made.is_cut
    assert made.tally.tested < made.tally.units
    assert longer.tally.tested <= corruption.WORK // 50_000
    assert longer.tally.units == 50_014


@pytest.mark.parametrize("unit", corruption.UNITS)
@pytest.mark.parametrize("name", registry.get_names())
def test_it_never_raises_whatever_the_message(name: str, unit: corruption.Unit) -> None:
    random = Random(8)
    for wire in random.sample([wire for wire in wires(name) if len(wire) < 200], 12):
        for text in (wire, mutate(wire, random)):
            made = corruption.corrupt(detection.decode(text, name), unit, "o200k_base")
            assert made is not None
            assert (
                made.tally.detected + made.tally.silent + made.tally.harmless == made.tally.tested
            )
            assert all(0 <= loss.span.start <= loss.span.end <= len(text) for loss in made.losses)


@pytest.mark.parametrize(("most", "tested"), [(10, 10), (500, len(REQUEST))])
def test_no_more_units_are_dropped_than_the_limit(
    monkeypatch: pytest.MonkeyPatch, most: int, tested: int
) -> None:
    monkeypatch.setattr(corruption, "MOST", most)

    made = corrupted(REQUEST, "characters")

    assert (made.tally.units, made.tally.tested) == (len(REQUEST), tested)
    assert made.is_cut is (tested < len(REQUEST))
