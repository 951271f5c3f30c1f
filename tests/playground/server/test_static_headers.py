"""Static files have the headers that browsers need to do nothing else with them."""

from contextlib import closing
from pathlib import Path
from typing import Any

from django.conf import LazySettings
from django.core.handlers.wsgi import WSGIHandler
from django.test import RequestFactory

from playground.http.csp import HEADERS
from playground.wsgi import with_static


def test_a_static_file_is_only_what_its_type_says(tmp_path: Path, settings: LazySettings) -> None:
    (tmp_path / "base.css").write_text("body {}")
    settings.STATIC_ROOT = tmp_path
    found: list[tuple[str, str]] = []
    environ = RequestFactory().get("/static/base.css").environ

    def start(status: str, headers: list[tuple[str, str]], *_error: Any) -> Any:
        found.extend([("status", status), *headers])

    application: Any = with_static(WSGIHandler())
    with closing(application(environ, start)) as answer:
        assert b"".join(answer) == b"body {}"

    expected = {"status": "200 OK", "X-Content-Type-Options": "nosniff", **HEADERS}
    assert dict(found).items() >= expected.items()
