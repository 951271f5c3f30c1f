"""The audit pages: rows and search, exports, one packet and its review. Nobody sees them without
signing in.
"""

import csv
import io
import json
import re
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.http import StreamingHttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from auditlog.ingest.item import Item
from auditlog.log import logs
from auditlog.models import Packet, Review
from cablese import tokens
from playground.audit.conversations import ROWS
from playground.audit.views import audit
from tests.auditlog.sending import append, keep, make_sender
from tests.playground.drawn import unstamped, words

pytestmark = pytest.mark.django_db

WIRE = "REQ/TSK|g=42,t=1,p=2,@=auth_refactor"
BROKEN = "RJE/PLN|g=42,t=1"


@pytest.fixture
def ada(client: Client) -> User:
    person = User.objects.create_user("ada")
    client.force_login(person)
    return person


def read(client: Client, address: str, status: int = 200, **parameters: str) -> str:
    response = client.get(address, parameters)
    assert response.status_code == status
    return response.content.decode()


def download(client: Client, form: str, **parameters: str) -> bytes:
    response = client.get(f"/audit/export.{form}", parameters)
    assert isinstance(response, StreamingHttpResponse)
    return response.getvalue()


def rows(page: str) -> list[str]:
    return [words(row) for row in re.findall(r'<a class="wire"[^>]*>(.*?)</a>', page, re.DOTALL)]


def test_the_audit_pages_are_for_signed_in_people(client: Client) -> None:
    packet = keep(Item(WIRE))

    for address in (
        "/audit/?q=goal:42",
        "/audit/conversations?q=goal:42",
        f"/audit/{packet.uid}",
        "/audit/export.csv",
        "/audit/export.ndjson",
    ):
        response = client.get(address)
        assert response.status_code == 302
        assert response.headers["Location"].startswith("/signin?next=/audit/")
    assert client.post(f"/audit/{packet.uid}/review", {"state": "reviewed"}).status_code == 302
    assert not Review.objects.exists()


def test_after_signing_in_one_is_where_one_wanted_to_go(client: Client) -> None:
    refused = client.get("/audit/?q=goal:42")
    client.force_login(User.objects.create_user("ada"))

    assert client.get(refused.headers["Location"]).headers["Location"] == "/audit/?q=goal:42"


@pytest.mark.parametrize(
    "place", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"]
)
def test_nobody_is_sent_to_another_site(client: Client, ada: User, place: str) -> None:
    assert client.get("/signin", {"next": place}).headers["Location"] == "/"


def test_an_empty_log_says_how_to_fill_it(client: Client, ada: User) -> None:
    page = words(read(client, "/audit/"))

    assert "This log is empty" in page
    assert "manage.py demo" in page


def test_rows_come_newest_first_with_their_facts(client: Client, ada: User) -> None:
    sender = make_sender("hr-bot")
    append(Item(WIRE), Item(BROKEN, from_="planner", tags=["night run"]), sender=sender)

    page = read(client, "/audit/")

    assert rows(page) == [BROKEN, WIRE]
    assert "2 packets in log default" in words(page)
    assert "hr-bot @night run from planner" in words(page)


def test_a_tag_and_a_goal_find_a_packet(client: Client, ada: User) -> None:
    append(Item(WIRE), Item("REQ/TSK|g=43,t=1,@=auth_refactor"), Item(BROKEN), sender=make_sender())

    page = read(client, "/audit/", q="@auth_refactor goal:42")

    assert rows(page) == [WIRE]
    assert re.search(r'<input type="search"[^>]*value="@auth_refactor goal:42"', page)
    assert "1 packet tag is auth_refactor" in words(page)


def test_nothing_found_is_said(client: Client, ada: User) -> None:
    keep(Item(WIRE))

    assert "No matching packets: goal is 7" in words(read(client, "/audit/", q="goal:7"))


@pytest.mark.parametrize(
    ("query", "marked", "saying"),
    [
        ("(goal:42", "(", "Unclosed parenthesis."),
        ("goal:42 OR", "OR", "OR needs a term on both sides."),
        ("gaol:42", "gaol", ""),
        ('a "b', '"b', "Unclosed quote."),
        ("<b>x</b>)", ")", "Unmatched closing parenthesis."),
    ],
)
def test_a_query_that_cannot_be_read_is_shown_its_place(
    client: Client, ada: User, query: str, marked: str, saying: str
) -> None:
    keep(Item(WIRE))

    page = read(client, "/audit/", 422, q=query)

    assert [unescape(place) for place in re.findall(r"<mark>(.*?)</mark>", page)] == [marked]
    assert saying in words(page)
    assert "<b>x" not in page
    assert 'aria-invalid="true"' in page


