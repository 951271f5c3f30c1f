"""Who sent a message in a record with a line for each member."""

import pytest

from cablese.transcript import split

A, B = "REQ/TSK|g=42,t=1,@=auth_refactor", "T|17|Q|obj=test_scope"


def parties(text: str) -> list[tuple[str | None, str | None]]:
    return [(cut.facts.sender, cut.facts.recipient) for cut in split(text).messages]


@pytest.mark.parametrize(
    "text",
    [
        f"- from: planner\n  to: executor\n  wire: {A}\n- wire: {B}\n  from: executor\n",
        f"from: planner\nwire: {A}\nto: executor\n\nfrom: executor\nwire: {B}\n",
        (
            f"*** 1. row ***\n    from: planner\n    wire: {A}\n      to: executor\n"
            f"*** 2. row ***\n    from: executor\n    wire: {B}\n"
        ),
        (
            f"-[ RECORD 1 ]-\nid     | 1\nsender | planner\nwire   | {A}\nto     | executor\n"
            f"-[ RECORD 2 ]-\nid     | 2\nsender | executor\nwire   | {B}\n"
        ),
        (
            f"first:\n  from: planner\n  to: executor\n  wire: {A}\n"
            f"next1:\n  from: executor\n  wire: {B}\n"
        ),
        (
            f'[[messages]]\nfrom = "planner"\nto = "executor"\nwire = "{A}"\n'
            f'[[messages]]\nfrom = "executor"\nwire = "{B}"\n'
        ),
        f"FROM=planner\nTO=executor\nMESSAGE={A}\n\nFROM=executor\nMESSAGE={B}\n",
        f"From: planner\r\nTo: executor\r\nMessage: {A}\r\n\r\nFrom: executor\r\nMessage: {B}\r\n",
        f"from: planner\nto: executor\npayload:\n  wire: {A}\n---\nfrom: executor\nwire: {B}\n",
        f"from: planner\nwire: |\n  {A}\nto: executor\n---\nexecutor: |-\n  {B}\n",
        (
            f"[{{'from': 'planner',\n  'to': 'executor',\n  'wire': '{A}'}},\n"
            f" {{'wire': '{B}',\n  'from': 'executor'}}]\n"
        ),
        (
            f"Array\n(\n    [from] => planner\n    [wire] => {A}\n    [to] => executor\n)\n"
            f"Array\n(\n    [from] => executor\n    [wire] => {B}\n)\n"
        ),
    ],
)
def test_the_other_members_of_a_record_name_its_parties(text: str) -> None:
    assert parties(text) == [("planner", "executor"), ("executor", None)]


@pytest.mark.parametrize(
    "text",
    [
        f"<m>\n  <from>planner</from>\n  <to>executor</to>\n  <wire>{A}</wire>\n</m>\n",
        f"<content>{A}</content>\r\n<sender>planner</sender>\r\n<receiver>executor</receiver>\r\n",
        f"<m><from>planner</from><to>executor</to><wire>{A}</wire></m>\n",
        f'(inform :sender planner :receiver executor :content "{A}")\n',
        f'(inform :sender planner\n  :receiver executor\n  :content "{A}"\n  :language nslip)\n',
        (
            "(inform\n  :sender (agent-identifier :name planner)\n"
            "  :receiver (set (agent-identifier :name executor))\n"
            f'  :content "{A}")\n'
        ),
        f'(tell :sender (agent-identifier :name planner) :receiver executor :content "{A}")\n',
    ],
)
def test_elements_and_parameters_are_members(text: str) -> None:
    assert parties(text) == [("planner", "executor")]


@pytest.mark.parametrize(
    "text",
    [
        f"<m><from>planner</from></m>\n<m>\n<wire>{A}</wire>\n</m>\n",
        f"<from>planner</form>\n<wire>{A}</wire>\n",
        f"<from>planner</from>\n<wire>{A} </wire> x\n",
        f'(inform :sender planner)\n:content "{A}"\n',
        f"<tr><td>planner</td><td>{A}</td></tr>\n",
        f"<key>planner</key>\n<string>{A}</string>\n",
        f"<p><from>planner</from></p>{A}\n",
    ],
)
def test_elements_of_others_name_nobody(text: str) -> None:
    (facts,) = [cut.facts for cut in split(text).messages]
    assert (facts.sender, facts.recipient, facts.attributes) == (None, None, {})


