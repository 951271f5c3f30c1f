from typing import Any

import pytest

from playground.http.fragments.pieces import ASKED
from playground.rest.idempotency import REPEATED
from playground.server.front import environ
from playground.server.front.environ import USUAL, environ_of, length_of

SCOPE: dict[str, Any] = {
    "method": "GET",
    "raw_path": b"/",
    "query_string": b"",
    "http_version": "1.1",
    "server": ("127.0.0.1", 8000),
    "client": ("127.0.0.1", 40000),
    "scheme": "http",
}


def test_long_names_of_headers_are_read_and_not_remembered() -> None:
    names = [b"x" * (USUAL + 1 + number) for number in range(10)]
    before = environ._key.cache_info().currsize

    found = environ_of(SCOPE | {"headers": [(name, b"1") for name in names]})

    assert {name for name in found if name.startswith("HTTP_X")} == {
        f"HTTP_{name.decode().upper()}" for name in names
    }
    assert environ._key.cache_info().currsize == before


def test_headers_that_were_sent_more_than_once_are_named() -> None:
    sent = [(b"a", b"1"), (b"b", b"1,2"), (b"idempotency-key", b"1"), (b"Idempotency-Key", b"2")]

    found = environ_of(SCOPE | {"headers": [*sent, (b"a", b"1")]})

    assert found[REPEATED] == {"HTTP_A", "HTTP_IDEMPOTENCY_KEY"}
    assert found["HTTP_IDEMPOTENCY_KEY"] == "1,2"
    assert REPEATED not in environ_of(SCOPE | {"headers": sent[:3]})


def test_django_is_told_that_pieces_are_sent_at_once() -> None:
    assert ASKED in environ_of(SCOPE | {"headers": []})


@pytest.mark.parametrize(
    ("version", "method", "more", "length"),
    [
        ("1.1", "POST", {"CONTENT_LENGTH": "17"}, 17),
        ("1.1", "POST", {"CONTENT_LENGTH": "9" * 19}, 9999999999999999999),
        ("1.1", "POST", {"CONTENT_LENGTH": "9" * 20}, 0),
        ("1.1", "POST", {"CONTENT_LENGTH": "17", "HTTP_TRANSFER_ENCODING": "chunked"}, None),
        ("1.1", "POST", {}, 0),
        ("2", "POST", {}, None),
        ("2", "GET", {}, 0),
    ],
)
def test_the_length_of_a_body_is_what_is_announced(
    version: str, method: str, more: dict[str, str], length: int | None
) -> None:
    given = environ_of(SCOPE | {"http_version": version, "method": method, "headers": []}) | more

    assert length_of(given) == length
