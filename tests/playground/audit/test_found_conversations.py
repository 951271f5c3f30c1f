"""The conversations of a search, with their packets and findings."""

import re
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client

from auditlog import access
from auditlog.ingest.item import Item
from auditlog.log import packet as packets
from auditlog.models import Packet
from cablese.message import Message
from playground.audit.conversations import ROWS
from playground.audit.views import trail
from tests.auditlog.sending import append, keep, make_sender
from tests.playground.audit.pages import read, rows
from tests.playground.drawn import words

pytestmark = pytest.mark.django_db


def talk(page: str) -> str:
    """The panel of the chosen conversation."""
    return page.partition('<section class="panel talk" id="conversation"')[2].partition(
        "</section>"
    )[0]


def addresses(page: str) -> list[str]:
    """Where the lines of the table lead."""
    return [unescape(one) for one in re.findall(r'<a class="open"\s+href="([^"#]+)#', page)]


def listed(page: str) -> list[str]:
    """The lines of the table, in words."""
    table = page.partition('<table class="packets talk-table">')[2].partition("</table>")[0]
    return [words(line) for line in table.split("<tr>")[2:]]


def test_a_search_shows_its_conversations_with_their_packets(client: Client, ada: User) -> None:
    wires = ["REQ/TSK|g=42,t=1", "SLIP v3 a b Ask Status", "PRO/PLN|g=42,t=1", "REQ/TSK|g=43,t=1"]
    append(*map(Item, wires), sender=make_sender())

    page = read(client, "/audit/conversations", q="proto:nslip")

    assert "2 conversations" in words(page)
    assert "From 3 packets." in words(page)
    assert "Older packets" not in words(page)
    first, second = addresses(page)
    assert rows(talk(page)) == ["REQ/TSK|g=43,t=1"]
    other = read(client, f"/audit/conversations{second}")
    assert rows(talk(other)) == ["REQ/TSK|g=42,t=1", "PRO/PLN|g=42,t=1"]
    assert 'aria-label="nSLIP, goal 42, task 1"' in other
    assert rows(talk(read(client, f"/audit/conversations{first}"))) == rows(talk(page))
    assert "SLIP v3" not in words("".join(listed(page)))


def test_a_line_of_the_table_says_what_a_conversation_is_about(client: Client, ada: User) -> None:
    items = [
        Item("REQ/TSK|g=42,t=1,p=2", from_="ann", sent_at="2026-11-20T10:00:00Z"),
        Item("PRO/PLN|g=42,t=1", from_="bob", sent_at="2026-11-20T11:00:00Z"),
        Item("ACC/PLN|g=7,t=1"),
    ]
    append(*items, sender=make_sender())

    first, second = listed(read(client, "/audit/conversations"))

    assert "Accepts the plan for task 1 of goal 7." in first
    assert "Requests task 1 of goal 42" in second
    assert "nSLIP, goal 42, task 1" in second
    assert "ann, bob" in second
    assert "2026-11-20 11:00:00" in second
    assert second.endswith(" 2")


def test_a_time_received_is_marked_as_in_the_trail(client: Client, ada: User) -> None:
    """The time of a line is that of the last packet, which states one or not."""
    items = [
        Item("REQ/TSK|g=1,t=1", sent_at="2026-11-20T10:00:00Z"),
        Item("PRO/PLN|g=1,t=1"),
        Item("REQ/TSK|g=2,t=1"),
        Item("PRO/PLN|g=2,t=1", sent_at="2026-11-20T10:00:00Z"),
    ]
    append(*items, sender=make_sender())

    page = read(client, "/audit/conversations")
    lines = {line.partition(" of goal ")[2][:1]: line for line in listed(page)}

    assert "received" in lines["1"]
    assert "received" not in lines["2"]
    assert "2026-11-20 10:00:00" in lines["2"]
    assert 'class="not-sent" title="Received ' in page


def test_parties_that_are_inferred_come_last_and_are_marked(client: Client, ada: User) -> None:
    """Who requests is stated, and who plans is inferred."""
    append(
        Item("REQ/TSK|g=42,t=1"),
        Item("PRO/PLN|g=42,t=1", from_="zoe", to="ann"),
        Item("REQ/TSK|g=43,t=1", from_="zoe", to="ann"),
        sender=make_sender(),
    )

    lines = listed(read(client, "/audit/conversations"))
    some, stated = sorted(lines, key=lambda line: "goal 43" in line)

    names = some.partition("nSLIP, goal 42, task 1 ")[2]
    assert names.startswith("zoe, ann, [inferred] ")
    assert "[inferred]" not in stated


