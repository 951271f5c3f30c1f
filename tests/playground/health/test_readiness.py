"""Whether a process can do its work: what is seen, what is remembered, and what /healthz and
/readyz answer.
"""

import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.test import Client, override_settings

from auditlog.continuity import clock
from auditlog.database import faults, pulse
from auditlog.database.faults import Fault
from auditlog.log import logs
from auditlog.models import Log, LogEnd
from auditlog.tree import incidents
from playground.health import answers, heartbeat, readiness
from playground.health.readiness import Problem, Readings, State, Watch
from playground.http import csp
from playground.models import Heartbeat
from tests.database.faults import database_error, raising

LOCKED = Fault("locked", "OperationalError SQLITE_BUSY: database is locked")
WRONG = Problem("test", "error", "Something is wrong.", "Fix it.")


@pytest.fixture
def watch() -> Iterator[Callable[..., Watch]]:
    """Makes watches that see what a test says, and ends them."""
    made: list[Watch] = []

    def make(*problems: Problem) -> Watch:
        queue = list(problems)
        made.append(
            Watch(every=0.01, in_need=0.01, checks=[lambda _seen: queue[0] if queue else None])
        )
        return made[-1]

    yield make
    for one in made:
        one.stop()


def until(fits: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not fits():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.01)


@pytest.fixture
def nothing_committed(monkeypatch: pytest.MonkeyPatch) -> pulse.Pulse:
    """A committer of its own for one test."""
    fresh = pulse.Pulse()
    monkeypatch.setattr(pulse, "read", fresh.read)
    return fresh


