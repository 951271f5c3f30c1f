"""Encoding and counting over HTTP, and the list of protocols."""

import json
from typing import Any

import pytest
from django.test import Client

from cablese import registry
from playground.rest.shapes import TEXT_LIMIT
from tests.playground.workbench.api.requests import WIRE, decode, post, refused

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("codec", registry.all_codecs(), ids=lambda codec: codec.name)
def test_protocols_tells_everything_about_each(client: Client, codec: Any) -> None:
    answer = client.get("/api/v1/protocols").json()

    assert [about["name"] for about in answer["protocols"]] == list(registry.get_names())
    about = next(about for about in answer["protocols"] if about["name"] == codec.name)
    assert list(about) == [
        "name",
        "title",
        "summary",
        "dialects",
        "form",
        "fields",
        "diagnostics",
        "reference",
    ]
    assert about["dialects"] == list(codec.dialects)
    assert {rule["code"] for rule in about["diagnostics"]} == {
        rule.code
        for rule in (
            *codec.rules,
            *codec.thread_rules,
            *codec.reference.checked,
            *codec.common_rules,
        )
    }
    assert about["reference"]["requirements"] == codec.reference.requirements
    assert [table["title"] for table in about["reference"]["tables"]] == [
        table.title for table in codec.reference.tables
    ]
    assert answer["tokenizers"][:2] == ["o200k_base", "cl100k_base"]


def test_encode_writes_what_decode_read(client: Client) -> None:
    (message,) = decode(client, "ACC/PLN|g=42,t=01")["messages"]

    answer = json.loads(
        post(client, "encode", {"protocol": "nslip", "values": message["values"]}).content
    )

    assert list(answer) == ["wire", "valid", "diagnostics", "tokens"]
    assert answer["wire"] == "ACC/PLN|g=42,t=1"
    assert answer["valid"] is True
    assert answer["diagnostics"] == []
    assert answer["tokens"]["o200k_base"].keys() == {"count", "exact"}


def test_encode_says_what_decoding_thinks_of_the_result(client: Client) -> None:
    values = {"act": "REQ", "frame": "TSK", "slots": {"zz": 1}}

    answer = json.loads(post(client, "encode", {"protocol": "nslip", "values": values}).content)

    assert [diagnostic["code"] for diagnostic in answer["diagnostics"]] == ["nslip.unknown-slot"]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"protocol": "morse", "values": {}}, "/protocol"),
        ({"protocol": "auto", "values": {}}, "/protocol"),
        ({"protocol": "nslip", "values": {}}, "/values/act"),
        ({"protocol": "nslip", "values": []}, "/values"),
        ({"protocol": "nslip"}, "/values"),
        ({"protocol": "nslip", "values": {"act": "REQ"}, "dialect": "x"}, "/dialect"),
        (
            {"protocol": "nslip", "values": {"act": "REQ", "frame": "TSK", "slots": {"a/b~": []}}},
            "/values/slots/a~1b~0",
        ),
    ],
)
def test_values_without_a_wire_are_422_with_their_place(
    client: Client, body: object, pointer: str
) -> None:
    assert refused(post(client, "encode", body)) == (422, pointer)


def test_tokens_counts_texts_in_order(client: Client) -> None:
    answer = json.loads(post(client, "tokens", {"texts": ["", "hello world", WIRE]}).content)

    assert [result["o200k_base"]["count"] for result in answer["results"]] == [0, 2, 19]
    assert all(result["cl100k_base"].keys() == {"count", "exact"} for result in answer["results"])


def test_pieces_join_to_the_text(client: Client) -> None:
    text = "héllo 👩‍👩‍👧 <|endoftext|>"

    answer = json.loads(post(client, "tokens", {"texts": [text], "pieces": True}).content)

    for counted in answer["results"][0].values():
        assert "".join(piece["text"] for piece in counted["pieces"]) == text
        assert [text[slice(*piece["span"])] for piece in counted["pieces"]] == [
            one["text"] for one in counted["pieces"]
        ]
        assert sum(len(piece["ids"]) for piece in counted["pieces"]) == counted["count"]


@pytest.mark.parametrize(
    ("body", "status", "pointer"),
    [
        ({"texts": ["a", 1]}, 422, "/texts/1"),
        ({"texts": ["a"] * 1001}, 422, "/texts"),
        ({"texts": "a"}, 422, "/texts"),
        ({"texts": ["a"], "tokenizers": ["abacus"]}, 422, "/tokenizers"),
        ({"texts": ["a"], "pieces": "yes"}, 422, "/pieces"),
        ({"texts": ["a", "x" * (TEXT_LIMIT + 1)]}, 413, "/texts/1"),
    ],
)
def test_texts_that_cannot_be_counted_have_their_place(
    client: Client, body: object, status: int, pointer: str
) -> None:
    assert refused(post(client, "tokens", body)) == (status, pointer)


def test_reading_needs_neither_key_nor_token_of_a_page() -> None:
    browser = Client(enforce_csrf_checks=True)

    assert post(browser, "decode", {"text": WIRE}).status_code == 200
