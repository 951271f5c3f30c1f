"""The same as JSON."""

from typing import Any

import pytest
from django.test import Client

from auditlog import access
from auditlog.ingest.item import Item
from playground.autopilot import api
from playground.autopilot.candidate import RULE
from playground.rest.shapes import TWO_EXAMPLES
from tests.auditlog.sending import keep

pytestmark = pytest.mark.django_db
REQUEST = "REQ/TSK|g=42,t=1,p=2,@=auth_refactor"


def post(client: Client, **body: Any) -> Any:
    return client.post("/api/v1/autopilot", body, content_type="application/json")


def test_a_text_is_answered_with_all_candidates_best_first(client: Client) -> None:
    answer = post(client, text=f"{REQUEST}\nRJE/PLN|g=1").json()
    found = answer["analysis"]
    best = found["candidates"][0]

    assert answer["sentence"].startswith("Keep the valid message in nSLIP: 19 tokens")
    assert answer["rule"] == RULE
    assert answer["limits"] == {"messages": 100, "characters": 20_000}
    assert (found["messages"], found["invalid"], found["left"]) == (1, 1, 0)
    assert (best["key"], best["standing"], best["tokens"], best["baseline"], best["change"]) == (
        "nslip", "lossless", 19, 27, -29.6,
    )  # fmt: skip
    assert best["texts"] == []
    assert best["losses"]["fields"] == []
    assert {"toon", "xml", "s-expressions", "short-keys"} < {
        one["key"] for one in found["candidates"]
    }


def test_the_example_of_the_documentation_is_the_answer_to_its_text(client: Client) -> None:
    assert post(client, text=TWO_EXAMPLES).json()["sentence"] == api._SENTENCE


def test_an_unknown_baseline_is_told_with_those_that_exist(client: Client) -> None:
    detail = post(client, text=REQUEST, baseline="x").json()["detail"]

    assert detail.startswith('Unknown baseline "x". Expected ')


def test_the_texts_come_when_they_are_asked_for(client: Client) -> None:
    answer = post(client, text=REQUEST, texts=True, baseline="toon", tokenizer="cl100k_base").json()
    of = {one["key"]: one for one in answer["analysis"]["candidates"]}

    assert of["nslip"]["texts"] == [REQUEST]
    assert of["toon"]["texts"][0].startswith("act: REQUEST\n")
    assert (of["toon"]["change"], answer["analysis"]["baseline_title"]) == (0.0, "TOON")


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"baseline": "none"}, "/baseline"),
        ({"tokenizer": "none"}, "/tokenizers"),
        ({"protocol": "none"}, "/protocol"),
        ({"dialect": "none"}, "/dialect"),
    ],
)
def test_what_is_no_choice_is_refused(client: Client, body: dict[str, str], pointer: str) -> None:
    answer = post(client, text=REQUEST, **body)

    assert (answer.status_code, answer.json()["pointer"]) == (422, pointer)


def test_a_search_needs_a_key_that_reads(client: Client) -> None:
    keep(Item(wire=REQUEST))
    _, reads = access.create_key(source="bot", scopes=("read",))
    _, writes = access.create_key(source="bot", scopes=("ingest",))
    path = "/api/v1/search/autopilot?q=goal:42"

    def ask(key: str) -> Any:
        return client.get(path, headers={"Authorization": f"Bearer {key}"})

    assert client.get(path).status_code == 401
    assert ask(writes).status_code == 403
    answer = ask(reads)
    assert answer.status_code == 200
    assert answer.json()["sentence"].startswith("Keep this message in nSLIP: 19 tokens")
