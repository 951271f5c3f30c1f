"""The page of packets by rule: every workflow, its English beside it, and the benchmark."""

import re
from html import unescape

import pytest
from django.test import Client

from cablese.protocols.aacp.authoring.workflow import encode_hops
from cablese.protocols.aacp.authoring.workflows import PAYROLL, WORKFLOWS
from playground.tokens.benchmark import measure
from tests.playground.drawn import words

pytestmark = pytest.mark.django_db


def packets(page: str) -> list[str]:
    return [
        unescape(match)
        for match in re.findall(r'<pre class="wire"[^>]*>(.*?)</pre>', page, re.DOTALL)
    ]


@pytest.mark.parametrize("name", WORKFLOWS)
def test_each_workflow_shows_its_example(client: Client, name: str) -> None:
    page = client.get(f"/aacp/workflows/{name}").content.decode()

    assert packets(page) == list(encode_hops(WORKFLOWS[name], WORKFLOWS[name].example))
    assert f"{len(WORKFLOWS[name].hops)} packets" in words(page)


@pytest.mark.requirement("AACP-16")
def test_the_packets_follow_what_is_typed(client: Client) -> None:
    sent = PAYROLL.example | {"period": "2026-02", "approver": "Board"}

    page = client.post("/aacp/workflows/payroll", sent).content.decode()

    assert packets(page) == list(encode_hops(PAYROLL, sent))
    assert "for the period ending 28 February 2026." in page
    assert "41 tokens, 48 in English" in words(page)
    assert "Quoted from the specification." in words(page)


def test_the_packets_open_in_the_workbench(client: Client) -> None:
    page = client.get("/aacp/").content.decode()
    held = re.search(r'<input type="hidden" name="text" value="([^"]*)"', page)
    assert held is not None

    bench = client.post("/", {"text": unescape(held[1])}).content.decode()

    assert "6 messages" in words(bench)
    assert "● 6 valid" in words(bench)
    assert 'class="diagnostic ' not in bench


def test_every_bad_input_is_said_beside_it(client: Client) -> None:
    sent = {"period": "<script>", "rules": "a|b", "template": "ok", "approver": ""}

    response = client.post("/aacp/workflows/payroll", sent)
    page = response.content.decode()

    assert response.status_code == 422
    assert page.count('aria-invalid="true"') == 3
    assert "Approver is missing." in page
    assert "<script>" not in page.replace('<script src="', "")
    assert packets(page) == []


@pytest.mark.requirement("AACP-44")
def test_sensitive_data_is_refused(client: Client) -> None:
    sent = PAYROLL.example | {"approver": "DE89370400440532013000"}

    response = client.post("/aacp/workflows/payroll", sent)

    assert response.status_code == 422
    assert "contains an IBAN" in response.content.decode()


def test_there_is_no_other_workflow(client: Client) -> None:
    assert client.get("/aacp/workflows/bribery").status_code == 404


@pytest.mark.requirement("AACP-36")
def test_the_first_hop_is_counted_as_the_draft_reports_it_for_gpt_4o() -> None:
    first = measure().hops[0]

    assert first.comparable
    assert (first.measured.english, first.measured.packet) == (48, 41)
    assert first.measured.percent_framed == first.claimed.percent_gpt4o == -12.7


@pytest.mark.requirement("AACP-37")
def test_the_benchmark_stands_on_the_page_with_its_method(client: Client) -> None:
    page = words(client.get("/aacp/").content.decode())

    assert "max_tokens=1" in page
    assert "cannot be checked without the provider" in page
    assert (
        "fetch employees both texts from the draft 56 52 −7.1% −12.7% 48 41 −14.6% −12.7%" in page
    )
    assert "merge and calculate packet from the draft, our English" in page
    assert "total 240 185 −22.9% −23.7%" in page
