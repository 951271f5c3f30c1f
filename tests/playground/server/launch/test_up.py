import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPResponse
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit

import pytest

from playground.server.launch import listen
from playground.server.launch.supervisor import supervise
from tests.database.faults import raising
from tests.installation import ROOT, Installation, environment, running
from tests.processes import descendants


def get(url: str) -> tuple[bytes, Any]:
    with urllib.request.urlopen(url, timeout=10) as response:  # noqa: S310
        return response.read(), response.headers


def until_ready(installation: Installation) -> dict[str, Any]:
    """What /readyz answers once it is ready."""
    deadline = time.monotonic() + 10
    while True:
        try:
            return dict(json.loads(get(f"{installation.base_url}/readyz")[0]))
        except HTTPError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


def test_it_serves_and_can_write_to_its_database(server: Installation) -> None:
    body, _ = get(f"{server.base_url}/healthz")

    assert json.loads(body) == {"status": "ok"}
    assert until_ready(server)["problems"] == []


def test_what_is_kept_is_for_its_owner_alone(server: Installation) -> None:
    static = server.data / "static"
    kept = [
        path for path in server.data.rglob("*") if path.is_file() and static not in path.parents
    ]

    assert server.data / "cablese.sqlite3" in kept
    assert [path for path in kept if path.stat().st_mode & 0o077] == []


def test_a_first_start_prints_a_link_and_a_later_one_does_not(tmp_path: Path) -> None:
    with running(tmp_path, migrated=False) as first:
        link = re.search(r"^    (http\S+/signin/\S+)$", first.first_words, re.MULTILINE)
        assert link
        assert link[1].startswith(first.base_url)
        page, headers = get(link[1])
        token = re.search(rb'name="csrfmiddlewaretoken" value="(\w+)"', page)
        assert token
        request = urllib.request.Request(  # noqa: S310
            link[1],
            data=b"csrfmiddlewaretoken=" + token[1],
            headers={"Cookie": headers["Set-Cookie"].split(";")[0]},
        )
        with closing(urllib.request.build_opener(_Stay()).open(request, timeout=10)) as response:
            assert response.status == 302
            assert "sessionid=" in str(response.headers)

    with running(tmp_path) as second:
        assert "/signin/" not in second.first_words


class _Stay(urllib.request.HTTPRedirectHandler):
    def http_error_302(self, req: Any, fp: Any, code: int, msg: str, headers: Any) -> Any:
        return fp


