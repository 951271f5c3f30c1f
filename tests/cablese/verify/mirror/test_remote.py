"""What a server of strangers sends is read within limits, and nothing is followed."""

import gzip
import ssl
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from cablese.verify.mirror import remote
from cablese.verify.mirror.folder import Folder
from cablese.verify.mirror.limits import TooLarge
from cablese.verify.mirror.remote import Remote
from cablese.verify.report import Unusable
from tests.cablese.verify.mirror.logs import Served, send, serve


@pytest.fixture
def served() -> Iterator[Served]:
    with serve({"a": b"x" * 1000}) as found:
        yield found


def get(served: Served, limit: int = 1000, path: str = "a") -> bytes | None:
    with closing(Remote(served.url)) as source:
        return source.get(path, limit)


def answer(served: Served, status: int, data: bytes = b"", **headers: str) -> None:
    named = {name.replace("_", "-"): value for name, value in headers.items()}

    def respond(handler: BaseHTTPRequestHandler, _: str) -> bool:
        send(handler, status, data, named)
        return True

    served.answer = respond


@pytest.mark.parametrize("compress", ["", "yes"])
def test_a_file_is_read_up_to_its_limit(served: Served, compress: str) -> None:
    served.compress = bool(compress)
    assert get(served) == b"x" * 1000
    assert get(served, path="b") is None
    with pytest.raises(TooLarge):
        get(served, limit=999)


def test_a_compressed_file_is_not_unpacked_beyond_its_limit(served: Served) -> None:
    answer(served, 200, gzip.compress(bytes(50_000_000), mtime=0), Content_Encoding="gzip")
    with pytest.raises(TooLarge):
        get(served)


@pytest.mark.parametrize(
    ("data", "coding"),
    [(b"no gzip", "gzip"), (gzip.compress(b"x" * 900, mtime=0)[:-9], "gzip"), (b"x", "br")],
)
def test_a_malformed_answer_is_unusable(
    served: Served, data: bytes, coding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "ATTEMPTS", 1)
    answer(served, 200, data, Content_Encoding=coding)
    with pytest.raises(Unusable, match="compressed"):
        get(served)


def test_redirects_are_not_followed(served: Served) -> None:
    answer(served, 302, Location="http://elsewhere.example/log/default/a")
    with pytest.raises(Unusable, match=r"redirects a to http://elsewhere\.example"):
        get(served)


@pytest.mark.parametrize(("status", "words"), [(401, "not public"), (403, "not"), (418, "418")])
def test_other_answers_are_unusable(served: Served, status: int, words: str) -> None:
    answer(served, status)
    with pytest.raises(Unusable, match=words):
        get(served)
    assert len(served.asked) == 1


def test_a_server_that_is_busy_is_asked_again(served: Served) -> None:
    busy = iter([503, 429])

    def refuse(handler: BaseHTTPRequestHandler, _: str) -> bool:
        status = next(busy, None)
        if status is not None:
            send(handler, status, b"busy" * 90_000, {"Retry-After": "0"})
        return status is not None

    served.answer = refuse
    assert get(served) == b"x" * 1000
    assert len(served.asked) == 3


def test_a_server_that_never_ends_is_given_up(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "ATTEMPTS", 1)
    monkeypatch.setattr(remote, "DEADLINE", 0.3)

    def trickle(handler: BaseHTTPRequestHandler, _: str) -> bool:
        handler.close_connection = True
        with suppress(OSError):
            handler.connection.sendall(b"HTTP/1.1 200 OK\r\n")
            for _number in range(90):
                time.sleep(0.2)
                handler.connection.sendall(b"A: b\r\n")
        return True

    served.answer = trickle
    started = time.monotonic()
    with pytest.raises(Unusable, match="did not answer"):
        get(served)
    assert time.monotonic() - started < 9


def test_an_answer_that_ends_early_is_unusable(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "ATTEMPTS", 1)
    answer_with_length(served, 1000)
    with pytest.raises(Unusable, match="too early"):
        get(served)


def answer_with_length(served: Served, length: int) -> None:
    def cut(handler: BaseHTTPRequestHandler, _: str) -> bool:
        head = f"HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n"
        handler.connection.sendall(head.encode() + b"x" * 9)
        handler.close_connection = True
        return True

    served.answer = cut


def test_a_key_is_sent_to_the_log_only(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CABLESE_KEY", "cbl_live_x")
    seen: list[Any] = []

    def note(handler: BaseHTTPRequestHandler, _: str) -> bool:
        seen.append(handler.headers["Authorization"])
        return False

    served.answer = note
    get(served)
    assert seen == ["Bearer cbl_live_x"]
    with pytest.raises(Unusable, match="HTTPS only"):
        Remote("http://example.com/log/default")


@pytest.mark.parametrize(
    "url",
    ["", "ftp://a/b", "http://", "http://a:b/c", "http://a/b?c", "http://a/b#c", "http://u:p@a/b",
     "http://a/b c", "http://a/b\r\nX: y", "example.com/log/default"],
)  # fmt: skip
def test_a_url_that_no_log_has_is_unusable(url: str) -> None:
    with pytest.raises(Unusable):
        Remote(url)


def test_files_of_a_folder_have_a_limit_too(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.put("tile/0/000", b"123")
    assert folder.get("tile/0/000", 3) == b"123"
    assert folder.get("tile/0/000/x", 3) is None
    with pytest.raises(TooLarge):
        folder.get("tile/0/000", 2)
    with pytest.raises(Unusable):
        folder.get("tile", 3)
    with pytest.raises(Unusable):
        folder.put("tile/0/000/x", b"")


def test_a_server_is_asked_five_times_and_waited_for_half_a_minute(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []
    monkeypatch.setattr(time, "sleep", waited.append)
    answer(served, 503, Retry_After="3600")

    with pytest.raises(Unusable, match="status 503"):
        get(served)

    assert len(served.asked) == 5
    assert waited == [30.0] * 4


@pytest.mark.parametrize(("scheme", "kind"), [("http", "HTTP"), ("https", "HTTPS")])
def test_a_connection_has_a_time_limit_and_proves_who_it_is(
    monkeypatch: pytest.MonkeyPatch, scheme: str, kind: str
) -> None:
    given: list[dict[str, Any]] = []

    def connect(_host: str, _port: int | None, **more: Any) -> None:
        given.append(more)
        raise OSError

    monkeypatch.setattr(remote, "ATTEMPTS", 1)
    monkeypatch.setattr(remote, f"{kind}Connection", connect)
    with pytest.raises(Unusable):
        Remote(f"{scheme}://a.example/log/default").get("a", 1)

    (more,) = given
    assert more["timeout"] == 15.0
    assert scheme == "http" or more["context"].verify_mode == ssl.CERT_REQUIRED
