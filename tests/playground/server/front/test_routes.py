"""The lane of a request."""

import pytest

from playground.server.front.routes import HEAVY, KEYED, STORED, Kind, kind_of


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
