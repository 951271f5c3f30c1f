"""What an agent wrote is text on every page: it opens no element and adds no attribute.

Each page gets text that closes an attribute in either quotes and a tag, and then opens an element
that no page of ours has. A page must have that text, and not that element.
"""

import json
from urllib.parse import parse_qs, urlencode

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from auditlog.models import Packet
from playground.aacp import candidates
from playground.accounts import signin
from playground.health.readiness import Problem, State
from playground.tokens.forms import SECTIONS
from playground.workbench.forms import VIEWS
from playground.workbench.views import CHECKS
from tests.playground.display.hostile.live import HOSTILE, IN_SLOT, LIVE, TEXT, WIRES, check
from tests.playground.drawn import Elements

pytestmark = pytest.mark.django_db

CARD = "4111 1111 1111 1111"
VERB = {
    "name": "hostile", "description": HOSTILE, "inputs": ["text"], "outputs": "string",
}  # fmt: skip


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("address", ["/", "/reading", "/fixes", "/reading/whole"])
def test_a_message_is_text_in_the_workbench(
    client: Client, ada: User, address: str, wire: str
) -> None:
    check(client.post(address, {"text": wire, "message": "1"}), shows=address != "/reading/whole")


@pytest.mark.parametrize("view", VIEWS)
def test_each_view_of_the_fields_is_text(client: Client, view: str) -> None:
    for wire in WIRES[:-1]:
        check(client.post("/", {"text": wire, "message": "1", "view": view}))


@pytest.mark.parametrize("to", ["nslip", "slip", "nlip", "sacp", "english", "json"])
def test_a_translation_is_text(client: Client, to: str) -> None:
    check(client.post("/", {"text": WIRES[0], "message": "1", "to": to}))


def test_several_messages_are_text(client: Client) -> None:
    for address in ("/", "/reading", "/reading/rows", "/share/redacted"):
        sent = {"text": TEXT, "redact": "[]", "rows": "0"}
        check(client.post(address, sent), shows=address == "/")
    check(client.get("/", {"text": TEXT}))


def test_what_was_typed_to_filter_messages_is_text(client: Client) -> None:
    page = check(client.post("/", {"text": TEXT, "filter": HOSTILE}))

    typed = [given["value"] for _, given in Elements(page).found if given.get("id") == "filter"]
    assert typed == [HOSTILE]


@pytest.mark.parametrize("address", ["/", "/reading"])
def test_a_comparison_is_text(client: Client, address: str) -> None:
    for number in range(2, len(WIRES)):
        page = check(client.post(address, {"text": TEXT, "message": "1", "other": f"{number}"}))
        assert "comparetable" in page
    assert "There is no message" in check(
        client.post(address, {"text": TEXT, "other": f"<{LIVE}>"})
    )


@pytest.mark.parametrize("wire", [WIRES[0], WIRES[2], WIRES[5]])
@pytest.mark.parametrize("name", [*SECTIONS, *CHECKS])
def test_a_panel_is_text(client: Client, name: str, wire: str) -> None:
    room = "spending" if name in SECTIONS else "examine"
    sent = {"text": wire, "message": "1"} | dict.fromkeys(
        ("teach_prompt", "price_model", "baseline", "unit"), HOSTILE
    )
    for headers in ({}, {"HX-Request": "true"}):
        check(client.post(f"/reading/{room}/{name}", sent, headers=headers), shows=False)


def test_a_stored_packet_is_text(client: Client, stored: list[Packet]) -> None:
    for packet in stored:
        check(client.get(f"/audit/default/{packet.uid}"))
        client.post(f"/audit/default/{packet.uid}/review", {"state": "flagged", "note": HOSTILE})
        check(client.get(f"/audit/default/{packet.uid}"))


@pytest.mark.parametrize(
    "address",
    ["/audit/", "/audit/?q=(" + "%3Cx-live%3E", "/audit/conversations", "/stream/log/default",
     "/audit/?log=%3Cx-live%3E", "/stream/log/default/message/0", "/stream/log/default/lines"],
)  # fmt: skip
def test_lists_of_packets_are_text(client: Client, stored: list[Packet], address: str) -> None:
    check(client.get(address))