def test_static_files_have_names_that_browsers_may_keep_for_ever(server: Installation) -> None:
    page, _ = get(f"{server.base_url}/signin")
    style = re.search(rb'href="(/static/base/page\.[0-9a-f]{12}\.css)"', page)
    assert style

    _, headers = get(server.base_url + style[1].decode())

    assert "immutable" in headers["Cache-Control"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Content-Security-Policy"]
    assert headers["Access-Control-Allow-Origin"] is None


def test_it_refuses_a_port_that_is_taken(server: Installation) -> None:
    port = server.base_url.rsplit(":", 1)[1]

    run = up("--port", port, data=server.data)

    assert run.returncode == 1
    assert run.stdout == ""
    assert re.fullmatch(
        rf"CommandError: Cannot listen on 127\.0\.0\.1 port {port}: Address already in use by "
        rf"process \d+ \(.+\)\. "
        r"Choose another with --port\.\n",
        run.stderr,
    )


def test_two_listeners_on_one_port_are_noticed() -> None:
    with socket.create_server(("127.0.0.1", 0), reuse_port=True) as one:
        port = one.getsockname()[1]
        listen.require_alone(port)
        with (
            socket.create_server(("127.0.0.1", port), reuse_port=True),
            pytest.raises(
                listen.CannotListen, match=rf"Two servers .* {port}: processes {os.getpid()} \("
            ),
        ):
            listen.require_alone(port)


def test_a_killed_command_leaves_no_server_behind(tmp_path: Path) -> None:
    with running(tmp_path) as installation:
        port = int(installation.base_url.rsplit(":", 1)[1])
        left = descendants(installation.process.pid)
        assert len(left) >= 2
        installation.process.kill()
        until = time.monotonic() + 30
        while any(Path(f"/proc/{one}/cwd").exists() for one in left):
            assert time.monotonic() < until, "a process was left"
            time.sleep(0.1)

        listen.require_free("127.0.0.1", port)


@contextmanager
def live_view(installation: Installation) -> Iterator[HTTPResponse]:
    """The events of a live session, from the first of them on."""
    pads = f"{installation.base_url}/api/v1/pads"
    request = urllib.request.Request(pads, method="POST")  # noqa: S310
    with urllib.request.urlopen(request, timeout=20) as opened:  # noqa: S310
        key = json.loads(opened.read())["key"]
    with urllib.request.urlopen(  # noqa: S310
        f"{installation.base_url}/stream/pad/{key}/events", timeout=20
    ) as view:
        assert view.readline().startswith(b"retry")
        yield view


@pytest.mark.parametrize("port", ["0", "65536", "http"])
def test_it_refuses_a_port_that_does_not_exist(tmp_path: Path, port: str) -> None:
    run = up("--port", port, data=tmp_path)

    assert run.returncode == 2
    assert f"{port!r} is not a port. Expected a number from 1 to 65535." in run.stderr


def test_it_says_when_the_database_is_away(tmp_path: Path) -> None:
    pytest.importorskip("psycopg")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    run = up("--port", "8999", data=tmp_path, DATABASE_URL=f"postgresql://me@127.0.0.1:{port}/log")

    assert run.returncode == 1
    assert run.stderr.startswith("CommandError: The database cannot be used: ")


def up(*words: str, data: Path, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", "up", *words],
        cwd=ROOT,
        env=environment(data, **more),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_everything_when_told_to(tmp_path: Path, number: signal.Signals) -> None:
    with running(tmp_path) as installation:
        installation.process.send_signal(number)
        assert installation.process.wait(20) == 0

        listen.require_free("127.0.0.1", int(installation.base_url.rsplit(":", 1)[1]))


def test_a_batch_under_way_ends_with_its_receipts(tmp_path: Path) -> None:
    with running(tmp_path) as installation:
        key = installation.manage("apikey", "create", "late", "--scopes", "ingest")
        place = urlsplit(installation.base_url)
        sent = b'{"wire":"REQ/TSK|g=1,t=1"}\n' * 20_000
        head = (
            f"POST /api/v1/packets/batch HTTP/1.1\r\nHost: {place.netloc}\r\nAuthorization: "
            f"Bearer {key}\r\n"
            f"Content-Type: application/x-ndjson\r\nContent-Length: {len(sent)}\r\n\r\n"
        )
        with socket.create_connection((str(place.hostname), place.port or 0), timeout=60) as wire:
            wire.sendall(head.encode() + sent[: len(sent) // 2])
            stored = sqlite3.connect(tmp_path / "cablese.sqlite3")
            while not stored.execute("SELECT count(*) FROM auditlog_packet").fetchone()[0]:
                time.sleep(0.02)
            stored.close()
            with live_view(installation) as view:
                installation.process.send_signal(signal.SIGTERM)
                assert view.read().endswith(b"\n\n")
            with pytest.raises(OSError, match=r"."):
                get(f"{installation.base_url}/healthz")
            wire.sendall(sent[len(sent) // 2 :])
            answer = b""
            while piece := wire.recv(1 << 20):
                answer += piece

        assert installation.process.wait(40) == 0
        assert answer.startswith(b"HTTP/1.1 201 ")
        assert answer.count(b'"status":201') == 20_000


@pytest.mark.postgres
def test_it_serves_from_postgresql(tmp_path: Path, postgresql: str) -> None:
    with running(tmp_path, DATABASE_URL=postgresql) as installation:
        assert until_ready(installation)["problems"] == []

    assert not list(tmp_path.glob("*.sqlite3"))


def python(source: str) -> tuple[str, ...]:
    return (sys.executable, "-W", "ignore", "-c", source)


def test_supervision_returns_the_status_of_a_program_that_ends_by_itself(tmp_path: Path) -> None:
    brief = python("exit(3)")

    status = supervise(brief, folder=tmp_path, is_ready=lambda: False, ready=lambda: None)

    assert status == 3


def test_supervision_leaves_no_program_behind_when_it_fails(tmp_path: Path) -> None:
    lasting = python("import os, time; os.symlink(str(os.getpid()), 'pid'); time.sleep(600)")

    with pytest.raises(LookupError):
        supervise(
            lasting,
            folder=tmp_path,
            is_ready=(tmp_path / "pid").is_symlink,
            ready=raising(LookupError()),
        )

    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").readlink().name), 0)


def test_supervision_says_once_that_all_is_ready_and_stops_at_a_signal(tmp_path: Path) -> None:
    said = []

    def ready() -> None:
        said.append("ready")
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGTERM)).start()

    before = signal.getsignal(signal.SIGTERM)
    program = python("import time; time.sleep(600)")

    assert supervise(program, folder=tmp_path, is_ready=lambda: True, ready=ready) is None
    assert said == ["ready"]
    assert signal.getsignal(signal.SIGTERM) == before


def test_an_address_is_named_as_a_browser_can_reach_it() -> None:
    assert listen.base_url("127.0.0.1", 8000) == "http://127.0.0.1:8000"
    assert listen.base_url("0.0.0.0", 80) == "http://127.0.0.1:80"  # noqa: S104
    assert listen.base_url("::1", 80) == "http://[::1]:80"


def test_an_address_of_another_machine_cannot_be_listened_on() -> None:
    with pytest.raises(listen.CannotListen, match=r"192\.0\.2\.1"):
        listen.require_free("192.0.2.1", 8000)
