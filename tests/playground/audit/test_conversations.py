"""The panel of conversations on the workbench: who speaks, what may come next, what does
not fit.
"""

import re

import pytest
from django.test import Client

from auditlog.findings.flow import read_supplied
from auditlog.ingest.item import Item
from cablese.conversation.model import FROM_LINE, RECORDED, Supplied
from playground.audit.conversations import LogThreads
from playground.display.threads import CONVERSATIONS
from playground.workbench.examples import CONVERSATION
from tests.auditlog.sending import keep
from tests.playground.drawn import words
from tests.playground.stating import state

pytestmark = pytest.mark.django_db

TLINE = "T|17|Q|obj=test_scope;ctx=api_auth\nT|18|A|res=2_fail\nT|18|C|act=run\n"


def panel(client: Client, text: str) -> str:
    """The panel's markup; empty when there is none."""
    page = client.post("/reading/whole", {"text": text}).content.decode()
    return page.partition('id="panel-conversation"')[2]


def test_the_first_example_is_drawn_as_one_conversation(client: Client) -> None:
    shown = words(panel(client, CONVERSATION))

    assert "nSLIP goal 42, task 1 6 messages · waiting for a proposal" in shown
    assert "[inferred] planner: nSLIP messages have no sender" in shown
    assert "PRO/PLN propose a plan planner → coordinator" in shown
    assert "Missing PRO/PLN ACC/PLN INF/OBS EVL/EVL" in shown
    assert "REJ/PLN starts a new round after a complete cycle." in shown


