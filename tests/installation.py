"""A running installation for tests: the real command, the real server, a data directory that is
theirs alone.
"""

import atexit
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page

from tests.commands import Commands

ROOT = Path(__file__).resolve().parent.parent
_BRIEF = ("apikey", "log", "people", "signin")
"""Commands that change a few rows and leave nothing open."""
DATABASE = "cablese.sqlite3"
_STATIC: list[Path] = []
"""The static files that the first installation of this process collected, once there is one."""
_TABLES: list[Path] = []
"""A database as the migrations leave it, once there is one."""
_START = 180
"""Seconds after which a start hangs. On an idle machine it takes three."""


@dataclass(frozen=True)
class Installation:
    base_url: str
    data: Path
    process: subprocess.Popen[str]
    environ: dict[str, str]
    first_words: str
    """What `manage.py up` printed when it began to serve."""
    said: list[str]
    """The lines that it and its server printed since."""
    commands: Commands

    def manage(self, *words: str) -> str:
        """Runs a command of manage.py beside the server, and gives what it printed."""
        if words[0] in _BRIEF:
            return self.commands.run(*words)
        command = [sys.executable, "manage.py", *words]
        done = subprocess.run(
            command, cwd=ROOT, env=self.environ, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    def sign_in_link(self, name: str = "admin") -> str:
        return self.manage("signin", name, "--create", "--url", self.base_url)

    def sign_in(self, page: Page, name: str = "admin") -> None:
        """Sign in the browser of a page, without the pages that a person would see."""
        link = self.sign_in_link(name)
        form = page.request.get(link).text()
        token = form.partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]
        answer = page.request.post(link, form={"csrfmiddlewaretoken": token}, max_redirects=0)
        assert answer.status == 302, answer.status


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def environment(data: Path, **more: str) -> dict[str, str]:
    """The environment of this process without its settings, and with these instead."""
    settings = ("CABLESE_", "DATABASE_URL", "DJANGO_SETTINGS_MODULE")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(settings)}
    # Without the files of `make offline`: their own tests ask for them. Nor is there a self-check
    # just because it is night.
    ours = {"CABLESE_DATA": str(data), "CABLESE_OFFLINE": "off", "CABLESE_SELFCHECK": "off"}
    return kept | ours | more


@contextmanager
def running(
    data: Path, *words: str, port: int | str = 0, migrated: bool | str = True, **more: str
) -> Iterator[Installation]:
    """An installation with `words` for its command and `more` in its environment.

    Its port is a free one unless one is said; `{port}` in the environment stands for it. A new
    one gets the static files, and if it is to be `migrated` the empty tables, that it would make.
    """
    port = int(port) or free_port()
    _lend_static(data)
    if migrated and "DATABASE_URL" not in more:
        _lend_tables(data)
    more = {name: value.replace("{port}", str(port)) for name, value in more.items()}
    environ = environment(data, **more)
    process = _start(environ, "--port", str(port), *words)
    said: list[str] = []
    commands = Commands(environ)
    listener = threading.Thread(target=_listen, args=(process, said), daemon=True)
    watchdog = threading.Timer(_START, process.terminate)
    watchdog.start()
    try:
        first_words = _until_serving(process)
        watchdog.cancel()
        scheme = "https" if "--certificate" in words else "http"
        listener.start()
        _keep_static(data)
        yield Installation(
            f"{scheme}://127.0.0.1:{port}", data, process, environ, first_words, said, commands
        )
    finally:
        watchdog.cancel()
        commands.end()
        process.send_signal(signal.SIGTERM)
        process.wait(40)
        if listener.ident is None:
            listener.start()
        listener.join(20)


def _start(environ: dict[str, str], *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "manage.py", "up", *words],
        cwd=ROOT,
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def _lend_static(data: Path) -> None:
    """Give a new installation the static files that it would collect, because that takes time."""
    if _STATIC and not (data / "static").exists():
        shutil.copytree(_STATIC[0], data, dirs_exist_ok=True)


def _lend_tables(data: Path) -> None:
    """Give a new installation its tables, because migrations take a second of the processor."""
    if (data / DATABASE).exists() or (data / "secret-key").exists():
        return
    if not _TABLES:
        folder = _keep_folder("tables")
        command = [sys.executable, "manage.py", "migrate", "--verbosity=0", "--skip-checks"]
        subprocess.run(command, cwd=ROOT, env=environment(folder), check=True)
        _TABLES.append(folder / DATABASE)
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    (data / DATABASE).touch(mode=0o600)
    shutil.copyfile(_TABLES[0], data / DATABASE)


def _keep_static(data: Path) -> None:
    if not _STATIC:
        folder = _keep_folder("static")
        shutil.copytree(data / "static", folder / "static")
        for stamp in data.glob("static-files.*"):  # an older revision has none
            shutil.copy(stamp, folder)
        _STATIC.append(folder)


def _keep_folder(name: str) -> Path:
    """Return a new folder that stays as long as this process."""
    folder = Path(tempfile.mkdtemp(prefix=f"cablese-{name}-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _listen(process: subprocess.Popen[str], said: list[str]) -> None:
    """Take what is printed until the end, so that nobody who prints has to wait."""
    assert process.stdout is not None
    with process.stdout:
        said.extend(process.stdout)


def _until_serving(process: subprocess.Popen[str]) -> str:
    """Everything `up` says up to the line that says it serves."""
    assert process.stdout is not None
    said = ""
    for line in process.stdout:
        said += line
        if line.startswith("Cablese is at "):
            return said
    raise AssertionError(f"manage.py up ended with {process.wait()}:\n{said}")
