"""Published claims beside counts: our counter finds what the table says, and each percentage says
what it means.
"""

import re
from html import unescape

import pytest
from django.test import Client

from cablese import tokens
from playground.tokens.claims import Claim, Side, measure
from tests.playground.drawn import words

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("NSLIP-22")]


def claim(name: str, tokenizer: str = "o200k_base") -> Claim:
    return next(claim for claim in measure(tokenizer).claims if claim.name == name)


def side(name: str, label: str) -> Side:
    return next(side for side in claim(name).sides if side.label == label)


@pytest.mark.parametrize(
    ("name", "label", "claimed", "claimed_change", "counted", "counted_change"),
    [
        ("nslip-request", "English", 68, None, 39, None),
        ("nslip-request", "minified JSON", None, None, 27, -30.8),
        ("nslip-request", "nSLIP", 12, -82, 19, -51.3),
        ("nslip-cycle", "English", 250, None, None, None),
        ("nslip-cycle", "minified JSON", 120, -52, 118, None),
        ("nslip-cycle", "nSLIP", 48, -81, 79, -33.1),
        ("aacp-fetch", "English", 56, None, 48, None),
        ("aacp-fetch", "AACP", 52, -7.1, 41, -14.6),
        ("tline-question", "T-line", None, None, 14, -26.3),
    ],
)
def test_what_is_claimed_stands_beside_what_is_counted(
    name: str, label: str, claimed: int | None, claimed_change: float | None, counted: int | None,
    counted_change: float | None,
) -> None:  # fmt: skip
    found = side(name, label)

    assert (found.claimed, found.claimed_change) == (claimed, claimed_change)
    assert (found.counted, found.counted_change) == (counted, counted_change)


@pytest.mark.parametrize("tokenizer", tokens.names())
def test_no_tokenizer_here_finds_the_numbers_of_the_first_claim(tokenizer: str) -> None:
    """The note on the page says so."""
    english, _, message = claim("nslip-request", tokenizer).sides

    assert english.counted != english.claimed
    assert message.counted != message.claimed


def test_a_count_is_the_sum_of_the_texts_that_are_shown() -> None:
    for claim in measure("cl100k_base").claims:
        for told in claim.sides:
            assert told.counted == (
                sum(tokens.count(text, "cl100k_base").count for text in told.texts) or None
            )


def test_where_the_source_prints_no_text_the_baseline_is_another_one_and_says_so() -> None:
    cycle = claim("nslip-cycle")

    assert (cycle.claimed_against, cycle.counted_against) == ("English", "minified JSON")
    assert cycle.sides[0].texts == ()


def test_the_page_names_source_tokenizer_baseline_and_text_of_every_number(client: Client) -> None:
    page = client.get("/claims/", {"tokenizer": "qwen3"}).content.decode()
    text = words(page)

    for claim in measure("qwen3").claims:
        (panel,) = re.findall(
            rf'<section class="panel" id="{claim.name}".*?</section>', page, re.DOTALL
        )
        said = words(panel)
        assert f"{claim.source}. Claimed with {claim.claimed_with}." in said
        assert unescape(claim.quote) in said
        assert "Counted (qwen3)" in said
        assert f"tokens vs. {claim.claimed_against} tokens vs. {claim.counted_against}" in said
        assert [
            unescape(match)
            for match in re.findall(r'<pre class="wire"[^>]*>(.*?)</pre>', panel, re.DOTALL)
        ] == [counted for told in claim.sides for counted in told.texts]
    assert "nSLIP quoted from the source 12 −82.0% 20 −48.7%" in text
    assert 'href="/aacp/#benchmark"' in page
    assert '<option value="qwen3" selected>' in page


def test_the_pages_of_protocols_lead_here(client: Client) -> None:
    for address in ("/protocols/", "/protocols/nslip", "/protocols/aacp", "/protocols/tline"):
        assert 'href="/claims/"' in client.get(address).content.decode()


def test_a_program_gets_the_same(client: Client) -> None:
    answer = client.get("/api/v1/claims").json()

    assert (answer["tokenizer"], answer["exact"]) == ("o200k_base", True)
    assert [claim["name"] for claim in answer["claims"]] == [
        claim.name for claim in measure("o200k_base").claims
    ]
    assert answer["claims"][0]["sides"][2] == {
        "label": "nSLIP",
        "whose": "quoted from the source",
        "texts": ["REQ/TSK|g=42,t=1,p=2,@=auth_healthcheck"],
        "claimed": 12,
        "claimed_change": -82,
        "counted": 19,
        "counted_change": -51.3,
    }


def test_another_name_is_no_tokenizer(client: Client) -> None:
    assert client.get("/claims/", {"tokenizer": "abacus"}).status_code == 422
    answer = client.get("/api/v1/claims", {"tokenizer": "abacus"})
    assert (answer.status_code, answer.json()["pointer"]) == (422, "/tokenizer")
