from typing import Any

from playground.server.front import environ
from playground.server.front.environ import USUAL, environ_of

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