def test_a_packet_without_a_sent_time_stays_where_it_was_stored(client: Client, ada: User) -> None:
    items = [
        Item("REQ/TSK|g=950,t=1", from_="anna", sent_at="2020-11-29T10:00:00Z"),
        Item("PRO/PLN|g=950,t=1"),
        Item("ACC/PLN|g=950,t=1", from_="anna", sent_at="2020-11-29T10:10:00Z"),
    ]
    proposal = append(*items, sender=make_sender())[1].packet
    sent = [item.wire for item in items]

    page = read(client, "/audit/conversations", q="goal:950")
    entry = words(read(client, f"/audit/default/{proposal}"))
    drawn = read(client, "/audit/conversations.mmd", q="goal:950")
    _, token = access.create_key(source="reader", scopes=("read",))
    answer = client.get(
        "/api/v1/search/conversations?q=goal:950", headers={"Authorization": f"Bearer {token}"}
    ).json()

    assert rows(talk(page)) == sent
    assert "nothing was proposed before it" not in page
    assert "Packet 2 of 3: goal 950, task 1" in entry
    assert [drawn.index(act) for act in ("request", "propose", "accept")] == sorted(
        drawn.index(act) for act in ("request", "propose", "accept")
    )
    assert [packet["wire"] for packet in answer["packets"]] == sent
    assert answer["conversations"][0]["messages"] == [0, 1, 2]


def test_a_conversation_with_an_invalid_packet_does_not_look_sound(
    client: Client, ada: User
) -> None:
    whole = '{"format":"text","subformat":"english","content":"Which trains?"}'
    cut = whole.removesuffix('?"}')
    append(Item(whole, thread="a"), Item(cut, thread="b"), sender=make_sender())

    invalid, valid = sorted(listed(read(client, "/audit/conversations")), reverse=True)

    assert invalid.startswith("✖ 1 invalid")
    assert "●" not in invalid
    assert valid.startswith("●")


@pytest.mark.parametrize("leaf", ["999", "-1", "x", "9" * 30])
def test_a_conversation_that_is_not_there_leaves_the_first_chosen(
    client: Client, ada: User, leaf: str
) -> None:
    append(Item("REQ/TSK|g=42,t=1"), sender=make_sender())

    page = read(client, "/audit/conversations", conversation=leaf)

    assert rows(talk(page)) == ["REQ/TSK|g=42,t=1"]


def test_a_finding_leads_to_the_entries_it_concerns(client: Client, ada: User) -> None:
    append(Item("T|7|Q|obj=a"), Item("T|8|A|res=b"), Item("T|8|C|act=run"), sender=make_sender())

    finding = read(client, "/audit/conversations").partition('<li class="finding')[2]
    finding = finding.partition("tline.repeated-id")[2].partition("</li>")[0]

    entries = [f"/audit/default/{packet.uid}" for packet in Packet.objects.order_by("leaf")]
    assert re.findall(
        r'<a class="number button" href="([^"]+)"\s+aria-label="Packet (\d)">', finding
    ) == [
        (entries[1], "1"),
        (entries[2], "2"),
    ]


def test_the_first_problem_is_that_of_a_packet(client: Client, ada: User) -> None:
    wires = ["SLIP v3 a b Ask Status", "REQ/TSK|g=7,t=1", "ACC/PLN|g=7,t=1"]
    append(*map(Item, wires), sender=make_sender())

    assert "First finding at packet 2: Unexpected ACC/PLN" in words(
        talk(read(client, "/audit/conversations", q="proto:nslip"))
    )


def test_facts_beside_the_packets_part_them_and_name_who_speaks(client: Client, ada: User) -> None:
    append(
        Item("T|1|Q|obj=a", thread="n/1", from_="ann"), Item("T|1|Q|obj=a", thread="n/2"),
        Item("T|2|A|res=b", thread="n/1", from_="<b>bob"), sender=make_sender(),
    )  # fmt: skip

    page = read(client, "/audit/conversations", conversation="0")

    assert rows(talk(page)) == ["T|1|Q|obj=a", "T|2|A|res=b"]
    assert 'aria-label="T-line, thread n/1"' in page
    assert "[supplied] ann: from the metadata" in words(page)
    assert "<b>bob" not in page


def test_only_the_newest_packets_are_gathered_and_the_page_says_so(
    client: Client, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trail, "GATHERED", 2)
    append(*(Item(f"CFM/TSK|g=42,t=1,p={n}") for n in range(3)), sender=make_sender())

    page = read(client, "/audit/conversations", q="goal:42")
    older = read(
        client,
        "/audit/conversations" + unescape(re.findall(r'rel="next"\s+href="([^"]+)"', page)[0]),
    )

    assert "1 conversation in the newest 2 of 3 packets" in words(page)
    assert words(page.partition('role="group"')[2].partition(">")[0]).strip('" ') == (
        'aria-label="Findings in the newest 2 of 3 packets'
    )
    assert "From 2 of 3 packets, newest first. A page has at most 2 packets" in words(page)
    assert "1 conversation in 1 older of 3 packets" in words(older)
    assert "From 1 of 3 packets, an older page. A page has at most 2 packets" in words(older)
    assert (rows(page), rows(older)) == (
        ["CFM/TSK|g=42,t=1,p=1", "CFM/TSK|g=42,t=1,p=2"],
        ["CFM/TSK|g=42,t=1,p=0"],
    )


