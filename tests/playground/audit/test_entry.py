"""The page of a packet: its views, its record, and packets like it."""

import re
from html import unescape
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from auditlog.findings.following.follower import Follower
from auditlog.ingest.item import Item
from auditlog.log import logs
from auditlog.models import Conflict, Finding, Packet
from cablese import tokens
from playground.audit.views import audit
from tests.auditlog.sending import append, keep, make_sender
from tests.playground.audit.pages import BROKEN, WIRE, find, read, rows
from tests.playground.drawn import unstamped, words

pytestmark = pytest.mark.django_db

EDIT = re.compile(
    r'\s*(<td class="value">[^<]*)<button\s+class="quiet edit"[^>]*></button></td>\s*'
)


def test_an_entry_draws_the_fragment_of_the_workbench_without_its_ways_to_edit(
    client: Client, ada: User
) -> None:
    packet = keep(Item(WIRE))

    entry = unstamped(read(client, f"/audit/default/{packet.uid}"))
    fragment = EDIT.sub(
        r"\1</td>", unstamped(client.post("/reading", {"text": WIRE}).content.decode())
    ).replace("wire full no-script", "wire full")

    for mark in (
        '<pre id="wire" class="wire full"',
        '<table class="fieldtable"',
        '<p id="english"',
        '<p class="chips"',
    ):
        end = mark.split()[0].strip("<")
        drawn = re.compile(re.escape(mark) + rf".*?</{end}>", re.DOTALL)
        shown, there = drawn.search(entry), drawn.search(fragment)
        assert shown is not None
        assert there is not None
        assert re.sub(r">\s+<", "><", shown[0]) == re.sub(r">\s+<", "><", there[0])


@pytest.mark.parametrize(
    ("query", "drawn"),
    [
        ("", "fieldtable"),
        ("?view=tree", "fieldtree"),
        ("?view=raw", "wire full raw"),
        ("?view=pie", "fieldtable"),
    ],
)
def test_an_entry_is_shown_as_a_table_a_tree_or_the_raw_text(
    client: Client, ada: User, query: str, drawn: str
) -> None:
    page = read(client, f"/audit/default/{keep(Item(WIRE)).uid}{query}")

    assert [
        one for one in ("fieldtable", "fieldtree", "wire full raw") if f'class="{one}"' in page
    ] == [drawn]
    assert re.findall(r'\?view=(\w+)"', page) == ["table", "tree", "raw"]
    assert page.count('aria-current="true"') == 1


def test_an_entry_tells_its_record(client: Client, ada: User) -> None:
    sent = "2026-11-20T10:00:01+01:00"
    item = Item(BROKEN, event_id="a-17", sent_at=sent, goal=7, tags=["night"], content="Do it.")
    packet = keep(item, sender=make_sender("hr-bot"))

    page = words(read(client, f"/audit/default/{packet.uid}"))

    assert "Packet 0 ✖ invalid, stored as received" in page
    assert "Source hr-bot" in page
    assert "Event ID a-17" in page
    assert f"Sent 2026-11-20 09:00:01 UTC sender’s time · written as {sent}" in page
    assert "Goal 7 supplied" in page
    assert "Tags @night supplied" in page
    assert "Do it." in page
    assert "nslip.unknown-act at columns 1–3" in page
    assert packet.uid in page


def test_an_entry_links_to_the_others_of_its_goal_task_and_tag(client: Client, ada: User) -> None:
    append(
        Item(WIRE),
        Item("ACC/PLN|g=42,t=1"),
        Item("INF/OBS|g=9,t=1,@=auth_refactor"),
        Item("ACC/PLN|g=42,t=2"),
        sender=make_sender(),
    )
    packet = Packet.objects.get(wire=WIRE.encode())

    page = read(client, f"/audit/default/{packet.uid}")

    related = page.split('aria-label="Task 1 of goal 42"')[1].split('aria-label="@auth_refactor"')
    assert rows(related[0]) == ["ACC/PLN|g=42,t=1"]
    assert rows(related[1]) == ["INF/OBS|g=9,t=1,@=auth_refactor"]
    for link in re.findall(r'<a\s+href="(/audit/\?[^"]+)">View\s+all\s+\d', page):
        assert WIRE in rows(read(client, f"{unescape(link)}&columns=raw"))


@pytest.mark.parametrize("tag", ['a"b', "a b", "a\\b", "OR", "(x", "-x", "*", "a*b", "ж", "日本"])
def test_a_tag_of_any_spelling_finds_its_neighbours(client: Client, ada: User, tag: str) -> None:
    append(Item(WIRE, tags=[tag]), Item("ACC/PLN|g=1,t=1", tags=[tag]), sender=make_sender())
    packet = Packet.objects.get(wire=WIRE.encode())

    page = read(client, f"/audit/default/{packet.uid}")

    assert "ACC/PLN|g=1,t=1" in rows(page)