@pytest.mark.parametrize("cursor", ["x", "a:b:c", "'\"><script>"])
def test_a_cursor_that_is_none_of_ours_is_said(client: Client, ada: User, cursor: str) -> None:
    assert "Invalid cursor." in words(read(client, "/audit/", 422, cursor=cursor))


@pytest.mark.parametrize("parameters", [{"log": "nowhere"}, {"q": "x" * 10_001}, {"q": "a\0b"}])
def test_what_does_not_fit_is_said_on_the_page(
    client: Client, ada: User, parameters: dict[str, str]
) -> None:
    page = read(client, "/audit/", 400, **parameters)

    assert 'role="alert"' in page
    assert 'type="search"' in page


def test_older_packets_are_reached_by_a_link(client: Client, ada: User) -> None:
    append(*(Item(f"REQ/TSK|g={n},t=1,@=many") for n in range(120)), sender=make_sender())

    seen: list[str] = []
    address = "/audit/?q=@many"
    for _ in range(5):
        page = read(client, address)
        assert "120 packets" in words(page)
        seen += rows(page)
        link = re.search(r'<a class="button" rel="next"\s+href="([^"]+)"', page)
        if link is None:
            break
        address = f"/audit/{unescape(link[1])}"

    assert seen == [f"REQ/TSK|g={n},t=1,@=many" for n in reversed(range(120))]


def test_a_packet_of_another_log_stays_there(client: Client, ada: User) -> None:
    logs.create(slug="night")
    append(Item(WIRE), Item(BROKEN, log="night"), sender=make_sender())

    assert rows(read(client, "/audit/")) == [WIRE]
    assert rows(read(client, "/audit/", log="night")) == [BROKEN]


def test_hostile_wires_and_facts_are_text_on_every_page(client: Client, ada: User) -> None:
    bad = '<script>alert(1)</script>"onmouseover="alert(2)'
    wires = (f"INF/OBS|g=42,t=1,@={bad}", "INF/OBS|g=42,t=1,@=a\u202eb\x00c")
    append(
        *(Item(wire, from_=bad, tags=[bad], content=bad) for wire in wires), sender=make_sender()
    )

    for address in ("/audit/", *(f"/audit/{packet.uid}" for packet in Packet.objects.all())):
        page = read(client, address)
        assert "<script>alert" not in page
        assert '"onmouseover="' not in page
        assert "\u202e" not in page
        assert "\x00" not in page


def test_a_wire_that_is_not_utf_8_has_its_page(client: Client, ada: User) -> None:
    packet = keep(Item("REQ/TSK|g=42,t=1,@=caf\udce9"))

    assert "caf⟨0xE9⟩" in read(client, f"/audit/{packet.uid}")
    assert rows(read(client, "/audit/")) == ["REQ/TSK|g=42,t=1,@=caf⟨0xE9⟩"]
    assert "1 packet" in words(read(client, "/audit/", q="goal:42"))


def test_ndjson_is_what_the_search_finds_a_line_each(client: Client, ada: User) -> None:
    append(Item(WIRE), Item(BROKEN), Item("REQ/TSK|g=43,t=1"), sender=make_sender())

    response = client.get("/audit/export.ndjson", {"q": "goal:42"})

    assert response.headers["Content-Type"].startswith("application/x-ndjson")
    assert response.headers["Content-Disposition"] == 'attachment; filename="default.ndjson"'
    found = [json.loads(line) for line in download(client, "ndjson", q="goal:42").splitlines()]
    assert [(one["wire"], one["valid"]) for one in found] == [(BROKEN, False), (WIRE, True)]