def test_a_long_conversation_shows_its_beginning(client: Client, ada: User) -> None:
    append(*(Item(f"CFM/TSK|g=42,t=1,p={n % 3}") for n in range(ROWS + 3)), sender=make_sender())

    page = read(client, "/audit/conversations")

    assert len(rows(page)) == ROWS
    assert "3 more packets not shown." in words(page)


def test_packets_of_no_protocol_are_counted(client: Client, ada: User) -> None:
    append(Item("REQ/TSK|g=42,t=1"), Item("hello"), sender=make_sender())

    assert "1 packet with no known protocol isn’t in any conversation." in words(
        read(client, "/audit/conversations")
    )


@pytest.mark.parametrize(
    ("parameters", "status"),
    [({"q": "(goal:42"}, 422), ({"cursor": "x"}, 422), ({"log": "nowhere"}, 400)],
)
def test_conversations_of_a_query_that_cannot_be_answered_say_why(
    client: Client, ada: User, parameters: dict[str, str], status: int
) -> None:
    page = read(client, "/audit/conversations", status, **parameters)

    assert 'role="alert"' in page
    assert 'action="/audit/conversations"' in page


@pytest.mark.parametrize("others", [0, 2])
def test_a_packet_is_decoded_once_for_its_page_and_its_conversation(
    client: Client, ada: User, monkeypatch: pytest.MonkeyPatch, others: int
) -> None:
    packet = keep(Item("ACK/OBS|t=1", thread="7"))
    append(
        *(Item(f"ACK/OBS|t={n}", thread="7") for n in range(2, 2 + others)), sender=make_sender()
    )
    decoded: list[str] = []
    decode = packets.read

    def note(found: Packet) -> Message:
        decoded.append(packets.wire(found))
        return decode(found)

    monkeypatch.setattr(packets, "read", note)
    read(client, f"/audit/default/{packet.uid}")

    assert sorted(decoded) == [f"ACK/OBS|t={n}" for n in range(1, 2 + others)]


def test_conversations_with_the_worst_findings_come_first(client: Client, ada: User) -> None:
    wires = ["REQ/TSK|g=1,t=1", "ACC/PLN|g=2,t=1", "REQ/TSK|g=3,t=1"]
    append(*map(Item, wires), sender=make_sender())

    page = read(client, "/audit/conversations")

    assert [re.findall(r"nSLIP, goal (\d)", line) for line in listed(page)] == [
        ["2"],
        ["1"],
        ["3"],
    ]


def test_the_rest_of_many_conversations_has_a_link(client: Client, ada: User) -> None:
    append(*(Item(f"REQ/TSK|g={goal},t=1") for goal in range(1, 54)), sender=make_sender())

    few = read(client, "/audit/conversations", q="act:request")
    link = re.search(r'href="(\?[^"]+)">Show\s+3 more', few)
    assert link
    all_of_them = client.get(f"/audit/conversations{unescape(link[1])}").content.decode()

    assert len(listed(few)) == 50
    assert len(listed(all_of_them)) == 53
    assert "Show 3 more" not in words(all_of_them)
    assert all("q=act%3Arequest" in one and "all=1" in one for one in addresses(all_of_them))


@pytest.mark.parametrize(
    ("form", "media", "begin"),
    [("svg", "image/svg+xml", "<svg"), ("mmd", "text/vnd.mermaid", "sequenceDiagram")],
)
def test_conversations_are_taken_away_as_pictures(
    client: Client, ada: User, form: str, media: str, begin: str
) -> None:
    bad = "<script>alert(1)</script>"
    append(Item("REQ/TSK|g=42,t=1", from_=bad), Item("PRO/PLN|g=42,t=1"), sender=make_sender())
    page = read(client, "/audit/conversations", q="goal:42")
    (address,) = re.findall(rf'href="(/audit/conversations.{form}[^"]+)"', page)

    answer = client.get(unescape(address))

    assert answer.headers["Content-Type"] == f"{media}; charset=utf-8"
    name = f"default-conversations.{form}"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{name}"'
    drawn = answer.content.decode()
    assert drawn.lstrip().startswith(begin)
    assert "goal 42, task 1" in drawn
    assert "<script>" not in drawn


def test_a_picture_of_a_wrong_query_or_another_form_is_refused(client: Client, ada: User) -> None:
    wrong = client.get("/audit/conversations.svg", {"q": "(goal:42"})

    assert (wrong.status_code, wrong.content.decode()) == (422, "Unclosed parenthesis.")
    assert client.get("/audit/conversations.png").status_code == 404