@pytest.fixture(autouse=True)
def blind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads of a test see no database, unless the test looks itself."""
    monkeypatch.setattr(readiness, "_read", lambda: Readings())


def test_the_process_lives_whatever_the_database_does(client: Client) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
    assert "no-cache" in answer.headers["Cache-Control"]


def test_it_is_ready_without_problems(client: Client) -> None:
    answer = client.get("/readyz")
    assert answer.status_code == 200
    body = answer.json()
    assert (body["status"], body["problems"]) == ("ready", [])
    assert set(body) == {
        "status", "checked", "last_commit", "last_commit_age", "free_bytes", "clock_ahead",
        "findings_behind", "problems",
    }  # fmt: skip


def test_a_problem_makes_it_not_ready_and_is_told(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    since = datetime(2026, 11, 20, 10, tzinfo=UTC)
    problem = Problem("database", "error", "The disk is full.", "Free space.", since)
    state = State((problem,), checked=since, last_commit=since, free_bytes=5, newest_leaf=since)
    monkeypatch.setattr(readiness, "current", lambda: state)
    answer = client.get("/readyz")
    assert answer.status_code == 503
    body = answer.json()
    assert body["status"] == "not ready"
    assert body["free_bytes"] == 5
    assert body["last_commit"] == "2026-11-20T10:00:00.000000Z"
    assert body["last_commit_age"] > 0
    assert body["problems"] == [
        {
            "name": "database", "level": "error", "message": "The disk is full.",
            "advice": "Free space.",
            "since": "2026-11-20T10:00:00.000000Z",
        }
    ]  # fmt: skip


def test_a_warning_leaves_it_ready(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = Problem("disk", "warning", "Little space is left.", "Free space.")
    monkeypatch.setattr(readiness, "current", lambda: State((problem,), checked=datetime.now(UTC)))
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (200, "ready")


def test_it_is_starting_until_the_first_look_has_ended(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readiness, "current", State)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (503, "starting")


def test_no_thread_starts_where_it_is_switched_off() -> None:
    assert settings.READINESS is False
    assert readiness.current().ready
    assert "readiness" not in {thread.name for thread in threading.enumerate()}


def test_it_looks_in_a_thread_that_starts_with_the_first_question(
    watch: Callable[..., Watch],
) -> None:
    looking = watch()
    assert looking._thread is None
    looking.current()
    until(lambda: looking.current().ready)


def test_it_answers_while_a_look_hangs_and_then_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    release = threading.Event()

    def hang(_seen: Readings) -> None:
        if looked.is_set():
            release.wait(10)
        looked.set()

    looked = threading.Event()
    monkeypatch.setattr(readiness, "SILENCE", 0.2)
    looking = Watch(every=0.01, checks=[hang])
    looking.current()
    until(lambda: not looking.current().ready and looking.current().checked is not None)
    (problem,) = looking.current().problems
    assert problem.name == "watch"
    release.set()
    until(lambda: looking.current().ready)
    looking.stop()


def test_it_logs_what_begins_and_what_ends_and_nothing_between(
    caplog: pytest.LogCaptureFixture, nothing_committed: pulse.Pulse
) -> None:
    seen: list[Problem] = []
    looks = 0

    def check(_seen: Readings) -> Problem | None:
        nonlocal looks
        looks += 1
        return seen[0] if seen else None

    def look_twice() -> None:
        before = looks
        until(lambda: looks > before + 2)

    looking = Watch(every=0.01, in_need=0.01, checks=[check])
    looking.current()
    look_twice()
    assert caplog.records == []
    seen.append(WRONG)
    look_twice()
    assert [record.getMessage() for record in caplog.records] == [
        "Not ready: Something is wrong. Fix it."
    ]
    seen.clear()
    look_twice()
    looking.stop()
    assert len(caplog.records) == 2
    assert caplog.records[1].getMessage().startswith("Resolved after 0 s: Something is wrong.")


def test_it_does_not_repeat_what_the_committer_logs(
    watch: Callable[..., Watch], caplog: pytest.LogCaptureFixture, nothing_committed: pulse.Pulse
) -> None:
    nothing_committed.fail(LOCKED)
    caplog.clear()
    looking = watch(readiness.of_fault(LOCKED))
    looking.current()
    until(lambda: looking.current().checked is not None)
    assert caplog.records == []


def test_it_remembers_since_when_a_problem_is_there(watch: Callable[..., Watch]) -> None:
    looking = watch(WRONG)
    looking.current()
    until(lambda: bool(looking.current().problems))
    (first,) = looking.current().problems
    checked = looking.current().checked
    until(lambda: looking.current().checked != checked)
    (later,) = looking.current().problems
    assert first.since is not None
    assert later.since == first.since


@pytest.mark.usefixtures("nothing_committed")
def test_a_commit_that_failed_counts_at_once_and_one_that_worked_ends_it(
    watch: Callable[..., Watch], nothing_committed: pulse.Pulse
) -> None:
    looking = watch()
    looking.current()
    until(lambda: looking.current().ready)
    nothing_committed.fail(LOCKED)
    state = looking.current()
    assert not state.ready
    assert state.problems[0].message == readiness.of_fault(LOCKED).message
    assert state.problems[0].since is not None
    nothing_committed.succeed()
    assert looking.current().ready
    assert looking.current().last_commit == nothing_committed.read().committed


def test_an_old_failure_gives_way_to_a_heartbeat(
    watch: Callable[..., Watch], nothing_committed: pulse.Pulse, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing_committed.fail(LOCKED)
    monkeypatch.setattr(readiness, "MEMORY", timedelta())
    looking = watch()
    looking.current()
    until(lambda: looking.current().ready)


@pytest.mark.parametrize(
    ("free", "found"),
    [(None, False), (readiness.LITTLE_SPACE, False), (readiness.LITTLE_SPACE - 1, True)],
)
def test_little_space_is_a_warning(free: int | None, found: bool) -> None:  # noqa: FBT001
    problem = readiness.check_space(Readings(free_bytes=free))
    assert (problem is not None and problem.level == "warning") is found


FORWARD = clock.Step(datetime(2026, 11, 20, tzinfo=UTC), datetime(2026, 11, 23, tzinfo=UTC))


@pytest.mark.parametrize(
    ("ahead", "refused", "stopped", "step", "level", "words"),
    [
        (timedelta(0), False, False, None, None, ""),
        (timedelta(minutes=2), False, False, None, "warning", 'log "default" is 2 minutes ahead'),
        (timedelta(hours=3), True, False, None, "warning", "that log accepts no packets"),
        (timedelta(hours=3), True, True, None, "error", "that log accepts no packets"),
        (timedelta(0), False, False, FORWARD, "warning", "set forward by 3 days"),
    ],
)
def test_a_clock_that_is_wrong_is_a_problem(
    ahead: timedelta,
    refused: bool,  # noqa: FBT001
    stopped: bool,  # noqa: FBT001
    step: clock.Step | None,
    level: str | None,
    words: str,
) -> None:
    state = clock.State("default", ahead, refused=refused, stopped=stopped, step=step)
    problem = readiness.check_clock(Readings(clock_state=state))
    assert (problem and problem.level) == level
    assert problem is None or words in problem.message


@pytest.mark.parametrize("kind", ["locked", "full", "read-only", "unreachable", "failing"])
def test_every_fault_has_its_sentence_and_what_to_do(kind: str) -> None:
    problem = readiness.of_fault(Fault(kind, "x"))  # type: ignore[arg-type]
    assert problem.level == "error"
    assert problem.message.endswith(".")
    assert problem.advice.endswith(".")


@pytest.mark.django_db(transaction=True)
class TestTheDatabase:
    @pytest.fixture(autouse=True)
    def seeing(self, monkeypatch: pytest.MonkeyPatch, blind: None) -> None:
        monkeypatch.undo()

    def test_a_heartbeat_is_written_and_only_one_is_kept(self) -> None:
        heartbeat.beat()
        first = Heartbeat.objects.get().at
        heartbeat.beat()
        assert Heartbeat.objects.get().at > first

    def test_an_incident_of_a_tree_is_a_warning(self) -> None:
        log = Log.objects.get(slug="default")
        incidents.record(log, "differs", size=812, found=845)
        state = readiness.check_now()
        (problem,) = state.problems
        assert state.ready
        assert (problem.name, problem.level) == ("tree", "warning")
        assert 'The first 812 leaves of the log "default"' in problem.message
        assert problem.advice.endswith("manage.py checkpoint --accept-incident.")

    def test_the_advice_names_the_log_that_has_the_incident(self) -> None:
        incidents.record(logs.create(slug="demo"), "differs", size=812, found=845)
        (problem,) = readiness.check_now().problems
        assert problem.advice.endswith("manage.py checkpoint --accept-incident --log demo.")

    def test_what_it_sees_is_fine(self) -> None:
        LogEnd.objects.update(received=datetime.now(UTC))
        state = readiness.check_now()
        assert (state.ready, state.problems) == (True, ())
        assert state.newest_leaf is not None
        assert state.free_bytes is not None
        assert state.free_bytes > 0

    def test_it_says_how_many_leaves_have_no_findings(self) -> None:
        LogEnd.objects.update(size=7)

        assert readiness.report(readiness.check_now())["findings_behind"] == 7

    def test_a_lock_is_seen_after_a_bounded_wait(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(heartbeat, "PATIENCE", 1)
        states: list[State] = []
        with transaction.atomic():
            heartbeat.beat()  # holds the row, and on SQLite the database
            thread = threading.Thread(target=lambda: states.append(readiness.check_now()))
            thread.start()
            thread.join(10)
        (state,) = states
        assert not state.ready
        assert [problem.name for problem in state.problems] == ["database"]
        assert readiness.check_now().ready

    def test_a_lock_is_no_problem_while_commits_succeed(
        self, monkeypatch: pytest.MonkeyPatch, nothing_committed: pulse.Pulse
    ) -> None:
        def busy() -> None:
            nothing_committed.succeed()
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")
            raise locked

        locked = DatabaseError("database is locked")
        monkeypatch.setattr(faults, "find", lambda _error: LOCKED)
        monkeypatch.setattr(heartbeat, "beat", busy)
        assert readiness.check_now().ready

    @pytest.mark.parametrize(("free", "kind"), [(0, "full"), (10**9, "failing"), (None, "failing")])
    def test_a_failure_on_a_disk_without_space_is_a_full_disk(
        self, monkeypatch: pytest.MonkeyPatch, free: int | None, kind: faults.Kind
    ) -> None:
        error = database_error("SQLITE_IOERR", "disk I/O error")
        monkeypatch.setattr(heartbeat, "beat", raising(error))
        monkeypatch.setattr(readiness, "_free_bytes", lambda: free)

        assert (
            readiness.check_now([readiness.check_database]).problems[0].message
            == Fault(kind, "").message
        )


def test_a_disk_that_cannot_be_asked_is_not_guessed(tmp_path: Path) -> None:
    with override_settings(DATA=tmp_path / "gone"):
        assert readiness._free_bytes() is None


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_an_answer_to_monitoring_is_stored_nowhere_and_runs_nothing(path: str) -> None:
    found = answers.answer("GET", path)
    assert found is not None
    assert dict(found[1]) == {
        "Content-Type": "application/json",
        "Cache-Control": "max-age=0, no-cache, no-store, must-revalidate, private",
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": csp.POLICY,
        "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    }
