"""A line states what a translation has a field for, and the message says nothing else."""

import json

import pytest

from cablese import detection
from cablese.message import Message
from cablese.translation.around import Around, supply
from cablese.translation.statement import Place
from cablese.translation.translate import get_targets
from tests.cablese.translation.test_translate import NAMES, messages

LINE = Around("planner", "executor", "2026-11-29T10:12:33Z")
TASK = "REQ/TSK|g=42,t=1"


def read(wire: str) -> Message:
    return detection.decode(wire, None)


def test_slip_has_the_agents_of_the_line() -> None:
    found = supply(read(TASK), "slip", LINE)

    assert found is not None
    assert found.wire == "SLIP v3 planner executor Request TSK"
    assert found.places == (Place("src", "planner"), Place("dst", "executor"))
    assert found.added == ()


def test_sacp_has_the_agents_and_the_time_and_marks_none_as_unstated() -> None:
    found = supply(read(TASK), "sacp/1.0", LINE)

    assert found is not None
    values = json.loads(found.wire)
    assert [values[key] for key in ("sender", "recipient", "ts")] == [
        "planner", "executor", "2026-11-29T10:12:33Z"
    ]  # fmt: skip
    carried = values["ext"]["cablese.carried"]
    assert not {"sender", "recipient", "ts"} & {*carried["added"], *carried}
    assert {place.key for place in found.added} == {"plan", "msg_id", "state", "proto_ver"}


def test_one_version_of_sacp_into_the_other_has_them_too() -> None:
    found = supply(read('{"g":"42","plan":[["fetch","http",{}]]}'), "sacp/1.0", LINE)

    assert found is not None
    assert json.loads(found.wire)["sender"] == "planner"


@pytest.mark.parametrize("to", ["aacp", "nlip", "nslip", "sacp", "sacp/0.1", "tline", "english"])
def test_a_target_without_such_a_field_gets_nothing(to: str) -> None:
    """The `return` of AACP is where to answer, which may be another agent than the sender."""
    assert supply(read("T|17|Q|obj=a" if to == "nslip" else TASK), to, LINE) is None


def test_what_the_message_states_is_not_replaced() -> None:
    told = supply(read("PROC|TSK|return:A|aacp:1.1|actor:bob"), "slip", LINE)
    both = supply(read("SLIP v3 a b Request Task"), "sacp/1.0", LINE)

    assert told is not None
    assert told.wire == "SLIP v3 bob executor Request TSK"
    assert both is not None
    assert both.places == (Place("ts", "2026-11-29T10:12:33Z"),)


@pytest.mark.parametrize("name", ["my agent", "my_agent", "x" * 200, "unstated", "", "a\nb"])
def test_a_name_that_does_not_fit_is_not_changed_to_one_that_does(name: str) -> None:
    assert supply(read(TASK), "slip", Around(name)) is None
    beside = supply(read(TASK), "slip", Around(name, "executor"))
    assert beside is not None
    assert beside.wire == "SLIP v3 unstated executor Request TSK"


@pytest.mark.parametrize("time", ["yesterday", "2026-11-29 10:12:33", "1764411153"])
def test_a_time_that_is_none_is_left_out(time: str) -> None:
    assert supply(read(TASK), "sacp/1.0", Around(time=time)) is None


@pytest.mark.parametrize("name", NAMES)
def test_for_any_message_it_is_valid_and_has_what_it_says_to_have(name: str) -> None:
    for message in messages(name):
        for to in get_targets():
            found = supply(message, to, LINE)
            if found is None:
                continue
            made = detection.decode(found.wire, to.partition("/")[0])
            assert made.valid
            assert found.places
            assert all(made.values[place.key] == place.value for place in found.places)
            assert not {place.key for place in found.places} & {one.key for one in found.added}