def test_what_log_lines_say_comes_before_what_is_inferred(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    state(monkeypatch)
    shown = words(
        panel(
            client,
            (
                "2026-11-20T10:00:01Z bob -> ann REQ/TSK|g=1,t=1\n2026-11-20T10:00:02Z ann -> bob "
                "PRO/PLN|g=1,t=1\n"
            ),
        )
    )

    assert "bob: from the log line" in shown
    assert "[inferred]" not in shown
    assert "planner" not in shown


def test_the_same_lines_in_a_log_have_the_same_parties() -> None:
    line = keep(Item("REQ/TSK|g=1,t=1", from_="bob", to="ann", from_line=["from", "to"]))
    (talk,) = LogThreads([line]).all

    assert read_supplied(line.supplied) == Supplied(sender="bob", recipient="ann", line=True)
    assert [(party.name, party.reason) for party in talk.parties] == [
        ("bob", FROM_LINE), ("ann", FROM_LINE),
    ]  # fmt: skip


def test_an_assistant_of_a_stored_chat_may_answer_another() -> None:
    packets = [
        keep(Item(wire, from_="assistant", to=to, from_line=["from", "to"]))
        for wire, to in (("REQ/TSK|g=1,t=1", "planner"), ("PRO/PLN|g=1,t=1", "user"))
    ]
    (talk,) = LogThreads(packets).all

    assert "thread.unmatched-request" not in {finding.code for finding in talk.findings}
    assert [(leg.sender, leg.recipient, leg.reason) for leg in talk.legs] == [
        ("assistant", "planner", RECORDED), ("assistant", "user", RECORDED),
    ]  # fmt: skip


def test_one_message_or_none_has_no_panel(client: Client) -> None:
    assert panel(client, "REQ/TSK|g=42,t=1") == ""
    assert panel(client, "") == ""


def test_parties_that_the_messages_name_are_not_marked(client: Client) -> None:
    shown = words(panel(client, "SLIP v3 ann bob Request Task\nSLIP v3 bob ann Accept Task\n"))

    assert "ann" in shown
    assert "[supplied]" not in shown
    assert "[inferred]" not in shown


def test_each_finding_has_buttons_for_its_messages(client: Client) -> None:
    finding = panel(client, TLINE).partition("tline.repeated-id")[2].partition("</li>")[0]

    assert re.findall(r'<button[^>]* type="submit" name="message" value="(\d+)"', finding) == [
        "2",
        "3",
    ]


def test_a_button_shows_its_message_without_javascript(client: Client) -> None:
    page = client.post("/", {"text": TLINE, "message": ["1", "3"]}).content.decode()

    assert 'data-chosen="3"' in page


@pytest.mark.requirement("TLINE-13")
def test_definitions_are_shown_with_the_message_that_makes_them(client: Client) -> None:
    shown = words(panel(client, "T|1|S|keydef=ctx:context\nT|2|Q|obj=a;ctx=b\n"))

    assert "Defined here ctx context 1" in shown
    assert "Showing the first" not in shown


@pytest.mark.parametrize(("number", "said"), [(50, False), (51, True)])
def test_of_many_definitions_the_first_are_shown(
    client: Client, number: int, *, said: bool
) -> None:
    defined = ";".join(f"keydef=k{at}:word{at}" for at in range(number))
    shown = words(panel(client, f"T|1|S|{defined}\nT|2|Q|obj=a\n"))

    assert "k49 word49" in shown
    assert "k50 word50" not in shown
    assert ("Showing the first 50 of 51." in shown) is said


@pytest.mark.requirement("TLINE-11")
def test_the_next_id_is_shown(client: Client) -> None:
    assert "T|3|Q|obj=detail" in words(panel(client, "T|1|Q|obj=a\nT|2|A|res=b\n"))


def test_many_conversations_are_counted_and_those_with_the_worst_findings_shown(
    client: Client,
) -> None:
    quiet = "".join(f"CFM/TSK|g={goal},t=1\n" for goal in range(1, 201))

    shown = panel(client, quiet + "ACC/PLN|g=999,t=1\n")

    assert "201 conversations" in words(shown)
    assert shown.count('<li class="thread"') == CONVERSATIONS
    assert "goal 999, task 1" in shown
    assert (
        f"Showing {CONVERSATIONS} conversations. {201 - CONVERSATIONS} more, with no worse "
        "findings, are not shown."
    ) in words(shown)


def test_hostile_names_stay_text(client: Client) -> None:
    text = "T|1|S|keydef=x:<script>alert(1)</script>\u202e\nREQ/TSK|g=<b>,t=1\n" * 2

    shown = panel(client, text)

    assert "<script" not in shown
    assert "<b>" not in shown
    assert "\u202e" not in shown


def test_roles_of_a_chat_are_parties_and_marked(client: Client) -> None:
    chat = '{"role":"user","content":"T|1|Q|obj=a"}\n{"role":"assistant","content":"T|2|A|res=ok"}'

    shown = words(panel(client, chat))

    assert "[supplied] user: from the record around the message 1" in shown
    assert "[inferred]" not in shown


TOKEN = '{"format":"token","subformat":"conversation","content":"c-17"}'
ASKED = '{"format":"text","subformat":"english","content":"Rooms?","submessages":[' + TOKEN + "]}"
FORGOT = '{"format":"text","subformat":"english","content":"Two."}'


def test_what_the_exchange_tells_is_not_told_again(client: Client) -> None:
    text = f"{ASKED}\n{FORGOT}"

    page = client.post("/reading/whole", {"text": text}).content.decode()

    lists, _, slider = page.partition('class="time-travel')
    assert lists.count("the answer does not return it") == 1
    assert "the answer does not return it" in page.partition('id="panel-conversation"')[0]
    assert words(slider).count("First finding at message") == 1
    assert "1 more finding under Exchange." in words(panel(client, text))
    assert '<span class="tally error">' not in panel(client, text)


def test_packets_are_taken_in_the_order_they_were_sent() -> None:
    times = [
        "2026-11-20T10:00:03Z",
        None,
        "0001-01-01T00:00:00+14:00",
        "2016-12-31 23:59:60z",
        "9999-12-31T23:59:59-23:59",
    ]
    packets = [keep(Item(f"REQ/TSK|g=42,t={at}", sent_at=sent)) for at, sent in enumerate(times)]

    ordered = [packet.leaf for packet in LogThreads(packets).packets]

    assert ordered[:2] == [2, 3]
    assert ordered[-1] == 4
    assert sorted(ordered) == [0, 1, 2, 3, 4]


def test_times_of_another_conversation_do_not_order_packets_without_one() -> None:
    """An agent with a late clock talks at the same time as one that states no time."""
    items = [
        Item("REQ/TSK|g=1,t=1", sent_at="2026-11-20T12:00:00Z"),
        Item("REQ/TSK|g=2,t=1"),
        Item("REQ/TSK|g=3,t=1", sent_at="2026-11-20T09:00:00Z"),
        Item("PRO/PLN|g=2,t=1"),
        Item("PRO/PLN|g=3,t=1"),
        Item("no message"),
    ]
    threads = LogThreads([*map(keep, items)])

    leaves = {
        one.key: [threads.packets[turn.index].leaf for turn in one.turns] for one in threads.all
    }

    assert leaves == {
        "goal 1, task 1": [0], "goal 2, task 1": [1, 3], "goal 3, task 1": [2, 4]
    }  # fmt: skip
    assert threads.unknown == 1


def test_what_was_supplied_with_a_packet_is_told_as_text() -> None:
    packet = keep(
        Item("T|1|Q|obj=a", goal=7, task="x", from_="ada", to="bob", thread="n", tags=["t"])
    )

    assert read_supplied(packet.supplied) == Supplied("7", "x", "n", "ada", "bob")
    assert read_supplied(keep(Item("T|1|Q|obj=a")).supplied) == Supplied()