def test_csv_runs_no_formula(client: Client, ada: User) -> None:
    wires = ["=cmd|' /C calc'!A0", "@auth", "-1+1", "+1", "\tx", "REQ/TSK|g=42,t=1,@==cmd"]
    append(*(Item(wire) for wire in wires), sender=make_sender())

    table = list(csv.DictReader(io.StringIO(download(client, "csv").decode(), newline="")))

    assert [row["wire"] for row in reversed(table)] == [
        "'=cmd|' /C calc'!A0", "'@auth", "'-1+1", "'+1", "'\tx", "REQ/TSK|g=42,t=1,@==cmd",
    ]  # fmt: skip
    assert all(
        not cell.startswith(("=", "+", "-", "@", "\t")) for row in table for cell in row.values()
    )


def test_an_export_holds_every_page(client: Client, ada: User) -> None:
    append(*(Item(f"REQ/TSK|g={n},t=1") for n in range(1_050)), sender=make_sender())

    assert len(download(client, "ndjson").splitlines()) == 1_050


def test_an_export_of_a_query_that_cannot_be_read_says_so(client: Client, ada: User) -> None:
    response = client.get("/audit/export.csv", {"q": "(goal:42"})

    assert response.status_code == 422
    assert response.content.decode() == "Unclosed parenthesis."


@pytest.mark.parametrize("form", ["xlsx", "CSV", "csv%0a", "%22x"])
def test_there_is_no_other_form_of_export(client: Client, ada: User, form: str) -> None:
    assert client.get(f"/audit/export.{form}").status_code == 404


EDIT = re.compile(
    r'\s*(<td class="value">[^<]*)<button\s+class="quiet edit"[^>]*></button></td>\s*'
)


def test_an_entry_draws_the_fragment_of_the_workbench_without_its_ways_to_edit(
    client: Client, ada: User
) -> None:
    packet = keep(Item(WIRE))

    entry = read(client, f"/audit/{packet.uid}")
    fragment = EDIT.sub(
        r"\1</td>", unstamped(client.post("/reading", {"text": WIRE}).content.decode())
    )

    for mark in (
        '<pre class="wire full"',
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
    page = read(client, f"/audit/{keep(Item(WIRE)).uid}{query}")

    assert [
        one for one in ("fieldtable", "fieldtree", "wire full raw") if f'class="{one}"' in page
    ] == [drawn]
    assert re.findall(r'\?view=(\w+)"', page) == ["table", "tree", "raw"]
    assert page.count('aria-current="true"') == 1


def test_an_entry_tells_its_record(client: Client, ada: User) -> None:
    sent = "2026-11-20T10:00:01+01:00"
    item = Item(BROKEN, event_id="a-17", sent_at=sent, goal=7, tags=["night"], content="Do it.")
    packet = keep(item, sender=make_sender("hr-bot"))

    page = words(read(client, f"/audit/{packet.uid}"))

    assert "Packet 0 ✖ invalid, stored as received" in page
    assert "Source hr-bot" in page
    assert "Event ID a-17" in page
    assert f"Sent {sent} sender’s time" in page
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

    page = read(client, f"/audit/{packet.uid}")

    related = page.split('aria-label="Task 1 of goal 42"')[1].split('aria-label="@auth_refactor"')
    assert rows(related[0]) == ["ACC/PLN|g=42,t=1"]
    assert rows(related[1]) == ["INF/OBS|g=9,t=1,@=auth_refactor"]
    for link in re.findall(r'<a\s+href="(/audit/\?[^"]+)">View\s+all\s+\d', page):
        assert WIRE in rows(read(client, unescape(link)))


@pytest.mark.parametrize("tag", ['a"b', "a b", "a\\b", "OR", "(x", "-x", "*", "a*b", "ж", "日本"])
def test_a_tag_of_any_spelling_finds_its_neighbours(client: Client, ada: User, tag: str) -> None:
    append(Item(WIRE, tags=[tag]), Item("ACC/PLN|g=1,t=1", tags=[tag]), sender=make_sender())
    packet = Packet.objects.get(wire=WIRE.encode())

    page = read(client, f"/audit/{packet.uid}")

    assert "ACC/PLN|g=1,t=1" in rows(page)


@pytest.mark.parametrize("uid", ["00000000-0000-7000-8000-000000000000", "x", "1"])
def test_a_packet_that_is_not_there_has_no_page(client: Client, ada: User, uid: str) -> None:
    assert client.get(f"/audit/{uid}").status_code == 404
    assert client.post(f"/audit/{uid}/review", {"state": "reviewed"}).status_code == 404


def test_review_is_append_only_with_who_and_when(client: Client, ada: User) -> None:
    packet = keep(Item(BROKEN))
    address = f"/audit/{packet.uid}"

    first = client.post(f"{address}/review", {"state": "flagged", "note": "<b>odd</b>"})
    client.force_login(User.objects.create_user("grace"))
    client.post(f"{address}/review", {"state": "reviewed", "note": ""})

    assert first.headers["Location"] == address
    page = read(client, address)
    steps = [
        words(step)
        for step in re.findall(r"<li>(.*?)</li>", page.split('<ol class="steps">')[1], re.DOTALL)
    ]
    assert [re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC", "WHEN", step) for step in steps[:2]] == [
        "reviewed grace WHEN",
        "flagged ada WHEN <b>odd</b>",
    ]
    assert [(step.state, step.who.get_username()) for step in Review.objects.order_by("id")] == [
        ("flagged", "ada"),
        ("reviewed", "grace"),
    ]
    assert rows(read(client, "/audit/", q="is:reviewed")) == [BROKEN]
    assert rows(read(client, "/audit/", q="is:flagged")) == []


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"state": "new"},
        {"state": "reviewed", "note": "x" * 10_001},
        {"state": "flagged", "note": "a\0b"},
    ],
)
def test_a_step_that_cannot_be_taken_is_said_and_leaves_no_trace(
    client: Client, ada: User, sent: dict[str, str]
) -> None:
    packet = keep(Item(WIRE))

    response = client.post(f"/audit/{packet.uid}/review", sent)

    assert response.status_code == 422
    assert '<p class="tally error">' in response.content.decode()
    assert not Review.objects.exists()


