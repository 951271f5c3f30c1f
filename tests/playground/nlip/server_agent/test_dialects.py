"""Answers in the dialect of ECMA-430."""

import json

import pytest
from django.test import Client

from cablese.protocols.nlip.exchange.checker import check
from playground.nlip.censor import REMOVED
from tests.playground.nlip.server_agent.messages import NLIP, body, post, token

pytestmark = pytest.mark.django_db

ECMA = "nlip/ecma-430"


@pytest.mark.requirement("NLIP-21")
@pytest.mark.requirement("NLIP-34")
def test_who_calls_the_address_of_ecma_430_is_answered_in_it(client: Client) -> None:
    wire = body("Hello\nREQ/TSK|g=42", token("trace", "t-1"), token("conversation_x", "c-1"))

    answered = post(client, wire, f"/nlip?dialect={ECMA}")

    assert answered.status_code == 200
    request, answer = (
        NLIP.decode(each, dialect=ECMA) for each in (wire, answered.content.decode())
    )
    assert answer.diagnostics == ()
    assert check(request, answer) == ()
    subformats = [part["subformat"] for part in answer.values["submessages"]]
    assert {"trace", "conversation_x", "conversation_cablese"} <= set(subformats)
    assert "trace" not in post(client, wire).content.decode()


def test_an_error_for_ecma_430_is_a_text_that_says_so(client: Client) -> None:
    french = body("Bonjour").replace("English", "French").replace("english", "french")
    for wire, status in ((french, 200), ("{", 400), (body("x").replace("text", "error"), 400)):
        answered = post(client, wire, f"/nlip?dialect={ECMA}")

        answer = NLIP.decode(answered.content.decode(), dialect=ECMA)
        assert answered.status_code == status
        assert answer.diagnostics == ()
        assert answer.values["format"] == "text"
        assert answer.values["content"].startswith("Error: ")


def test_no_secret_comes_back_in_ecma_430(client: Client, key: str) -> None:
    wire = body("Hello", token("authentication", key))

    answered = post(client, wire, f"/nlip?dialect={ECMA}").content.decode()

    assert "cbl_live" not in answered
    assert REMOVED not in answered


def test_an_upload_address_speaks_as_it_was_asked_for(client: Client) -> None:
    asked = post(
        client, body("Where may I send large content?", control=True), f"/nlip?dialect={ECMA}"
    )
    (address,) = [
        part["content"]
        for part in json.loads(asked.content)["submessages"]
        if part["subformat"] == "uri"
    ]

    empty = post(client, b"", address)

    assert address.endswith(f"?dialect={ECMA}")
    assert empty.status_code == 400
    assert NLIP.decode(empty.content.decode(), dialect=ECMA).valid


def test_an_unknown_dialect_is_refused_and_the_known_ones_are_told(client: Client) -> None:
    refused = post(client, body("Hello"), "/nlip?dialect=nlip/9")

    assert refused.status_code == 400
    assert "nlip/draft, nlip/ecma-430" in refused.content.decode()
    told = client.get("/nlip", headers={"Accept": "application/json"}).json()
    assert told["dialects"][ECMA].endswith("/nlip?dialect=nlip/ecma-430")
