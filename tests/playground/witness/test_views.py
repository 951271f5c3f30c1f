"""The route of the witness takes a body of some size, as text, from programs without a token."""

import gzip
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from auditlog.log import logs
from auditlog.witness import identity
from auditlog.witness.submission import LIMIT

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def data(db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A witness, in a data directory of the test."""
    monkeypatch.setattr(settings, "DATA", tmp_path)
    logs.fix_origins("witness.example")
    identity.make()
    return tmp_path


def post(body: bytes, **headers: str) -> Any:
    client = Client(enforce_csrf_checks=True)
    return client.post(
        "/witness/add-checkpoint", body, content_type="text/plain", headers=headers or None
    )


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        (b"x" * LIMIT, 400, "Expected a line"),
        (b"x" * (LIMIT + 1), 413, "The body has 65,537 bytes. The limit is 65,536."),
        (b"\xff", 400, "not UTF-8"),
    ],
)
def test_a_body_is_refused_with_its_reason(body: bytes, status: int, words: str) -> None:
    answer = post(body)

    assert answer.status_code == status
    assert words in answer.content.decode()
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("coding", "body", "status", "words"),
    [
        ("gzip", gzip.compress(b"old x\n", mtime=0), 400, "Expected a line such as old 812"),
        (
            "gzip",
            gzip.compress(b"x" * (LIMIT + 1), mtime=0),
            413,
            "larger than the limit of 65,536 bytes",
        ),
        ("gzip", b"old 0\n", 422, "not valid gzip"),
        ("br", b"old 0\n", 415, "Unsupported Content-Encoding br"),
    ],
)
def test_a_compressed_body_has_the_same_limit(
    coding: str, body: bytes, status: int, words: str
) -> None:
    answer = post(body, content_encoding=coding)

    assert answer.status_code == status
    assert words in answer.content.decode()


def test_a_key_that_others_can_read_cosigns_nothing(data: Path) -> None:
    (data / "signing-keys" / "@witness").chmod(0o644)
    answer = post(b"old 0\n")

    assert (answer.status_code, answer.content) == (503, b"Unsound\n")


def test_only_a_post_asks_for_a_cosignature() -> None:
    assert Client().get("/witness/add-checkpoint").status_code == 405
