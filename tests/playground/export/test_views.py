"""The text in the editor as a file: a form, so that it needs no JavaScript."""

import json
import logging
from xml.etree import ElementTree as ET

import pytest
from django.test import Client

from playground.export.files import FILES
from playground.workbench.forms import TEXT_LIMIT

pytestmark = pytest.mark.django_db

TEXT = "REQ/TSK|g=42,t=1\r\nRJE/PLN|g=42,t=01"


@pytest.mark.parametrize(
    ("ending", "media"),
    [
        ("json", "application/json"),
        ("md", "text/markdown; charset=utf-8"),
        ("mmd", "text/vnd.mermaid; charset=utf-8"),
        ("svg", "image/svg+xml; charset=utf-8"),
    ],
)
def test_it_is_a_download_that_can_do_nothing(client: Client, ending: str, media: str) -> None:
    answer = client.post(f"/reading/export.{ending}", {"text": TEXT})

    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == media
    name = f'attachment; filename="cablese-messages.{ending}"'
    assert answer.headers["Content-Disposition"] == name
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    policy = answer.headers["Content-Security-Policy"].split("; ")
    assert "default-src 'none'" in policy
    assert "sandbox" in policy
    assert not any("unsafe" in each or "'self'" in each for each in policy)
    assert "no-store" in answer.headers["Cache-Control"]


def test_json_is_the_answer_of_the_api(client: Client) -> None:
    file = client.post(
        "/reading/export.json", {"text": TEXT, "tokenizer": "cl100k_base", "protocol": "nslip"}
    )
    body = {
        "text": TEXT.replace("\r\n", "\n"), "tokenizers": ["cl100k_base"], "protocol": "nslip"
    }  # fmt: skip
    answer = client.post("/api/v1/decode", json.dumps(body), content_type="application/json")

    assert answer.status_code == 200
    assert file.json() == answer.json()


def test_a_protocol_that_was_chosen_is_used(client: Client) -> None:
    table = client.post("/reading/export.md", {"text": "FOO|a=b", "protocol": "aacp"}).content

    assert b"| AACP |" in table


def test_the_diagram_is_well_formed(client: Client) -> None:
    answer = client.post("/reading/export.svg", {"text": TEXT})

    assert ET.fromstring(answer.content).tag.endswith("svg")  # noqa: S314, written by us


@pytest.mark.parametrize("ending", FILES)
@pytest.mark.parametrize("text", ["\x00", "\ud800|", "REQ/TSK|g=1,@=\ufffe\x07\u202e</svg>"])
def test_strange_text_is_exported(client: Client, ending: str, text: str) -> None:
    answer = client.post(f"/reading/export.{ending}", {"text_json": json.dumps(text)})

    assert answer.status_code in (200, 422)
    if answer.status_code == 200:
        answer.content.decode("utf-8", "surrogatepass" if ending == "json" else "strict")


@pytest.mark.parametrize("ending", ["mmd", "svg"])
def test_a_text_without_messages_has_no_diagram(client: Client, ending: str) -> None:
    answer = client.post(f"/reading/export.{ending}", {"text": "hello"})

    assert answer.status_code == 422
    assert "there is no diagram" in answer.content.decode()


@pytest.mark.parametrize("ending", FILES)
def test_too_long_a_text_is_refused(client: Client, ending: str) -> None:
    answer = client.post(f"/reading/export.{ending}", {"text": "x" * (TEXT_LIMIT + 1)})

    assert answer.status_code == 422
    assert "The limit of the workbench is 1,048,576" in answer.content.decode()


def test_too_many_messages_for_json_are_refused(client: Client) -> None:
    answer = client.post("/reading/export.json", {"text": "REQ/TSK|g=1,t=1\n" * 10_001})

    assert answer.status_code == 413
    assert "The limit is 10,000." in answer.content.decode()


def test_an_unknown_format_is_not_found(client: Client) -> None:
    assert client.post("/reading/export.pdf", {"text": TEXT}).status_code == 404


def test_nothing_of_the_text_is_logged(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        for ending in FILES:
            client.post(f"/reading/export.{ending}", {"text": "REQ/TSK|g=1,t=1,@=s3cr3t-word"})

    assert "s3cr3t-word" not in caplog.text
