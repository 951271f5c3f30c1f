"""A witness that answers with anything does not stop a log from being signed."""

import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.conf import settings

from auditlog.log import logs
from auditlog.models import Log, Witness
from auditlog.tree import checkpoints, keys
from auditlog.witness import asking, posting
from auditlog.witness.submission import parse_submission
from cablese.tlog import cosignature, note

pytestmark = pytest.mark.django_db

WITNESS = note.generate("w.example/w", note.COSIGNATURE)
KEY = note.format_verifier(WITNESS.verifier)
OTHER = note.generate("w.example/w")
OK = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"
CONFLICT = b"HTTP/1.1 409 Conflict\r\nContent-Type: text/x.tlog.size\r\nConnection: close\r\n\r\n"
FORBIDDEN = b"HTTP/1.1 403 No\r\nConnection: close\r\n\r\n"


@pytest.fixture
def log(db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Log:
    monkeypatch.setattr(settings, "DATA", tmp_path)
    logs.fix_origins("example.com")
    log = Log.objects.get(slug="default")
    keys.ensure(log)
    return log


@pytest.fixture
def server() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening


def answer(server: socket.socket, pieces: list[bytes], pause: float = 0) -> None:
    """Answer each request with the pieces, in a thread of its own."""

    def serve() -> None:
        while True:
            try:
                connection, _ = server.accept()
                with connection:
                    for piece in pieces:
                        connection.sendall(piece)
                        time.sleep(pause)
                    connection.shutdown(socket.SHUT_WR)
                    while connection.recv(65_536):
                        pass
            except OSError:
                if server.fileno() < 0:
                    return

    threading.Thread(target=serve, daemon=True).start()


def ask(log: Log, server: socket.socket) -> str:
    """Sign the log, and return what is stored of its witness."""
    asking.add(log, url=f"http://127.0.0.1:{server.getsockname()[1]}", key=KEY)
    assert checkpoints.sign_now(log).size == 1
    return Witness.objects.get().problem


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (CONFLICT + b"9" * 5_000, "It answered 409: 999"),
        (CONFLICT + b"9" * 19, "It answered 409: 999"),
        (CONFLICT + b"1" * 18, "It has cosigned 111,"),
        (CONFLICT + "١".encode(), "It answered 409: "),
        (FORBIDDEN + b"a\0\x1b[2Jb", "It answered 403: a��[2Jb"),
        (b"\0\0\0\r\n\r\n", "It cannot be reached: �"),
        (FORBIDDEN + b"\xff", "It cannot be reached: "),
    ],
)
def test_what_a_witness_answers_does_not_stop_the_signer(
    log: Log, server: socket.socket, sent: bytes, said: str
) -> None:
    answer(server, [sent])
    assert ask(log, server).startswith(said)


@pytest.mark.parametrize("begin", [b"", FORBIDDEN])
def test_a_witness_that_answers_byte_by_byte_does_not_hold_up_the_signer(
    log: Log, server: socket.socket, monkeypatch: pytest.MonkeyPatch, begin: bytes
) -> None:
    monkeypatch.setattr(posting, "SECONDS", 0.5)
    answer(server, [begin, *([b"H"] * 100)], pause=0.1)
    began = time.monotonic()
    assert ask(log, server).startswith("It cannot be reached: ")
    assert time.monotonic() - began < 5


def test_an_answer_that_comes_too_late_does_not_count(
    server: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = SimpleNamespace(monotonic=iter([0.0, posting.SECONDS]).__next__)
    monkeypatch.setattr(posting, "time", clock)
    answer(server, [FORBIDDEN + b"whole"])

    with pytest.raises(TimeoutError, match="it took longer than 5 s"):
        posting.post(f"http://127.0.0.1:{server.getsockname()[1]}", "")


@pytest.mark.parametrize(
    "url",
    ["https://", "https://a.example:99999", "https://a.example/é", "https://a b/", "https://["],
)
def test_a_malformed_address_is_refused(log: Log, url: str) -> None:
    with pytest.raises(asking.BadWitness):
        asking.add(log, url=url, key=KEY)


@pytest.mark.parametrize("url", ["http://a.example/w", "ftp://localhost/w", "localhost/w"])
def test_a_checkpoint_is_sent_over_https_or_to_this_machine(log: Log, url: str) -> None:
    with pytest.raises(asking.BadWitness):
        asking.add(log, url=url, key=KEY)
    assert asking.add(log, url="https://a.example/w/", key=KEY).url == "https://a.example/w"


def test_the_key_of_a_log_is_no_witness(log: Log) -> None:
    with pytest.raises(asking.BadWitness, match="cosigns"):
        asking.add(log, url="https://a.example/w", key=note.format_verifier(OTHER.verifier))


def test_what_a_witness_answers_is_read_up_to_a_limit(
    log: Log, server: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posting, "LIMIT", 3)
    answer(server, [FORBIDDEN + b"abcdef"])

    assert ask(log, server) == "It answered 403: abc"


@pytest.mark.parametrize(("url", "kind"), [("http", "HTTP"), ("https", "HTTPS")])
def test_a_connection_has_a_time_limit(
    monkeypatch: pytest.MonkeyPatch, url: str, kind: str
) -> None:
    given: list[float] = []

    def connect(_host: str, _port: int | None, *, timeout: float) -> None:
        given.append(timeout)
        raise OSError

    monkeypatch.setattr(posting, f"{kind}Connection", connect)
    with pytest.raises(OSError, match=r"^$"):
        posting.post(f"{url}://w.example", "")

    assert given == [5.0]


def test_a_cosignature_of_another_key_or_text_does_not_count(
    log: Log, server: socket.socket
) -> None:
    lines = [
        cosignature.cosign("another text\n", WITNESS, 1_700_000_000),
        cosignature.cosign("another text\n", note.generate("w.example/w", note.COSIGNATURE), 1),
        note.sign_line("another text\n", OTHER),
    ]
    answer(server, [OK, *(line.encode() for line in lines)])

    assert ask(log, server) == "Its answer has no valid cosignature."


def test_a_right_cosignature_is_published_with_the_checkpoint(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[str] = []

    def post(_url: str, body: str) -> tuple[int, str, str]:
        text = note.split(parse_submission(body).note)[0]
        given.append(cosignature.cosign(text, WITNESS, 1_700_000_000))
        return 200, "text/plain", given[-1]

    monkeypatch.setattr(asking, "post", post)
    asking.add(log, url="https://w.example", key=KEY)

    signed = checkpoints.sign_now(log)

    witness = Witness.objects.get()
    assert (witness.problem, witness.size) == ("", 1)
    assert witness.cosigned is not None
    assert signed.note.endswith("".join(given))
    assert len(given) == 1
