"""Two messages compared by what they mean, and what each costs."""

from typing import Any

import pytest
from django.test import Client

from cablese import detection
from playground.workbench.compare import compare
from tests.playground.drawn import words

TEXT = "REQ/TSK|g=42,t=1,p=2\nPRO/PLN|g=42,t=01\nT|17|Q|obj=42\n"


def compared(here: str, there: str) -> dict[str, Any]:
    return compare(detection.decode(here), detection.decode(there), 2, "o200k_base")


def test_terms_are_the_same_changed_or_on_one_side_alone() -> None:
    made = compared("REQ/TSK|g=42,t=1,p=2", "PRO/PLN|g=42,@=x")

    assert {line.term: (line.kind, line.left, line.right) for line in made["terms"]} == {
        "act": ("changed", "request", "propose"),
        "topic": ("changed", "TSK", "PLN"),
        "goal": ("same", "42", "42"),
        "task": ("only on the left", "1", ""),
        "thread": ("changed", "42/1", "42"),
        "priority": ("only on the left", "2", ""),
        "tags": ("only on the right", "", '["x"]'),
    }


def test_messages_of_one_protocol_are_compared_by_their_values_too() -> None:
    made = compared("T|17|Q|obj=a;ctx=b", "T|17|Q|obj=a;ctx=c")

    assert [(line.term, line.left, line.right) for line in made["values"]] == [
        ("payload.ctx", "b", "c")
    ]


def test_messages_of_two_protocols_can_mean_the_same() -> None:
    made = compared("QRY/OBS|g=1,t=1", "QRY/OBS|t=1,g=1")

    assert made["same"]
    assert made["cost"].startswith("same token count as message 2")


def test_what_no_protocol_claims_says_nothing() -> None:
    made = compared("REQ/TSK|g=1", "hello")

    assert {line.kind for line in made["terms"]} == {"only on the left"}
    assert made["titles"] == ("nSLIP", "Unknown protocol")


@pytest.mark.django_db
def test_the_workbench_compares_the_shown_message_with_another(client: Client) -> None:
    page = client.post("/reading", {"text": TEXT, "message": "1", "other": "3"}).content.decode()

    panel = words(page.split('id="panel-compare"')[1].split("</section>")[0])
    assert "1 nSLIP 3 T-line" in panel
    assert "act changed request query" in panel
    assert "goal 42 42" in panel
    assert "than message 3" in panel


@pytest.mark.django_db
@pytest.mark.parametrize("other", ["0", "4", "-1", "x", "١", "99999999999999999999", "9" * 5_000])
def test_a_message_that_is_not_there_is_no_failure(client: Client, other: str) -> None:
    response = client.post("/reading", {"text": TEXT, "other": other})

    assert response.status_code == 200
    assert b"3 messages" in response.content
    assert b"comparetable" not in response.content