def test_a_review_of_another_site_is_refused() -> None:
    packet = keep(Item(WIRE))
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(User.objects.create_user("ada"))

    assert browser.post(f"/audit/{packet.uid}/review", {"state": "reviewed"}).status_code == 403
    assert not Review.objects.exists()


def test_the_audit_pages_are_never_kept_by_a_cache(client: Client, ada: User) -> None:
    packet = keep(Item(WIRE))

    for address in ("/audit/", f"/audit/{packet.uid}", "/audit/export.csv"):
        assert "no-store" in client.get(address).headers["Cache-Control"]


@pytest.mark.requirement("AACP-43")
def test_an_entry_says_when_the_same_bytes_came_more_than_once(client: Client, ada: User) -> None:
    sender = make_sender()
    first = keep(Item(WIRE), sender=sender)
    alone = words(read(client, f"/audit/{first.uid}"))
    keep(Item(WIRE), sender=sender)
    page = read(client, f"/audit/{first.uid}")

    assert "with the same bytes" not in alone
    assert "Received 2 times with the same bytes." in words(page)
    link = re.search(r'the same bytes.</span>\s+<a\s+href="([^"]*)"', page)
    assert link is not None
    assert len(rows(read(client, unescape(link[1])))) == 2


@pytest.mark.requirement("AACP-35")
def test_the_content_beside_a_packet_is_shown_and_its_tokens_counted_apart(
    client: Client, ada: User
) -> None:
    content = "Dear colleagues, the figures of August are attached."
    packet = keep(Item(WIRE, content=content))
    page = words(read(client, f"/audit/{packet.uid}"))

    number = tokens.count(content).count
    assert content in page
    assert f"{packet.tokens} for the packet, {number} for its content" in page
    assert f"Task content (metadata): {number} tokens" in page
    assert packet.tokens == tokens.count(WIRE).count


@pytest.mark.requirement("AACP-44")
def test_sensitive_data_is_kept_and_pointed_out(client: Client, ada: User) -> None:
    packet = keep(Item("PROC|FIN|return:a|p:1|aacp:1.1|filter:password=hunter2"))
    page = words(read(client, f"/audit/{packet.uid}"))

    assert packet.valid
    assert "Filter contains a credential. Send a reference in data_ptr" in page


def talk(page: str, key: str) -> str:
    """The panel of one conversation."""
    return page.partition(f'<section class="panel talk" aria-label="{key}">')[2].partition(
        "</section>"
    )[0]


