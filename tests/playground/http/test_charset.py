"""Text comes as UTF-8. A request that names another charset is answered before Django decodes
anything by it.
"""

import json
from collections.abc import Callable, Iterable
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest
from django.test import RequestFactory

from playground.http.csp import POLICY
from playground.wsgi import application, with_utf8


def ask(content_type: str | None) -> tuple[str, dict[str, str], bytes]:
    answered: list[tuple[str, dict[str, str]]] = []

    def inside(_environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        start_response("200 OK", [])
        return [b"read"]

    def start(status: str, headers: list[tuple[str, str]], *_: object) -> Callable[[bytes], object]:
        answered.append((status, dict(headers)))
        return len

    environ: WSGIEnvironment = {} if content_type is None else {"CONTENT_TYPE": content_type}
    body = b"".join(with_utf8(inside)(environ, start))
    return (*answered[0], body)


@pytest.mark.parametrize(
    "content_type",
    [
        None,
        "",
        "text/plain",
        "text/plain; charset=utf-8",
        'application/json; charset="UTF-8"',
        "multipart/form-data; boundary=x",
    ],
)
def test_utf8_is_read(content_type: str | None) -> None:
    assert ask(content_type) == ("200 OK", {}, b"read")


@pytest.mark.parametrize(
    "content_type",
    [
        "text/plain; charset=rot13",
        "multipart/form-data; boundary=x; charset=raw_unicode_escape",
        "text/plain; charset*=utf-8''punycode",
        "text/plain; name*=nonsense''x",
    ],
)
def test_any_other_charset_is_refused(content_type: str) -> None:
    status, headers, body = ask(content_type)

    assert status.startswith("415")
    assert headers["Content-Security-Policy"] == POLICY
    assert json.loads(body)["status"] == 415
    assert json.loads(body)["detail"] == "Unsupported charset in Content-Type. Expected utf-8."


@pytest.mark.django_db
@pytest.mark.parametrize("content_type", ["application/json", "application/json; charset=utf-8"])
def test_an_address_with_too_many_parameters_is_refused(
    content_type: str,
) -> None:
    environ = RequestFactory().get("/api/v1/protocols").environ | {
        "QUERY_STRING": "a=1&" * 1_001,
        "CONTENT_TYPE": content_type,
    }
    answered: list[str] = []

    def start(status: str, *_: object) -> Callable[[bytes], object]:
        answered.append(status)
        return len

    body = b"".join(application(environ, start))

    assert answered == ["400 Bad Request"]
    detail = "The address has more parameters than the limit of 1,000."
    assert json.loads(body)["detail"] == detail
