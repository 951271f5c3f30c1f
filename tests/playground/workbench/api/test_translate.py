"""POST /api/v1/translate: the translation, its ledger, the way back, and refusals that are
results.
"""

import json
from typing import Any

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def post(client: Client, **body: Any) -> Any:
    return client.post("/api/v1/translate", json.dumps(body), content_type="application/json")


def test_a_message_is_said_in_another_protocol_with_its_ledger(client: Client) -> None:
    answer = post(client, wire="REQ/TSK|g=42,t=1", to="sacp").json()

    assert (answer["protocol"], answer["to"], answer["valid"], answer["refused"]) == (
        "nslip",
        "sacp",
        True,
        None,
    )
    assert json.loads(answer["wire"])["g"] == "42"
    goal = next(row for row in answer["ledger"] if row["term"] == "goal")
    assert goal["verdict"] == "coerced"
    assert goal["from"] == {"key": "g", "value": 42}
    assert goal["to"] == {"key": "g", "value": "42"}
    assert "number to text" in goal["words"]
    assert answer["return"] == {
        "wire": "REQ/TSK|g=42,t=1",
        "verdict": "faithful",
        "differences": [],
        "words": "",
        "private": ["ctx.x-cablese.topic", "ctx.x-cablese.task"],
    }
    assert {place["key"] for place in answer["added"]} == {"plan"}
    assert answer["tokens"]["o200k_base"]["source"] == 11


def test_what_the_way_back_loses_is_listed(client: Client) -> None:
    answer = post(client, wire="REQ/TSK|g=42", to="slip").json()

    assert answer["return"]["verdict"] == "lost"
    assert answer["return"]["differences"] == [{"key": "slots.g", "before": 42}]


def test_english_says_that_there_is_no_way_back(client: Client) -> None:
    answer = post(client, wire="REQ/TSK|g=42", to="english").json()

    assert answer["wire"] == "Requests a task for goal 42."
    assert "cannot be translated back" in answer["return"]["words"]


def test_json_is_read_back_through_its_words(client: Client) -> None:
    plain = post(client, wire="REQ/TSK|g=42", to="json").json()["wire"]

    assert post(client, wire=plain, to="nslip", protocol="json").json()["wire"] == "REQ/TSK|g=42"


def test_a_refusal_is_a_result_in_words(client: Client) -> None:
    response = post(client, wire="RJE/TSK|g=42", to="tline")

    assert response.status_code == 200
    assert response.json()["wire"] is None
    assert "Unknown act" in response.json()["refused"]
    assert response.json()["tokens"] == {}


LATER = {
    "msg_id": "m1",
    "ts": "2026-05-09T00:00:00Z",
    "sender": "A",
    "g": "FIND",
    "state": "PENDING",
    "proto_ver": "1.0.0",
    "plan": [{"id": "s1", "verb": "run", "tool": "T", "params": {}}],
}


def test_a_dialect_is_read_as_it_is_named(client: Client) -> None:
    wire = json.dumps(LATER)

    assert post(client, wire=wire, to="nlip", protocol="sacp", dialect="sacp/0.1").json()["refused"]
    assert (
        post(client, wire=wire, to="nlip", protocol="sacp", dialect="sacp/1.0").json()["return"][
            "verdict"
        ]
        == "faithful"
    )


@pytest.mark.requirement("SACP-40")
def test_a_message_is_said_in_another_version_of_its_protocol(client: Client) -> None:
    answer = post(client, wire=json.dumps(LATER), to="sacp/0.1").json()

    assert (answer["to"], answer["valid"], answer["refused"]) == ("sacp/0.1", True, None)
    assert json.loads(answer["wire"])["plan"] == [["run", "T", {}]]
    assert answer["return"]["verdict"] == "faithful"
    assert post(client, wire=answer["wire"], to="sacp/1.0").json()["valid"]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"to": "morse"}, "/to"),
        ({"to": "slip", "protocol": "morse"}, "/protocol"),
        ({"to": "slip", "protocol": "nslip", "dialect": "sacp/1.0"}, "/dialect"),
    ],
)
def test_an_unknown_name_is_a_problem_with_a_pointer(
    client: Client, body: dict[str, str], pointer: str
) -> None:
    response = post(client, wire="REQ/TSK|g=1", **body)

    assert response.status_code == 422
    assert response.json()["pointer"] == pointer


@pytest.mark.requirement("AACP-44")
def test_sensitive_data_is_not_written_where_the_specification_forbids_it(client: Client) -> None:
    wire = "REQ/TSK|g=42,t=1,@=4111111111111111"

    refused = post(client, wire=wire, to="aacp").json()

    assert refused["wire"] is None
    assert "AACP forbids sensitive data" in refused["refused"]
    assert "4111" not in refused["refused"]
    assert post(client, wire=wire, to="sacp").json()["wire"]
    assert post(client, wire="REQ/TSK|g=42,t=1,@=auth", to="aacp").json()["wire"]