def test_all_messages_of_a_block_have_the_parties_of_its_record() -> None:
    text = f"from: planner\nwire: |\n  {A}\n  {B}\nto: executor\n"
    assert parties(text) == [("planner", "executor")] * 2


def test_members_state_times_and_attributes_too() -> None:
    text = f"id: 7\nts: 1763632801.5\ntrace_id: 4bf92f35\nfrom: planner\nwire: {A}\n"

    facts = split(text).messages[0].facts

    assert facts.time is not None
    assert facts.time.text == "1763632801.5"
    assert facts.attributes == {"id": "7", "trace_id": "4bf92f35"}


@pytest.mark.parametrize(
    ("time", "text"),
    [
        ("ts: 1763632801.5", "1763632801.5"),
        ("__REALTIME_TIMESTAMP=1763632801000000", "1763632801000000"),
        ("time: 2026-11-20T10:00:01Z", "2026-11-20T10:00:01Z"),
        ("t: 007", None),
        ("date: 01", None),
        ("time: ²", None),
    ],
)
def test_a_time_is_one_that_states_a_moment(time: str, text: str | None) -> None:
    facts = split(f"from: planner\n{time}\nwire: {A}\n").messages[0].facts

    assert facts.sender == "planner"
    assert (facts.time and facts.time.text) == text


@pytest.mark.parametrize(
    "text",
    [
        f"from: planner\nwire: {A}\nfrom: executor\nwire: {B}\n",
        f"wire: {A}\nfrom: planner\nwire: {B}\nfrom: executor\n",
        f"wire: lost\nfrom: planner\nwire: {A}\nfrom: executor\n",
        f"wire: lost\nfrom: planner\nwire: {A}\n",
        f"from: planner\nrequest: {A}\nresponse: {B}\n",
        f"from: planner\n\nwire: {A}\n",
        f"from: planner\nand then\nwire: {A}\n",
        f"- from: planner\n- wire: {A}\n",
        f"wire: {A}\n- from: planner\n",
        f"source: bus.log\nfrom: planner\n{A}\n",
        f"{{'from': 'planner'}}\n'wire': '{A}'\n",
        f"'to': 'lost',\n'from': 'planner'}},\n'wire': '{A}'\n",
        f"{{'wire': '{A}'}},\n{{'from': 'planner'}}\n",
        f"{{'wire': '{A}'}}\n'from': 'planner'\n",
        f"{{'wire': '{A}',\n 'id': 'x'}}\n'from': 'planner'\n",
        f"from: planner\nold: |\n  lost\n{A}\n",
        f"from: planner\n{'x' * 500}: 1\nwire: {A}\n",
        f"from: planner\nwire:{' ' * 90}{A}\n",
    ],
)
def test_members_of_other_records_name_nobody(text: str) -> None:
    assert set(parties(text)) == {(None, None)}


def test_a_member_of_a_deeper_record_names_nobody() -> None:
    text = f"about:\n  from: planner\nwire: {A}\nlast:\n    from: planner\n"
    assert parties(text) == [(None, None)]


def test_a_party_that_names_its_message_is_its_sender() -> None:
    text = f"from: ada\nplanner: {A}\n"
    assert parties(text) == [("planner", None)]


@pytest.mark.parametrize(("lines", "sender"), [(39, "planner"), (40, None)])
def test_members_are_sought_only_near_a_message(lines: int, sender: str | None) -> None:
    others = "".join(f"key{at}: x\n" for at in range(lines))
    assert parties(f"from: planner\n{others}wire: {A}\n") == [(sender, None)]


def test_a_long_line_is_no_member() -> None:
    text = f"from: planner\nwire: {A}\nnote: {'x' * 500}\n"

    facts = split(text).messages[0].facts

    assert (facts.sender, facts.attributes) == ("planner", {})