def test_a_search_shows_its_conversations_with_their_packets(client: Client, ada: User) -> None:
    wires = ["REQ/TSK|g=42,t=1", "SLIP v3 a b Ask Status", "PRO/PLN|g=42,t=1", "REQ/TSK|g=43,t=1"]
    append(*map(Item, wires), sender=make_sender())

    page = read(client, "/audit/conversations", q="proto:nslip")

    assert "2 conversations" in words(page)
    assert "From 3 packets." in words(page)
    assert rows(talk(page, "nSLIP, goal 42, task 1")) == ["REQ/TSK|g=42,t=1", "PRO/PLN|g=42,t=1"]
    assert rows(talk(page, "nSLIP, goal 43, task 1")) == ["REQ/TSK|g=43,t=1"]
    assert "SLIP v3" not in page.partition("</details>")[2]


def test_a_finding_leads_to_the_entries_it_concerns(client: Client, ada: User) -> None:
    append(Item("T|7|Q|obj=a"), Item("T|8|A|res=b"), Item("T|8|C|act=run"), sender=make_sender())

    finding = read(client, "/audit/conversations").partition('<li class="finding')[2]
    finding = finding.partition("tline.repeated-id")[2].partition("</li>")[0]

    entries = [f"/audit/{packet.uid}" for packet in Packet.objects.order_by("leaf")]
    assert re.findall(
        r'<a class="number button" href="([^"]+)"\s+aria-label="Packet (\d)">', finding
    ) == [
        (entries[1], "1"),
        (entries[2], "2"),
    ]


def test_an_entry_tells_what_its_line_said_and_leads_to_packets_like_it(
    client: Client, ada: User
) -> None:
    item = Item(
        BROKEN,
        sent_at="2026-11-20T10:00:01+00:00",
        sent_text="Nov 20 10:00:01",
        sent_zone="UTC",
        from_="planner",
        to="critic",
        attributes={"llm": {"model": 'gpt "4"'}, "<img onerror>": "<img onerror>"},
        from_line=["sent_at", "from", "attributes"],
    )
    packet = keep(item, sender=make_sender("hr-bot"))

    page = read(client, f"/audit/{packet.uid}")
    shown = words(page)

    assert (
        "Sent 2026-11-20T10:00:01+00:00 from the log line, zone assumed: UTC · written as Nov 20 "
        "10:00:01"
    ) in shown
    assert "From planner from the log line" in shown
    assert "To critic supplied" in shown
    assert "<img" not in page
    queries = [
        unescape(one)
        for one in re.findall(
            r'<dd>\s*<a\s+(?:class="[^"]*"\s+)?href="([^"]+)"|<dd><a\s+href="([^"]+)"', page
        )
        for one in one
        if one
    ]
    assert len(queries) == 4
    for address in queries:
        assert "1 packet" in words(read(client, address))


def test_facts_beside_the_packets_part_them_and_name_who_speaks(client: Client, ada: User) -> None:
    append(
        Item("T|1|Q|obj=a", thread="n/1", from_="ann"), Item("T|1|Q|obj=a", thread="n/2"),
        Item("T|2|A|res=b", thread="n/1", from_="<b>bob"), sender=make_sender(),
    )  # fmt: skip

    page = read(client, "/audit/conversations")

    assert rows(talk(page, "T-line, thread n/1")) == ["T|1|Q|obj=a", "T|2|A|res=b"]
    assert "[supplied] ann: supplied as metadata" in words(page)
    assert "<b>bob" not in page


def test_only_the_newest_packets_are_gathered_and_the_page_says_so(
    client: Client, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit, "GATHERED", 2)
    append(*(Item(f"REQ/TSK|g=42,t={n}") for n in range(3)), sender=make_sender())

    page = read(client, "/audit/conversations", q="goal:42")
    older = read(
        client,
        "/audit/conversations" + unescape(re.findall(r'rel="next"\s+href="([^"]+)"', page)[0]),
    )

    assert "From 2 of 3 packets, newest first. The limit is 2 at a time" in words(page)
    assert "From 1 of 3 packets, an older page. The limit is 2 at a time" in words(older)
    assert (rows(page), rows(older)) == (
        ["REQ/TSK|g=42,t=1", "REQ/TSK|g=42,t=2"],
        ["REQ/TSK|g=42,t=0"],
    )


