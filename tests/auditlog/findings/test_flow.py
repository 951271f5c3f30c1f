"""What ties packets to a conversation, and what a message breaks when it arrives."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from auditlog.findings import flow
from auditlog.findings.finding import MOST, Found
from auditlog.findings.flow import Memory, Sent
from cablese import detection, registry

START = datetime(2026, 11, 20, 10, tzinfo=UTC)
NOTHING = Found("thread.accept-of-nothing")


def sent(
    leaf: int,
    wire: str,
    *,
    sent_at: str | None = None,
    supplied: Mapping[str, object] | None = None,
) -> Sent:
    message = detection.decode(wire)
    known = message.protocol != detection.UNKNOWN
    meaning: object = registry.get(message.protocol).meaning(message) if known else {}
    moment = (START + timedelta(seconds=leaf)).isoformat()
    return Sent(
        leaf, message.protocol, message.dialect, wire.encode(),
        msgspec.json.encode(meaning).decode(), msgspec.json.encode(supplied or {}).decode(),
        sent_at, moment,
    )  # fmt: skip


def found(*packets: Sent) -> list[list[Found]]:
    """Return the findings of each packet when it arrives."""
    memory = Memory()
    conversations = [list(memory.add(packet)) for packet in packets]
    return [flow.check(each) if each else [] for each in conversations]


def said(*wires: str, **supplied: object) -> list[list[Found]]:
    return found(*[sent(leaf, wire, supplied=supplied) for leaf, wire in enumerate(wires)])


def test_a_decision_about_nothing_is_found() -> None:
    assert said("REQ/TSK|g=1,t=1", "PRO/PLN|g=1,t=1", "ACC/PLN|g=1,t=1") == [[], [], []]
    assert said("ACC/PLN|g=1,t=1") == [[NOTHING]]
    assert said("PRO/PLN|g=1,t=1", "PRO/PLN|g=1,t=2", "ACC/PLN|g=1,t=3") == [[], [], [NOTHING]]


def test_another_packet_that_a_finding_concerns_is_named() -> None:
    wires = ["PRO/PLN|g=1,t=1", "REQ/TSK|g=2,t=1", "ACC/PLN|g=1,t=1", "REJ/PLN|g=1,t=1"]

    assert said(*wires) == [[], [], [], [Found("nslip.changed-decision", other=2)]]


def test_a_finding_belongs_to_the_message_that_arrives() -> None:
    assert said("ACC/PLN|g=1,t=1", "QRY/TSK|g=1,t=1") == [[NOTHING], []]


def test_a_single_message_is_checked_only_if_it_replies() -> None:
    undeclared = "T|1|C|k=1"

    assert said(undeclared, thread="a") == [[]]
    assert said("T|1|S|obj=a", undeclared.replace("1", "2", 1), thread="a")[1] != []


def test_what_is_missing_so_far_is_no_finding() -> None:
    assert said("REQ/TSK|g=1,t=1", "QRY/TSK|g=1,t=1", "REQ/TSK|g=1,t=1") == [[], [], []]


def sacp(id: str, reply_to: str = "") -> str:  # noqa: A002 - as the protocol names it
    reply = f',"reply_to":"{reply_to}"' if reply_to else ""
    return f'{{"g":"FIND_A","plan":[["search","web",{{"n":1}}]],"msg_id":"{id}"{reply}}}'


def test_replies_tie_messages_by_their_ids() -> None:
    missing, repeated = "thread.reply-to-nothing", "thread.repeated-id"

    assert said(sacp("a"), sacp("b", "a"), sacp("c", "b")) == [[], [], []]
    assert said(sacp("a"), sacp("b", "x")) == [[], [Found(missing)]]
    assert said(sacp("a"), sacp("x"), sacp("a")) == [[], [], [Found(repeated, other=0)]]


@pytest.mark.parametrize(
    ("supplied", "expected"),
    [
        ({}, []),
        ({"thread": "a"}, [Found("tline.id-skipped", other=0)]),
        ({"goal": "1", "task": "2"}, [Found("tline.id-skipped", other=0)]),
        ({"goal": "1"}, []),
        ({"thread": "\U0001f600"}, [Found("tline.id-skipped", other=0)]),
        ({"thread": 7}, [Found("tline.id-skipped", other=0)]),
    ],
)
def test_metadata_ties_messages_without_a_thread(
    supplied: dict[str, object], expected: list[Found]
) -> None:
    wires = ["T|1|Q|obj=a", "T|5|Q|obj=a"]

    assert said(*wires, **supplied) == [[], expected]


def test_protocols_and_texts_are_kept_apart() -> None:
    assert said("no message", "ACC/PLN|g=1,t=1", "no message") == [[], [NOTHING], []]
    assert said("T|1|Q|obj=a", "ACC/PLN|g=1,t=1", thread="1/1") == [[], [NOTHING]]


def test_messages_are_checked_in_the_order_they_were_sent() -> None:
    late = sent(1, "PRO/PLN|g=1,t=1", sent_at="2026-11-20T09:00:00Z")
    decided = sent(0, "ACC/PLN|g=1,t=1", sent_at="2026-11-20T09:59:60Z")

    assert found(decided, late) == [[NOTHING], []]


def test_a_packet_without_a_sent_time_is_checked_where_it_was_stored() -> None:
    """The lines of an import are all received after each time that is stated in them."""
    asked = sent(0, "REQ/TSK|g=1,t=1", sent_at="2026-11-19T10:00:00Z")
    proposed = sent(1, "PRO/PLN|g=1,t=1")
    decided = sent(2, "ACC/PLN|g=1,t=1", sent_at="2026-11-19T10:10:00Z")

    assert found(asked, proposed, decided) == [[], [], []]
    assert found(asked, decided._replace(leaf=1), proposed._replace(leaf=2))[1] == [NOTHING]


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        ("10:00 ---- 10:10", [0, 1, 2]),
        ("---- ---- ----", [0, 1, 2]),
        ("10:10 10:00 10:05", [1, 2, 0]),
        ("10:10 ---- 10:00 ----", [2, 3, 0, 1]),
        ("---- 10:10 10:00", [0, 2, 1]),
        ("---- 23:59 ---- 00:01", [0, 3, 1, 2]),
        ("10:00 ---- 10:00 ----", [0, 1, 2, 3]),
    ],
)
def test_times_order_only_packets_that_state_one(times: str, expected: list[int]) -> None:
    conversation = [
        sent(leaf, "QRY/TSK", sent_at=None if time == "----" else f"2026-11-20T{time}:00Z")
        for leaf, time in enumerate(times.split())
    ]

    assert [leaf for _, leaf in sorted(flow.place(conversation))] == expected


def test_a_clock_that_was_set_back_does_not_turn_the_order_round() -> None:
    conversation = [
        sent(leaf, "QRY/TSK")._replace(moment=f"2026-11-20 10:0{minute}:00")
        for leaf, minute in enumerate((5, 1, 2))
    ]

    assert [leaf for _, leaf in sorted(flow.place(conversation))] == [0, 1, 2]


def test_a_conversation_is_checked_over_its_newest_messages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(flow, "TURNS", 3)
    wires = ["PRO/PLN|g=1,t=1", *["QRY/TSK|g=1,t=1"] * 3, "ACC/PLN|g=1,t=1"]

    assert said(*wires)[-1] == [NOTHING]
    assert said(*wires[:1], *wires[2:])[-1] == [NOTHING]
    assert said(*wires[:1], *wires[3:])[-1] == []


def test_it_forgets_everything_beyond_the_horizon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flow, "HORIZON", 5)
    memory = Memory()
    for leaf in range(300):
        reply = str(leaf - 1) if leaf % 7 else ""
        memory.add(sent(leaf, sacp(str(leaf), reply)))
        memory.add(sent(leaf, f"REQ/TSK|g={leaf % 3},t=1"))

    assert len(memory._order) < 40
    assert len(memory._conversations) < 20
    assert all(turns[0].leaf >= 294 for _, turns in memory._conversations.values())


def test_a_message_has_a_limit_of_findings() -> None:
    keys = ";".join(f"k{number}=1" for number in range(MOST + 5))

    _, second = said("T|1|S|obj=a", f"T|2|A|{keys}", thread="a")

    assert [one.code for one in second] == ["tline.key-never-declared"] * MOST
