"""The address that commands print: of the server that runs, and not of one that ran once."""

import errno
import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from pytest_django import Settings

from playground.server.launch import served
from playground.server.launch.served import NOT_RUNNING
from tests.installation import ROOT, environment, running


@pytest.fixture
def data(tmp_path: Path, settings: Settings) -> Path:
    settings.DATA = tmp_path
    return tmp_path / served.NAME


def home() -> tuple[str, list[str]]:
    said: list[str] = []
    return served.home(said.append), said


def test_commands_print_the_address_that_is_served(tmp_path: Path) -> None:
    with running(tmp_path) as installation:
        link, place = installation.manage("signin"), installation.manage("demo")

        assert link.startswith(f"{installation.base_url}/signin/")
        assert f"{installation.base_url}/audit/" in place
        assert (tmp_path / served.NAME).stat().st_mode & 0o077 == 0
        first = f"Cablese is at {installation.base_url}/"
        assert first in installation.first_words
    assert not (tmp_path / served.NAME).exists()

    after = subprocess.run(
        [sys.executable, "manage.py", "signin"],
        cwd=ROOT, env=environment(tmp_path), check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert after.stdout.startswith("http://127.0.0.1:8000/signin/")
    assert after.stderr.strip() == NOT_RUNNING


def test_a_server_is_found_while_it_runs(data: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        with served.noted("127.0.0.1", port, secure=False, warn=pytest.fail):
            assert home() == (f"http://127.0.0.1:{port}", [])
        assert not data.exists()
        assert home() == ("http://127.0.0.1:8000", [NOT_RUNNING])


def test_a_server_that_speaks_tls_is_told(data: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        with served.noted("0.0.0.0", port, secure=True, warn=pytest.fail):  # noqa: S104
            assert home() == (f"https://127.0.0.1:{port}", [])


def test_what_a_killed_server_left_is_not_believed(data: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        data.write_text(
            json.dumps({"pid": gone.pid, "host": "127.0.0.1", "port": port, "secure": False})
        )
        assert served.find() is None
        data.write_text(
            json.dumps({"pid": os.getpid(), "host": "127.0.0.1", "port": port, "secure": False})
        )
        assert served.find() is not None
    assert served.find() is None, "nothing answers at the port any more"


@pytest.mark.parametrize(
    "left", ["", "{", "[]", '{"pid":1}', '{"pid":"x","host":1,"port":2,"secure":3}']
)
def test_a_file_that_cannot_be_read_is_none(data: Path, left: str) -> None:
    data.write_text(left)

    assert served.find() is None


def test_a_newer_server_keeps_its_file(data: Path) -> None:
    with served.noted("127.0.0.1", 8000, secure=False, warn=pytest.fail):
        newer = json.dumps({"pid": 1, "host": "127.0.0.1", "port": 9000, "secure": False})
        data.write_text(newer)

    assert data.read_text() == newer


def test_a_server_runs_although_its_address_cannot_be_stored(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run_out(place: Path, content: bytes) -> None:
        with place.open("wb"):
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", run_out)
    said: list[str] = []

    with served.noted("127.0.0.1", 8000, secure=False, warn=said.append):
        assert list(data.parent.iterdir()) == []

    assert len(said) == 1
    assert said[0].startswith(f"{data} cannot be written: No space left on device.")


@pytest.mark.parametrize(
    ("hosts", "origins", "host", "url"),
    [
        (["localhost", "127.0.0.1", "[::1]"], [], "127.0.0.1", "http://127.0.0.1:8080"),
        (["localhost", "127.0.0.1", "[::1]"], [], "::1", "http://[::1]:8080"),
        (["box.lan"], [], "0.0.0.0", "http://box.lan:8080"),  # noqa: S104
        ([".lan", "box.lan"], [], "127.0.0.1", "http://box.lan:8080"),
        (["*"], [], "127.0.0.1", "http://127.0.0.1:8080"),
        (
            ["cablese.example.org"],
            ["https://cablese.example.org"],
            "127.0.0.1",
            "https://cablese.example.org",
        ),
    ],
)
def test_the_name_is_one_that_is_answered(
    settings: Settings, hosts: list[str], origins: list[str], host: str, url: str
) -> None:
    settings.ALLOWED_HOSTS, settings.CSRF_TRUSTED_ORIGINS = hosts, origins

    assert served.link_to(host, 8080, secure=False) == url