def test_a_long_conversation_shows_its_beginning(client: Client, ada: User) -> None:
    append(*(Item(f"CFM/TSK|g=42,t=1,p={n % 3}") for n in range(ROWS + 3)), sender=make_sender())

    page = read(client, "/audit/conversations")

    assert len(rows(page)) == ROWS
    assert "3 more packets not shown." in words(page)


def test_packets_of_no_protocol_are_counted(client: Client, ada: User) -> None:
    append(Item("REQ/TSK|g=42,t=1"), Item("hello"), sender=make_sender())

    assert "1 with no known protocol isn’t in any conversation." in words(
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


def test_the_trail_leads_to_its_conversations(client: Client, ada: User) -> None:
    keep(Item(WIRE))

    page = read(client, "/audit/", q="goal:42")

    address = re.escape("/audit/conversations?log=default&amp;q=goal%3A42")
    assert re.search(rf'<a class="quiet"\s+href="{address}">Conversations</a>', page)


def test_an_entry_tells_the_conversation_it_is_in(client: Client, ada: User) -> None:
    append(
        Item("REQ/TSK|g=42,t=1"),
        Item("ACC/PLN|g=42,t=1"),
        Item("REQ/TSK|g=42,t=2"),
        Item("PRO/PLN|g=42,t=1"),
        sender=make_sender(),
    )
    first, second, _, fourth = Packet.objects.order_by("leaf")

    page = read(client, f"/audit/{second.uid}")
    panel = page.partition('id="conversation"')[2].partition("</section>")[0]

    assert (
        "Packet 2 of 3: goal 42, task 1, waiting for the plan to be accepted or rejected."
        in words(panel)
    )
    assert re.findall(r'rel="(prev|next)"\s+href="([^"]+)"', panel) == [
        ("prev", f"/audit/{first.uid}"),
        ("next", f"/audit/{fourth.uid}"),
    ]
    assert "Unexpected ACC/PLN: nothing was proposed before it." in words(panel)
    whole = unescape(re.findall(r'href="(/audit/conversations[^"]+)"', panel)[0])
    assert rows(read(client, whole)) == ["REQ/TSK|g=42,t=1", "ACC/PLN|g=42,t=1", "PRO/PLN|g=42,t=1"]


@pytest.mark.parametrize(
    "item", [Item("REQ/TSK|g=42,t=1"), Item("T|1|Q|obj=a"), Item("hello", goal="7")]
)
def test_an_entry_that_is_alone_has_no_conversation(client: Client, ada: User, item: Item) -> None:
    assert 'id="conversation"' not in read(client, f"/audit/{keep(item).uid}")


def test_an_entry_far_behind_the_newest_of_its_goal_has_none(
    client: Client, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit, "NEAR", 2)
    append(*(Item("CFM/TSK|g=42,t=1") for _ in range(3)), sender=make_sender())
    oldest, newest = Packet.objects.order_by("leaf")[0], Packet.objects.order_by("leaf")[2]

    assert 'id="conversation"' not in read(client, f"/audit/{oldest.uid}")
    assert 'id="conversation"' in read(client, f"/audit/{newest.uid}")


@pytest.mark.parametrize("address", ["/audit/", "/audit/conversations"])
def test_a_search_reads_the_logs_once(
    client: Client, ada: User, address: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    logs.create(slug="night")
    append(Item(WIRE), Item(BROKEN), sender=make_sender())

    # Session, person, logs, search, packets, leaves, reviews, repeats.
    with django_assert_num_queries(8):
        page = read(client, address, q="goal:42")

    assert rows(page)


def test_an_entry_reads_its_log_only_with_its_packet(client: Client, ada: User) -> None:
    packet = keep(Item(WIRE))
    keep(Item("ACC/PLN|g=42,t=1"))

    with CaptureQueriesContext(connection) as asked:
        page = read(client, f"/audit/{packet.uid}")

    assert "Task 1 of goal 42" in page  # other packets of it were searched for
    assert not [query for query in asked.captured_queries if 'FROM "auditlog_log"' in query["sql"]]


def test_an_unknown_log_is_refused_in_plain_words(client: Client, ada: User) -> None:
    message = "Select a valid choice. That choice is not one of the available choices."

    for address in ("/audit/", "/audit/conversations"):
        assert message in read(client, address, 400, log="nowhere")
