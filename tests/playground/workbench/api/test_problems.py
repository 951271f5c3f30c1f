"""A place for whatever is wrong with a request."""

import json

import pytest
from django.test import Client

from playground.rest.shapes import TEXT_LIMIT
from tests.playground.workbench.api.requests import WIRE, post, refused

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"text": WIRE, "protocol": "morse"}, "/protocol"),
        ({"text": WIRE, "protocol": ""}, "/protocol"),
        ({"text": WIRE, "dialect": "nslip/9"}, "/dialect"),
        ({"text": "", "protocol": "nslip", "dialect": "aacp/1.1"}, "/dialect"),
        ({"text": WIRE, "tokenizers": ["abacus"]}, "/tokenizers"),
        ({"text": WIRE, "tokenizers": ["o200k_base", 1]}, "/tokenizers/1"),
        ({"text": 1}, "/text"),
        ({"text": None}, "/text"),
        ({"text": [[["x"]]]}, "/text"),
        ({}, "/text"),
        ({"text": "x", "txet": "y"}, "/txet"),
        ({"text": "x", "a/b~c d": 1}, "/a~1b~0c d"),
        ([], ""),
        ("null", ""),
        ('{"text":"\\ud800"}', "/text"),
        ('{"text":"x","tokenizers":["a","\\udc00"]}', "/tokenizers/1"),
        ('{"text":"x","a/\\ud800~":1}', "/a~1\ufffd~0"),
    ],
)
def test_what_does_not_fit_is_422_with_its_place(
    client: Client, body: object, pointer: str
) -> None:
    assert refused(post(client, "decode", body)) == (422, pointer)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"  ",
        b"{",
        b"hello",
        b'{"text":"x"}{}',
        b'{"text":"\xff"}',
        b"\xff\xfe",
        b'{"text":"\n"}',
    ],
)
def test_what_is_not_json_or_not_utf_8_is_400(client: Client, body: bytes) -> None:
    assert refused(post(client, "decode", body)) == (400, "")


def test_values_nested_without_end_are_400(client: Client) -> None:
    body = b'{"protocol":"nslip","values":{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}}"

    response = post(client, "encode", body)

    assert refused(response) == (400, "")
    assert "nested too deeply" in response.content.decode()


def test_surrogates_in_utf_8_are_named(client: Client) -> None:
    problem = post(client, "receipts/check", b'{"receipt":"caf\xed\xa0\x80"}')

    detail = "The body is not UTF-8: byte 0xed at index 15."
    assert json.loads(problem.content)["detail"] == detail


def test_bytes_that_are_not_utf_8_are_named(client: Client) -> None:
    problem = post(client, "decode", b'{"text":"caf\xe9"}')

    assert json.loads(problem.content)["detail"] == "The body is not UTF-8: byte 0xe9 at index 12."


@pytest.mark.parametrize("operation", ["decode", "encode", "tokens"])
def test_every_operation_refuses_what_it_cannot_read(client: Client, operation: str) -> None:
    assert refused(post(client, operation, b"{")) == (400, "")
    assert refused(post(client, operation, [])) == (422, "")
    assert refused(post(client, operation, {}))[0] == 422
    assert refused(post(client, operation, b" " * (9 * 1024 * 1024))) == (413, "")


def test_too_long_a_text_is_413_with_the_limit(client: Client) -> None:
    response = post(client, "decode", {"text": "x" * (TEXT_LIMIT + 1)})

    assert refused(response) == (413, "/text")
    assert json.loads(response.content)["limit"] == TEXT_LIMIT


def test_too_large_a_body_is_413_with_the_limit(client: Client) -> None:
    response = post(client, "decode", b'{"text":"' + b"x" * (9 * 1024 * 1024) + b'"}')

    assert refused(response) == (413, "")
    assert json.loads(response.content)["limit"] == 8 * 1024 * 1024
