"""Records and tables that arrive in pieces state the same as when they arrive whole."""

from collections.abc import Iterable

import pytest

from cablese.transcript import Cut, split, splitter
from cablese.transcript.facts import Facts
from cablese.transcript.log_lines import members
from tests.cablese.transcript.layers.arriving import cut_at, feed_cuts

A, B = "REQ/TSK|g=42,t=1,@=auth", "T|17|Q|obj=test_scope"
TIME = "2026-11-20T10:00:01Z"

FORMATS = {
    "psql": (
        f"-[ RECORD 1 ]--\nid   | 1\nwire | {A}\nfrom | planner\nto   | executor\n"
        f"-[ RECORD 2 ]--\nid   | 2\nfrom | executor\nwire | {B}\nsent_at | {TIME}\n"
    ),
    "mysql": (
        f"*** 1. row ***\n     wire: {A}\n   sender: planner\nrecipient: executor\n"
        f"*** 2. row ***\n   sender: executor\n     wire: {B}\n  created: {TIME}\n"
    ),
    "YAML": (
        f"- wire: '{A}'\n  timestamp: '{TIME}'\n  from: planner\n"
        f"- from: executor\n  to: planner\n  wire: {B}\n  timestamp: {TIME}\n- wire: {A}\n"
    ),
    "YAML blocks": f"from: planner\nwire: |\n  {A}\nto: executor\n---\nfrom: b\nwire: |\n  {B}\n",
    "folded YAML": (
        f"- from: planner\n  wire: >-\n    INF/OBS|g=42,!=the\n    end\n  to: b\n- x: {B}\n"
    ),
    "gcloud": (
        f"---\ninsertId: a1\njsonPayload:\n  from: planner\n  to: executor\n  wire: {A}\n"
        f"timestamp: '{TIME}'\n---\ninsertId: a2\ntextPayload: {B}\ntimestamp: '{TIME}'\n"
    ),
    "Format-List": (
        f"\r\nWire      : {A}\r\nFrom      : planner\r\nTo        : executor\r\n\r\n\r\n"
        f"From      : executor\r\nTo        : planner\r\nWire      : {B}\r\n\r\n"
    ),
    "print_r": (
        f"Array\n(\n    [wire] => {A}\n    [from] => planner\n    [to] => executor\n)\n"
        f"Array\n(\n    [from] => executor\n    [to] => planner\n    [wire] => {B}\n)\n"
    ),
    "XML": f"<m>\n  <wire>{A}</wire>\n  <from>planner</from>\n  <to>executor</to>\n</m>\n",
    "ACL": f'(inform\n  :content "{A}"\n  :sender planner\n  :receiver executor)\n{B}\n',
    "a key twice": f"wire: {A}\nfrom: planner\nwire: {B}\nfrom: executor\n",
    "a chat": f"planner: {A}\nexecutor: {B}\nplanner: {A}\n",
    "a wrapped cell": (
        f"| from    | message                 |\n| planner | {A} |\n"
        f"|         | refactor                |\n| b       | {B}   |\n"
    ),
    "full YAML": (
        "- from: planner\n  wire: INF/OBS|g=42,t=1,!=the build of the service failed aaaaaaaa and\n"
        "    again\n"
    ),
}  # fmt: skip


def read(cuts: Iterable[Cut]) -> list[tuple[str, Facts]]:
    return [(cut.wire, cut.facts) for cut in cuts]


@pytest.mark.parametrize("name", FORMATS)
def test_a_text_that_arrives_in_pieces_states_the_same(name: str) -> None:
    text = f"start\n\n{FORMATS[name]}"
    whole = read(split(text).messages)

    assert any(facts.sender or facts.is_cut_off for _, facts in whole) == (name != "a key twice")
    for at in range(len(text) + 1):
        assert read(feed_cuts([text[:at], text[at:]])) == whole, text[:at]
    for size in (1, 7):
        assert read(feed_cuts(cut_at(text, size))) == whole


@pytest.mark.parametrize("name", FORMATS)
def test_many_records_are_not_all_held_back(name: str) -> None:
    text = FORMATS[name].strip("\r") * 60
    text = text.replace("\n\n\n", "\n\n") + "end\n"
    found = split(text, final=False)

    assert len(found.messages) > 30
    assert found.end > len(text) / 2


def test_the_head_of_a_table_in_a_record_that_is_held_back_is_that_of_the_next_piece() -> None:
    text = f"time,from,message\n10:00,planner,{A}\n\nfrom,to,message\n"

    first = split(f"{text}level: x\n", final=False)

    assert (first.end, first.context) == (len(text), "from,to,message")
    first = split("time,from,message\n\nid: 1\nfrom | to\nlevel: x\n", final=False)
    assert first.context == "time,from,message"


def test_records_that_nothing_separates_state_nothing_at_the_edge_of_a_piece() -> None:
    text = f"wire: {A}\nfrom: planner\n" * 200
    first = split(text, final=False)

    assert len(first.messages) == 200
    assert first.end == len(text)
    assert members.GOES_ON in first.context
    (cut,) = split(f"wire: {A}\nfrom: planner\n", context=first.context).messages
    assert not cut.facts
    (cut,) = split(f"\nwire: {A}\nfrom: planner\n", context=first.context).messages
    assert cut.facts.sender == "planner"
    assert not any(cut.facts for cut in first.messages)


def test_a_record_without_an_end_is_not_held_back_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = f"wire: {A}\n" + "".join(f"k{number}: x\n" for number in range(39))

    assert not split(text, final=False).messages
    assert [cut.wire for cut in split(f"{text}k: x\n", final=False).messages] == [A]
    assert not split(f"wire: {A}\n{'x' * 500}", final=False).messages
    monkeypatch.setattr(splitter, "JSON_LIMIT", 100)
    assert [cut.wire for cut in split(f"wire: {A}\n{'x' * 500}", final=False).messages] == [A]