@pytest.mark.parametrize("uid", ["00000000-0000-7000-8000-000000000000", "x", "1"])
def test_a_packet_that_is_not_there_has_no_page(client: Client, ada: User, uid: str) -> None:
    assert client.get(f"/audit/default/{uid}").status_code == 404
    assert client.post(f"/audit/default/{uid}/review", {"state": "reviewed"}).status_code == 404


@pytest.mark.requirement("AACP-43")
def test_an_entry_says_when_the_same_bytes_came_more_than_once(client: Client, ada: User) -> None:
    sender = make_sender()
    first = keep(Item(WIRE), sender=sender)
    alone = words(read(client, f"/audit/default/{first.uid}"))
    keep(Item(WIRE), sender=sender)
    page = read(client, f"/audit/default/{first.uid}")

    assert "with the same bytes" not in alone
    assert "Received 2 times with the same bytes." in words(page)
    link = re.search(r'the same bytes.</span>\s+<a\s+href="([^"]*)"', page)
    assert link is not None
    assert len(rows(read(client, f"{unescape(link[1])}&columns=raw"))) == 2


@pytest.mark.requirement("AACP-35")
def test_the_content_beside_a_packet_is_shown_and_its_tokens_counted_apart(
    client: Client, ada: User
) -> None:
    content = "Dear colleagues, the figures of August are attached."
    packet = keep(Item(WIRE, content=content))
    page = words(read(client, f"/audit/default/{packet.uid}"))

    number = tokens.count(content).count
    assert content in page
    assert f"{packet.tokens} for the packet, {number} for its content" in page
    assert f"Task content (metadata): {number} tokens" in page
    assert packet.tokens == tokens.count(WIRE).count


@pytest.mark.requirement("AACP-44")
def test_sensitive_data_is_kept_and_pointed_out(client: Client, ada: User) -> None:
    packet = keep(Item("PROC|FIN|return:a|p:1|aacp:1.1|filter:password=hunter2"))
    page = words(read(client, f"/audit/default/{packet.uid}"))

    assert packet.valid
    assert "Filter contains a credential. Send a reference in data_ptr" in page


def test_an_entry_and_its_row_name_the_detectors_that_found_something(
    client: Client, ada: User
) -> None:
    card = keep(Item("PROC|FIN|return:a|p:1|aacp:1.1|filter:card=4111111111111111"))
    plain = keep(Item(WIRE))
    entry = f"/audit/default/{card.uid}"
    assert "Findings Not checked yet. Findings appear within seconds." in words(read(client, entry))

    while Follower().step():
        pass

    page = read(client, entry)
    assert re.search(r'href="/audit/\?log=default&amp;q=finding%3Asensitive"', page)
    assert "Findings None. This doesn’t mean" in words(read(client, f"/audit/default/{plain.uid}"))
    signs = re.findall(r'aria-label="(Sensitive[^"]*)"', read(client, "/audit/"))
    assert signs == ["Sensitive data: card number"]
    assert len(rows(find(client, q="finding:sensitive"))) == 1


def test_a_forged_finding_is_escaped(client: Client, ada: User) -> None:
    packet = keep(Item(WIRE))
    while Follower().step():
        pass
    Finding.objects.create(
        log=packet.log, leaf=0, detector="<b>&quot;", number=0, version=1, code="<i>", part="wire"
    )

    for page in (read(client, f"/audit/default/{packet.uid}"), read(client, "/audit/")):
        assert "<b>" not in page
        assert "&lt;b&gt;&amp;quot;" in page


def test_an_entry_tells_what_its_line_said_and_leads_to_packets_like_it(
    client: Client, ada: User
) -> None:
    item = Item(
        BROKEN,
        sent_at="2026-11-20T10:00:01+00:00",
        sent_text="Nov 20 10:00:01",
        sent_zone="UTC",
        from_="planner",
        to='critic ("2',
        attributes={"llm": {"model": 'gpt "4"'}, "<img onerror>": "<img onerror>"},
        from_line=["sent_at", "from", "attributes"],
    )
    packet = keep(item, sender=make_sender("hr-bot"))

    page = read(client, f"/audit/default/{packet.uid}")
    shown = words(page)

    assert (
        "Sent 2026-11-20 10:00:01 UTC from the log line, zone assumed: UTC · written as Nov 20 "
        "10:00:01"
    ) in shown
    assert "From planner from the log line" in shown
    assert 'To critic ("2 supplied' in shown
    assert "<img" not in page
    queries = [
        unescape(match)
        for groups in re.findall(
            r'<dd>\s*<a\s+(?:class="[^"]*"\s+)?href="([^"]+)"|<dd><a\s+href="([^"]+)"', page
        )
        for match in groups
        if match
    ]
    assert len(queries) == 4
    for address in queries:
        assert "1 packet" in words(read(client, address))


