"""Helper processes: what they answer, and what becomes of orders when they do not."""

import atexit
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from auditlog.helpers import pool as pools
from auditlog.helpers.order import read_made
from auditlog.helpers.pool import Away, Pool
from auditlog.ingest.unread import Unread
from auditlog.log import draft
from auditlog.sender import Sender
from tests.auditlog.helpers.helpers import (
    BROKEN,
    NOW,
    PATIENCE,
    is_alive,
    lines,
    masked,
    order,
    started,
    wait_for,
)
from tests.installation import ROOT

PARENT = """\
import sys, time
from pathlib import Path
from auditlog.helpers.pool import Pool
pool = Pool(2, Path(sys.argv[1]))
pool.submit(b"")
while pool.ready < 2:
    time.sleep(0.02)
print(*pool.processes, flush=True)
time.sleep(600)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("vocabularies")


@pytest.fixture(scope="module")
def pool(folder: Path) -> Iterator[Pool]:
    """One helper that nothing is done to."""
    with started(folder) as one:
        yield one


@pytest.fixture
def brief(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pool]:
    """One helper of the test's own, and another soon after it."""
    monkeypatch.setattr(pools, "AGAIN", 0.0)
    with started(folder) as one:
        yield one


def ask(pool: Pool, written: bytes) -> bytearray:
    answer = pool.submit(written)
    assert answer is not None
    return answer.result(PATIENCE)


def test_it_makes_the_same_drafts_as_this_process(pool: Pool) -> None:
    items = lines(600)

    made = read_made(ask(pool, order(*items)))

    submission = draft.Submission(Unread(items, exported=True).read().items, Sender(7, "bot", "k"))
    here = draft.make(submission, received=NOW, logs={"default": 1})
    assert len(made.refusals) >= len(BROKEN) - 2
    assert [masked(one) for one in made.in_order()] == [masked(one) for one in here]


def test_an_order_that_names_an_unknown_log_comes_back_with_the_names(pool: Pool) -> None:
    made = read_made(ask(pool, order(b'{"wire":"a"}', b'{"wire":"b","log":"team"}')))

    assert (made.logs, made.drafts, made.refusals) == (["default", "team"], [], [])


def test_an_order_that_cannot_be_read_fails_alone(pool: Pool) -> None:
    before = pool.processes

    with pytest.raises(Away):
        ask(pool, b"\xc1")

    assert ask(pool, order(b'{"wire":"a"}'))
    assert pool.processes == before


def test_it_gets_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CABLESE_SECRET_KEY", "DATABASE_URL", "DJANGO_SETTINGS_MODULE"):
        monkeypatch.setenv(name, "a secret")

    variables = pools._environment()

    assert variables["PATH"] == os.environ["PATH"]
    assert "a secret" not in variables.values()


def test_it_ignores_the_signals_that_end_the_server(pool: Pool) -> None:
    (process,) = pool.processes
    os.kill(process, signal.SIGTERM)
    os.kill(process, signal.SIGINT)

    assert ask(pool, order(b'{"wire":"a"}'))
    assert pool.processes == [process]


def test_an_order_fails_when_its_helper_is_killed_and_another_starts(brief: Pool) -> None:
    (killed,) = brief.processes
    os.kill(killed, signal.SIGSTOP)
    answer = brief.submit(order(b'{"wire":"a"}'))
    waiting = brief.submit(order(b'{"wire":"b"}'))
    assert answer is not None
    assert waiting is not None
    os.kill(killed, signal.SIGKILL)

    with pytest.raises(Away):
        answer.result(PATIENCE)
    with pytest.raises(Away):
        waiting.result(PATIENCE)
    wait_for(lambda: brief.submit(order()) is not None)
    assert brief.processes != [killed]
    assert not is_alive(killed)


def test_an_order_that_takes_too_long_fails(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "LIMIT", 0.1)
    with started(folder) as pool:
        (hanging,) = pool.processes
        os.kill(hanging, signal.SIGSTOP)

        with pytest.raises(Away):
            ask(pool, order(b'{"wire":"a"}'))

        wait_for(lambda: not is_alive(hanging))
        assert pool.submit(order()) is None, "another starts later"


def test_it_ends_when_it_has_nothing_to_do(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "IDLE", 0.3)
    with started(folder) as pool:
        (idle,) = pool.processes
        wait_for(lambda: not is_alive(idle))

        wait_for(lambda: pool.submit(order()) is not None)
        assert pool.processes != [idle]


def test_one_with_other_code_gets_no_orders(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "VERSIONS", b"of another day")
    pool = Pool(1, folder)
    assert pool.submit(order()) is None
    wait_for(lambda: bool(pool.processes))
    (other,) = pool.processes

    wait_for(lambda: not is_alive(other))

    assert pool.ready == 0
    pool.close()


def test_few_orders_wait(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "WAITING", 2)
    (process,) = pool.processes
    os.kill(process, signal.SIGSTOP)
    try:
        answers = [pool.submit(order(b'{"wire":"a"}')) for _ in range(10)]
    finally:
        os.kill(process, signal.SIGCONT)

    accepted = [answer.result(PATIENCE) for answer in answers if answer is not None]
    assert 2 <= len(accepted) <= 3


def test_helpers_end_when_the_server_is_killed(folder: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, str(folder)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        helpers = [int(word) for word in parent.stdout.readline().split()]
        parent.kill()

    assert len(helpers) == 2
    wait_for(lambda: not any(map(is_alive, helpers)))


@pytest.mark.parametrize(("processors", "helpers"), [(None, 2), (1, 2), (4, 3), (5, 4), (64, 4)])
def test_a_server_has_two_to_four_helpers(
    folder: Path, monkeypatch: pytest.MonkeyPatch, processors: int | None, helpers: int
) -> None:
    monkeypatch.setattr(pools, "_pool", None)
    monkeypatch.setattr(os, "cpu_count", lambda: processors)
    monkeypatch.setattr(atexit, "register", lambda _: None)

    pools.begin(folder)

    begun = pools.current()
    assert begun is not None
    assert begun.size == helpers