def test_what_is_to_be_saved_is_text(client: Client, ada: User) -> None:
    check(client.post("/save", {"text": TEXT, "sender": HOSTILE, "goal": HOSTILE}))
    lines = "".join(f"2026-11-20T10:00:01Z [{IN_SLOT}] {wire}\n" for wire in WIRES)
    file = SimpleUploadedFile(f"{IN_SLOT}.log", lines.encode())
    check(client.post("/import/", {"file": file, "log": "default"}), shows=False)
    about = urlencode({"file": "a.log:1:2", "at": 0, "line": 1, "log": "default"})
    address = f"/import/preview?{about}"
    check(client.post(address, lines.encode(), content_type="application/octet-stream"))
    check(client.post("/audit/receipt", {"receipt": HOSTILE, "wire": HOSTILE}))


def test_a_field_with_sensitive_data_is_text(client: Client, ada: User) -> None:
    wire = json.dumps({"Format": "text", "Subformat": "english", "Content": "x", HOSTILE: CARD})
    page = check(client.post("/", {"text": wire, "message": "1"}))

    panel = page[page.index('id="sensitive-title"') :]
    assert LIVE in panel[: panel.index("</section>")]


def test_names_on_log_lines_are_text(client: Client, ada: User) -> None:
    line = {"role": "user", "name": HOSTILE, "thread": HOSTILE, "content": "REQ/TSK|g=42,t=1"}
    page = Elements(check(client.post("/save", {"text": json.dumps(line)})))

    values = {given.get("name"): given.get("value") for tag, given in page.found if tag == "input"}
    assert values["from-0"] == HOSTILE
    shown = check(client.post("/", {"text": json.dumps(line), "message": "1"}))
    panel = shown[shown.index('class="from-line"') :]
    assert LIVE in panel[: panel.index("</dl>")]


def test_where_a_message_was_found_is_text(client: Client) -> None:
    lines = [json.dumps({HOSTILE: f"REQ/TSK|g={number},t=1"}) for number in (1, 2)]
    page = Elements(check(client.post("/", {"text": "\n".join(lines)})))

    places = [given["title"] for _, given in page.found if "title" in given]
    assert places.count(HOSTILE) == 2


def test_what_an_import_refuses_is_text(client: Client, ada: User) -> None:
    twice = ", ".join([f"{json.dumps(HOSTILE)}: 1"] * 2)
    item = f'{{"wire": "x", "attributes": {{{twice}}}}}\n'.encode()
    for sent in ({}, {"zone": HOSTILE}, {"protocol": HOSTILE}):
        check(client.post("/import/", {"file": SimpleUploadedFile("a.log", item), **sent}))
    about = urlencode({"file": "a.log:1:2", "at": 0, "line": 1})
    address = f"/import/preview?{about}"
    check(client.post(address, item, content_type="application/octet-stream"))


