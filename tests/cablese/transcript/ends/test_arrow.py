"""An arrow around a message names its sender and recipient, and ends the message."""

import pytest

from cablese.transcript import split
from tests.growth import assert_linear

WIRES = (
    "REQ/TSK|g=42,t=1",
    "REJ/PLN|g=42,t=1,!=too big",
    "FETCH|HR|return:HR-Agent|p:1|aacp:1.1",
    "T|17|Q|obj=test_scope;ctx=api_auth",
    "SLIP v3 planner exec Request Plan",
    '{"g":"FIND_HOTEL","plan":[]}',
)


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(
    "line",
    [
        "planner --«»--> executor",
        "planner--«»-->executor",
        "planner -«»-> executor",
        "planner ==«»==> executor",
        "planner -- «» --> executor",
        "planner == «» ==> executor",
        "planner ->«»-> executor",
        "planner -> «» -> executor",
        "planner => «» => executor",
        "planner --[«»]--> executor",
        "planner -(«»)-> executor",
        'planner --"«»"--> executor',
        "planner -->|«»| executor",
        "planner -->|«»| executor;",
        "planner ==>|«»| executor",
        "planner ===>|«»| executor",
        "planner -.->|«»| executor",
        "[planner] --«»--> [executor].",
        "10:00:01 INFO planner --«»--> executor",
    ],
)
def test_it_is_no_part_of_the_message_and_names_the_parties(line: str, wire: str) -> None:
    if '"«»"' in line and '"' in wire:
        return
    (cut,) = split(f"{line.replace('«»', wire)}\n").messages

    assert cut.wire == wire
    assert (cut.facts.sender, cut.facts.recipient) == ("planner", "executor")


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("line", ["a --«»--> b --«»--> c", "a -> «» -> b -> «» -> c"])
def test_another_one_may_follow(line: str, wire: str) -> None:
    assert [cut.wire for cut in split(line.replace("«»", wire)).messages] == [wire] * 2


@pytest.mark.parametrize(
    "text",
    [
        "REJ/PLN|g=42,t=1,!=a-->b",
        "planner: REJ/PLN|g=42,t=1,!=move a->b",
        "planner -- REJ/PLN|g=42,t=1,!=a->200",
        "FETCH|HR|return:A|p:1|aacp:1.1|filter:a--b->c",
        "planner -> executor: FETCH|HR|return:A|p:1|aacp:1.1|filter:a->b",
        "planner -> FETCH|HR|return:A|p:1|aacp:1.1|filter:a->b",
        "planner -- REJ/PLN|g=42,t=1,!=move a->b",
        "INFO planner - FETCH|HR|return:A|p:1|aacp:1.1|filter:a->b",
    ],
)
def test_a_value_may_have_an_arrow(text: str) -> None:
    (cut,) = split(text).messages

    assert text.endswith(cut.wire)


@pytest.mark.parametrize("line", ["pending --«»--> running", "INFO -- «» --> 200"])
def test_states_are_no_parties(line: str) -> None:
    (cut,) = split(line.replace("«»", WIRES[0])).messages

    assert cut.wire == WIRES[0]
    assert (cut.facts.sender, cut.facts.recipient) == (None, None)


@pytest.mark.parametrize("piece", ["a --", "REQ/TSK|g=1--> a", "a-", "a --REQ/TSK|g=1", "->|"])
def test_many_take_as_much_longer_as_the_text_is(piece: str) -> None:
    assert_linear(lambda size: split(f"{piece * size}> a"), 2_000)
