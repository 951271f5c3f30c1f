"""What is done for pages and left out for the REST API."""

import gzip

import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.test import Client, RequestFactory

from playground.http.pages import FIRST_FLIGHT, Compressed

pytestmark = pytest.mark.django_db
ASKED = {"Accept-Encoding": "gzip, br"}


def test_a_cookie_of_a_browser_is_not_answered_by_the_api(client: Client) -> None:
    client.cookies["csrftoken"] = "x"

    answer = client.post("/api/v1/decode", {"text": "a"}, content_type="application/json")

    assert answer.status_code == 200
    assert not answer.cookies


def test_a_page_is_compressed_for_whom_asks(client: Client) -> None:
    plain, packed = client.get("/protocols/"), client.get("/protocols/", headers=ASKED)

    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert gzip.decompress(packed.content).startswith(b"\n<!DOCTYPE html>")
    assert len(packed.content) < len(plain.content) / 2


def test_a_large_answer_to_a_key_is_compressed_too(client: Client) -> None:
    answer = client.post("/reading", {"text": "REQ/TSK|g=42,t=1"}, headers=ASKED)

    assert b"REQ/TSK" not in answer.content
    assert b'id="reading"' in (content := gzip.decompress(answer.content))
    assert len(content) > FIRST_FLIGHT


@pytest.mark.parametrize(("size", "packed"), [(FIRST_FLIGHT - 1, False), (FIRST_FLIGHT, True)])
def test_what_the_first_packets_hold_is_not_compressed(size: int, *, packed: bool) -> None:
    answer = HttpResponse(b"a" * size)

    Compressed(lambda _: answer)(RequestFactory().get("/", headers=ASKED))

    assert answer.has_header("Content-Encoding") is packed


def test_what_is_no_page_is_sent_as_it_is(client: Client) -> None:
    marks = client.post("/reading/marks", {"text": "REQ/TSK|g=42,t=1\n" * 200}, headers=ASKED)
    schema = client.get("/api/openapi.json", headers=ASKED)

    for answer in (marks, schema):
        assert answer.status_code == 200
        assert len(answer.content) > 1_000
        assert "Content-Encoding" not in answer.headers


def test_a_stream_is_sent_as_it_comes() -> None:
    stream = StreamingHttpResponse(iter([b"<p>first</p>" * 50]), content_type="text/html")
    asking = RequestFactory().get("/stream/", headers=ASKED)

    assert Compressed(lambda _: stream)(asking) is stream
    assert "Content-Encoding" not in stream.headers