def test_a_problem_of_the_installation_is_text(
    client: Client, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = Problem("disk", "warning", HOSTILE, HOSTILE)
    monkeypatch.setattr("playground.health.readiness.current", lambda: State((problem,)))
    page = check(client.get("/stream/"))

    assert page.count("x-live onx") == 2


@pytest.fixture
def candidate(ada: User) -> int:
    cost = candidates.RequestCost(HOSTILE[:20], 1, 9, 4, reported=True)
    packet = f"FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:{IN_SLOT}"
    english = f"Fetch {HOSTILE} for March."
    candidates.add(english=english, packet="", failure=HOSTILE, cost=cost, user=ada.pk)
    return candidates.add(
        english=english, packet=packet, failure="", cost=cost, user=ada.pk
    ).pk  # fmt: skip


def test_rules_and_candidates_are_text(client: Client, candidate: int) -> None:
    check(client.get("/aacp/candidates"))
    check(client.get(f"/aacp/candidates/{candidate}/slots"))
    sent = {"english": HOSTILE, "packet": HOSTILE}
    check(client.post(f"/aacp/candidates/{candidate}/slots", sent))
    check(client.post("/aacp/english", {"english": HOSTILE}))
    candidates.decide(candidate=candidate, state="promoted", reviewer=None)
    check(client.get("/aacp/candidates"))
    check(client.post("/aacp/english", {"english": f"Fetch {HOSTILE} for March."}))
    check(client.post("/aacp/workflows/invoice", {"invoice": HOSTILE}))


def test_plans_and_definitions_are_text(client: Client, ada: User) -> None:
    check(client.post("/sacp/verb/", {"body": json.dumps(VERB | {"name": HOSTILE})}))
    client.post("/sacp/verb/", {"body": json.dumps(VERB)})
    for address in (
        "/sacp/verb/hostile",
        "/sacp/",
        "/sacp/?wish=%3Cx-live%3E",
        "/sacp/?verb=%3Cx-live%3E",
    ):
        check(client.get(address))
    for address in ("/sacp/plan", "/sacp/history"):
        check(client.post(address, {"text": WIRES[5]}))
        check(client.post(address, {"text": HOSTILE}))
    steps = [["check", "VISA_QUERY", {"nationality": HOSTILE}]]
    visit = check(
        client.post("/sacp/plan/spawn", {"text": json.dumps({"g": HOSTILE, "plan": steps})})
    )
    assert "VISA_QUERY</a>" in visit
    sent = {"goal": HOSTILE, "context": json.dumps({"loc": HOSTILE}), "msg_id": HOSTILE}
    check(client.post("/sacp/assemble", sent))


def test_an_exchange_is_text(client: Client, ada: User) -> None:
    sent = {"request": WIRES[6], "response": WIRES[6], "status": "200", "own_tokens": HOSTILE}
    check(client.post("/nlip/exchange", sent))
    check(client.post("/nlip/exchange", sent | {"request": HOSTILE}))
    check(client.post("/nlip/talk", {"server": HOSTILE, "text": HOSTILE, "proof": HOSTILE}))


@pytest.mark.parametrize(
    "address",
    ["/signin?next=/%3Cx-live%3E%22", "/%3Cx-live%3E", "/examples/?q=%3Cx-live%3E",
     "/protocols/%3Cx-live%3E", "/stream/?protocol=%3Cx-live%3E", "/?example=%3Cx-live%3E",
     "/protocols/nslip/training?seed=%3Cx-live%3E&roles=%3Cx-live%3E"],
)  # fmt: skip
def test_an_address_is_text(client: Client, ada: User, address: str) -> None:
    check(client.get(address), shows=False)
    client.logout()
    check(client.get(address), shows=False)


def test_where_to_go_after_signing_in_is_text(client: Client) -> None:
    place = f"/?{urlencode({'q': HOSTILE})}#{HOSTILE}&next=/other"
    page = Elements(check(client.get("/signin", {"next": place}), shows=False))

    [address] = [given["href"] for tag, given in page.found if given.get("class") == "button"]
    assert address is not None
    assert parse_qs(address.removeprefix("?")) == {"next": [place]}


def test_a_signin_link_is_text(client: Client) -> None:
    person = User.objects.create_user(f"ada{IN_SLOT}")
    place = f"/{HOSTILE}"
    page = Elements(check(client.get(signin.link(person), {"next": place})))

    assert ("input", {"type": "hidden", "name": "next", "value": place}) in page.found
    assert f"Sign in as {person.username}" in page.text


def test_a_query_in_a_link_is_the_query(client: Client, stored: list[Packet]) -> None:
    query = '"a&log=other#b+c%d" OR "e\'f"'
    page = Elements(client.get("/audit/", {"q": query}).content.decode())

    addresses = [given.get("href") or "" for _, given in page.found]
    [live] = [address for address in addresses if address.startswith("/stream/log/default?")]
    assert parse_qs(live.partition("?")[2]) == {"q": [query]}


@pytest.mark.parametrize("query", [HOSTILE, f'"{LIVE}>"', f"({HOSTILE}"])
def test_the_search_of_a_live_log_is_text(client: Client, ada: User, query: str) -> None:
    page = Elements(check(client.get("/stream/log/default", {"q": query})))

    assert [given["value"] for _, given in page.found if given.get("id") == "q"] == [query]
