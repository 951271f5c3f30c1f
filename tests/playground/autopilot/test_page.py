"""The page and its fragment: who may see what, and hostile text."""

import math
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from auditlog.ingest.item import Item
from auditlog.models import Packet
from playground.autopilot import traffic
from playground.autopilot.candidate import RULE
from playground.workbench.examples import CONVERSATION
from tests.auditlog.sending import keep
from tests.playground.drawn import words

pytestmark = pytest.mark.django_db
REQUEST = "REQ/TSK|g=42,t=1,p=2,@=auth_refactor"
SENTENCE = "Keep this message in nSLIP: 19 tokens, 29.6% fewer than minified JSON;"


def test_the_page_asks_for_messages_and_analyzes_nothing(client: Client) -> None:
    page = client.get("/autopilot").content.decode()

    assert 'name="text"' in page
    assert 'class="autopilot"' not in page
    assert 'name="q"' not in page, "strangers search no log"


def test_a_text_is_answered_in_one_sentence_first(client: Client) -> None:
    page = client.post("/autopilot", {"text": REQUEST}).content.decode()
    said = words(page[page.index('class="answer"') :])

    assert SENTENCE in said
    assert said.index("no field is lost") < said.index("Protocol prompt for nSLIP")
    assert RULE in said
    assert re.findall(r'<textarea[^>]* name="text"[^>]*>\n(.*?)</textarea>', page) == [REQUEST]
    assert not Packet.objects.exists()


def cells(page: str, key: str) -> dict[str, str]:
    """The cells of a format's row in the table, by their labels."""
    row = page.partition(f'id="way-{key}"')[2].partition("</tr>")[0]
    found = re.findall(r'aria-hidden="true">([^<]+)</span>(.*?)</td>', row, re.DOTALL)
    return {label: words(text).strip() for label, text in found}


def test_a_row_has_the_tokens_of_a_format_and_when_its_prompt_breaks_even(client: Client) -> None:
    page = client.post("/autopilot", {"text": REQUEST}).content.decode()
    nslip, json, yaml, short = (cells(page, key) for key in ("nslip", "json", "yaml", "short"))

    assert nslip["Messages"] == "1 of 1"
    assert (nslip["Tokens"], nslip["Difference"]) == ("19", "−29.6%")
    assert (json["Tokens"], json["Difference"]) == ("27", "baseline")
    assert int(nslip["Break-even"]) == math.ceil(int(nslip["Prompt"]) / (27 - 19))
    assert [each["Break-even"] for each in (json, yaml, short)] == ["–", "never", "immediately"]
    assert [each["Prompt"] for each in (json, yaml, short)] == ["none"] * 3
    assert (nslip["Silent changes"], short["Silent changes"]) == ("15.8%", "–")
    assert (nslip["Routable after"], short["Routable after"]) == ("9 of 19", "–")


def test_the_fragment_is_the_same_answer_alone(client: Client) -> None:
    page = client.post("/autopilot", {"text": CONVERSATION}).content.decode()
    fragment = client.post("/autopilot/panel", {"text": CONVERSATION}).content.decode()

    assert "<html" not in fragment
    assert words(fragment) in words(page)


def test_the_chosen_tokenizer_and_baseline_are_used_and_stay_chosen(client: Client) -> None:
    sent = {"text": REQUEST, "tokenizer": "cl100k_base", "baseline": "yaml"}
    page = client.post("/autopilot", sent).content.decode()

    assert "compared with YAML cl100k_base" in words(page)
    assert re.search(r'<option value="yaml"\s+selected>', page)
    assert re.search(r'<option value="cl100k_base"\s+selected>', page)


@pytest.mark.parametrize(
    "sent", [{"baseline": "<b>"}, {"tokenizer": "<b>"}, {"protocol": "<b>"}, {"text": "x" * 2**21}]
)
@pytest.mark.parametrize("path", ["/autopilot", "/autopilot/panel"])
def test_what_is_no_choice_is_a_problem(client: Client, path: str, sent: dict[str, str]) -> None:
    page = client.post(path, {"text": REQUEST} | sent).content.decode()

    assert 'role="alert"' in page
    assert 'class="ranked"' not in page
    assert "<b>" not in page


def test_hostile_text_is_escaped_wherever_it_is_drawn(client: Client) -> None:
    text = (
        "INF/OBS|g=1,<i>x</i>=</pre><script>alert(1)</script>\u202e\x00\n"
        '{"g":"</pre><script>","ctx":{"<script>":"\u202e","x":1.0},"plan":[["s","H_API",{}]]}'
    )
    for path in ("/autopilot", "/autopilot/panel"):
        page = client.post(path, {"text": text}).content.decode()
        answer = page[page.index('class="autopilot"') :].partition("<textarea")[0]
        assert 'class="ranked"' in answer
        assert "<script>" not in answer
        assert "<i>" not in answer
        assert "\u202e" not in answer
        assert "\x00" not in answer


def test_what_is_not_analyzed_is_said(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traffic, "MESSAGES", 2)
    sent = {"text": f"{REQUEST}\nRJE/PLN|g=1\n{REQUEST}\n{REQUEST}"}
    said = words(client.post("/autopilot", sent).content.decode())

    assert "Keep the first valid message in nSLIP" in said
    assert "1 invalid message is left out. 2 more messages are not analyzed." in said


def test_a_text_without_messages_says_so(client: Client) -> None:
    page = client.post("/autopilot/panel", {"text": "hello there"}).content.decode()

    assert "No valid messages to compare." in page
    assert "<table" not in page
    assert "answer" not in client.post("/autopilot/panel", {"text": ""}).content.decode()


def test_a_search_takes_a_signed_in_person(client: Client) -> None:
    for query in ("?q=goal:42", "?log=default", "?q="):
        answer = client.get(f"/autopilot{query}")
        assert answer.status_code == 302
        assert answer.headers["Location"].startswith("/signin?next=/autopilot")


def test_a_search_analyzes_the_newest_matching_packets_in_order(admin_client: Client) -> None:
    for wire in (REQUEST, "ACC/PLN|g=42,t=1", "ACC/PLN|g=7,t=1"):
        keep(Item(wire=wire))
    page = admin_client.get("/autopilot?q=goal:42&log=default").content.decode()
    text = re.search(r'id="text-nslip"[^>]*>([^<]*)<', page)

    assert text is not None
    assert text[1] == f"{REQUEST}\nACC/PLN|g=42,t=1"
    assert "Keep these 2 messages in nSLIP" in words(page)
    assert 'value="goal:42"' in page


@pytest.mark.parametrize(("query", "status"), [("?q=(goal:1", 422), ("?log=nowhere&q=", 400)])
def test_a_wrong_search_is_a_problem(admin_client: Client, query: str, status: int) -> None:
    answer = admin_client.get(f"/autopilot{query}")

    assert answer.status_code == status
    assert 'role="alert"' in answer.content.decode()


def test_a_disabled_person_searches_nothing(client: Client) -> None:
    client.force_login(User.objects.create_superuser("ada"))
    User.objects.update(is_active=False)

    assert client.get("/autopilot?q=").status_code == 302


def test_the_tokens_panel_leads_here_with_the_text(client: Client) -> None:
    page = client.post("/", {"text": REQUEST}).content.decode()

    assert re.search(r'<button[^>]* formaction="/autopilot"', page)
