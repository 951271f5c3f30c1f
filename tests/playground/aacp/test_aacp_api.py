"""Packets by rule over HTTP."""

import json
from typing import Any

import pytest
from django.test import Client

from cablese.protocols.aacp.authoring.workflow import encode_hops
from cablese.protocols.aacp.authoring.workflows import PAYROLL, WORKFLOWS

pytestmark = pytest.mark.django_db


def post(client: Client, name: str, body: object, status: int = 200) -> dict[str, Any]:
    response = client.post(
        f"/api/v1/aacp/workflows/{name}", json.dumps(body), content_type="application/json"
    )
    assert response.status_code == status
    return dict(json.loads(response.content))


def test_the_workflows_say_what_they_need(client: Client) -> None:
    listed = client.get("/api/v1/aacp/workflows").json()["workflows"]

    assert [item["name"] for item in listed] == list(WORKFLOWS)
    assert listed[0]["inputs"][0]["name"] == "period"
    assert listed[0]["hops"][0] == {
        "title": "Fetch employees",
        "task": "FETCH",
        "dom": "HR",
        "needs": ["period"],
        "english": PAYROLL.hops[0].english,
    }


@pytest.mark.requirement("AACP-16")
def test_the_same_inputs_give_the_same_answer(client: Client) -> None:
    answers = [post(client, "payroll", {"inputs": PAYROLL.example}) for _ in range(2)]

    assert answers[0] == answers[1]
    assert [hop["packet"] for hop in answers[0]["hops"]] == list(
        encode_hops(PAYROLL, PAYROLL.example)
    )
    assert answers[0]["hops"][0]["tokens"]["o200k_base"] == {"packet": 41, "english": 48}


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"period": "August"}, "/inputs/period"),
        ({"period": 202408}, "/inputs/period"),
        ({"more": "x"}, "/inputs/more"),
        ({"approver": "DE89370400440532013000"}, "/inputs/approver"),
    ],
)
def test_a_bad_input_is_answered_with_its_place(
    client: Client, change: dict[str, object], pointer: str
) -> None:
    problem = post(client, "payroll", {"inputs": PAYROLL.example | change}, 422)

    assert problem["pointer"] == pointer


def test_an_unknown_workflow_or_tokenizer_is_said(client: Client) -> None:
    assert post(client, "bribery", {"inputs": {}}, 404)["pointer"] == "/name"
    answer = post(client, "payroll", {"inputs": PAYROLL.example, "tokenizers": ["abacus"]}, 422)
    assert answer["pointer"] == "/tokenizers"


@pytest.mark.requirement("AACP-36")
def test_the_benchmark_is_claimed_beside_measured(client: Client) -> None:
    answer = client.get("/api/v1/aacp/benchmark").json()

    assert answer["hops"][0]["hop"] == "fetch employees"
    assert answer["claimed_total"] == {
        "english": 240,
        "packet": 185,
        "percent_claude": -22.9,
        "percent_gpt4o": -23.7,
    }
    assert answer["measured_total"]["packet"] == sum(
        hop["measured"]["packet"] for hop in answer["hops"]
    )
    assert "max_tokens=1" in answer["method"]


@pytest.mark.requirement("AACP-44")
def test_encoding_refuses_sensitive_data_where_the_specification_forbids_it(client: Client) -> None:
    values = {
        "task": "PROC",
        "dom": "FIN",
        "return": "a",
        "p": "1",
        "aacp": "1.1",
        "filter": "password=hunter2",
    }

    response = client.post(
        "/api/v1/encode",
        json.dumps({"protocol": "aacp", "values": values}),
        content_type="application/json",
    )

    assert response.status_code == 422
    assert json.loads(response.content)["pointer"] == "/values/filter"
    assert "hunter2" not in response.content.decode()