def test_an_entry_tells_the_conversation_it_is_in(client: Client, ada: User) -> None:
    append(
        Item("REQ/TSK|g=42,t=1"),
        Item("ACC/PLN|g=42,t=1"),
        Item("REQ/TSK|g=42,t=2"),
        Item("PRO/PLN|g=42,t=1"),
        sender=make_sender(),
    )
    first, second, _, fourth = Packet.objects.order_by("leaf")

    page = read(client, f"/audit/default/{second.uid}")
    panel = page.partition('id="conversation"')[2].partition("</section>")[0]

    assert (
        "Packet 2 of 3: goal 42, task 1, waiting for the plan to be accepted or rejected."
        in words(panel)
    )
    assert re.findall(r'rel="(prev|next)"\s+href="([^"]+)"', panel) == [
        ("prev", f"/audit/default/{first.uid}"),
        ("next", f"/audit/default/{fourth.uid}"),
    ]
    assert "Unexpected ACC/PLN: nothing was proposed before it." in words(panel)
    whole = unescape(re.findall(r'href="(/audit/conversations[^"]+)"', panel)[0])
    assert rows(read(client, whole)) == ["REQ/TSK|g=42,t=1", "ACC/PLN|g=42,t=1", "PRO/PLN|g=42,t=1"]


@pytest.mark.parametrize(
    "item", [Item("REQ/TSK|g=42,t=1"), Item("T|1|Q|obj=a"), Item("hello", goal="7")]
)
def test_an_entry_that_is_alone_has_no_conversation(client: Client, ada: User, item: Item) -> None:
    assert 'id="conversation"' not in read(client, f"/audit/default/{keep(item).uid}")


def test_an_entry_far_behind_the_newest_of_its_goal_has_none(
    client: Client, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit, "NEIGHBORS", 2)
    append(*(Item("CFM/TSK|g=42,t=1") for _ in range(3)), sender=make_sender())
    oldest, newest = Packet.objects.order_by("leaf")[0], Packet.objects.order_by("leaf")[2]

    assert 'id="conversation"' not in read(client, f"/audit/default/{oldest.uid}")
    assert 'id="conversation"' in read(client, f"/audit/default/{newest.uid}")


def test_an_entry_reads_its_log_only_with_its_packet(client: Client, ada: User) -> None:
    packet = keep(Item(WIRE))
    keep(Item("ACC/PLN|g=42,t=1"))

    with CaptureQueriesContext(connection) as asked:
        page = read(client, f"/audit/default/{packet.uid}")

    assert "Task 1 of goal 42" in page  # other packets of it were searched for
    statements = [query["sql"] for query in asked.captured_queries]
    assert not [sql for sql in statements if sql.startswith('SELECT "auditlog_log"')]


def test_an_address_without_the_log_leads_to_the_packet(client: Client, ada: User) -> None:
    logs.create(slug="night")
    packet = keep(Item(WIRE, log="night"))

    assert client.get(f"/audit/{packet.uid}").headers["Location"] == f"/audit/night/{packet.uid}"
    assert client.get(f"/audit/{uuid4()}").status_code == 404


def test_a_packet_of_another_log_is_not_found(client: Client, ada: User) -> None:
    logs.create(slug="night")
    packet = keep(Item(WIRE, log="night"))

    assert client.get(f"/audit/default/{packet.uid}").status_code == 404


def test_what_was_refused_with_its_event_id_can_be_read(client: Client, ada: User) -> None:
    sender = make_sender()
    packet = keep(Item(WIRE, event_id="a-1"), sender=sender)
    address = f"/audit/default/{packet.uid}"
    assert "Conflicts" not in read(client, address)

    append(Item(WIRE, event_id="a-1"), sender=sender)
    append(
        Item(f"{BROKEN} <b>\u202e", event_id="a-1", to="bob", tags=["night"], content="Do it."),
        Item(WIRE, event_id="a-1", sent_at="2026-11-20T10:00:01Z"),
        sender=sender,
    )

    page = read(client, address)
    shown = page[page.index('<details class="canonical" id="conflicts">') :]
    shown = shown[: shown.index("</details>")]
    assert "Refused with this event ID: 2" in words(shown)
    for part in ("To: bob", "@night", "Do it.", "Sent: 2026-11-20T10:00:01Z"):
        assert part in words(shown)
    assert f"{BROKEN} &lt;b&gt;" in shown
    assert "\u202e" not in shown
    assert shown.count('<pre class="wire">') == 3


def test_the_newest_of_many_conflicts_are_shown(
    client: Client, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit, "CONFLICTS", 2)
    sender = make_sender()
    packet = keep(Item(WIRE, event_id="a-1"), sender=sender)
    for number in range(3):
        append(Item(f"REQ/TSK|g={number}77", event_id="a-1"), sender=sender)
    Conflict.objects.filter(wire=b"REQ/TSK|g=277").update(facts=b"{")

    page = words(read(client, f"/audit/default/{packet.uid}"))

    assert "Refused with this event ID: the newest 2 of 3" in page
    assert [f"g={number}77" in page for number in range(3)] == [False, True, True]
