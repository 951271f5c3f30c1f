"""The lane of a request."""

import pytest

from auditlog.ingest.body import STREAM_LIMIT
from playground.server.front.routes import (
    HEAVY,
    KEYED,
    LIMIT,
    STORED,
    Kind,
    kind_of,
    route_of,
)


@pytest.mark.parametrize(
    ("method", "path", "size", "kind"),
    [
        ("POST", KEYED, 0, "store"),
        ("POST", KEYED, STORED - 1, "store"),
        ("POST", KEYED, STORED, "heavy"),
        ("GET", f"{KEYED}/some", 0, "page"),
        ("POST", "/reading", HEAVY - 1, "page"),
        ("POST", "/reading", HEAVY, "heavy"),
        ("GET", "/static/base/base.css", 0, "file"),
        ("GET", "/signin/abc", 0, "sign in"),
        ("POST", "/signout", 0, "sign in"),
    ],
)
def test_a_request_waits_among_its_kind(method: str, path: str, size: int, kind: Kind) -> None:
    assert kind_of(method, path, size) == kind


@pytest.mark.parametrize(
    ("path", "size", "kind"),
    [("/api/v1/decode", 1, "heavy"), ("/api/v1/decode", 0, "page"), (KEYED, 1, "store")],
)
def test_a_compressed_body_may_be_large(path: str, size: int, kind: Kind) -> None:
    assert kind_of("POST", path, size, packed=True) == kind


@pytest.mark.parametrize(
    ("path", "limit"),
    [
        (KEYED, STREAM_LIMIT),
        ("/api/v1/post/abc", STREAM_LIMIT),
        ("/api/v1/decode", LIMIT),
        ("/import/piece", LIMIT),
    ],
)
def test_a_body_is_received_up_to_the_limit_of_its_route(path: str, limit: int) -> None:
    assert route_of(path).limit == limit
