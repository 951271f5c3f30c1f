"""Small requests are stored in one transaction, and each gets its own answer."""

import threading
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest

from auditlog import access
from auditlog.continuity import clock
from auditlog.database.unavailable import Overloaded
from auditlog.ingest import together
from auditlog.ingest.item import Item, Refusal
from auditlog.ingest.receive import Receipt
from auditlog.ingest.together import Answers, Results, Together
from auditlog.log import group_commit, logs
from auditlog.log.draft import Submission
from auditlog.models import ApiKey, Conflict, Leaf, Packet, Source
from auditlog.sender import Sender

WIRE = "REQ/TSK|g=42,t=1"


def make_key(source: str, **options: Any) -> Sender:
    _, token = access.create_key(source=source, scopes=("ingest",), **options)
    sender = access.authenticate(token)
    assert sender is not None
    return sender


def sent(sender: Sender, *wires: str, strict: bool = False, **fields: Any) -> Submission:
    return Submission([Item(wire=wire, **fields) for wire in wires], sender, strict)


def statuses(results: Results) -> list[int]:
    assert isinstance(results, list)
    return [one.status for one in results]


@pytest.mark.django_db
class TestStore:
    def test_requests_share_a_transaction_and_get_their_own_results(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        calls = []
        submit = group_commit.submit

        def count(handler: Any, rows: Sequence[Any], **options: Any) -> Any:
            calls.append(len(rows))
            return submit(handler, rows, **options)

        monkeypatch.setattr(group_commit, "submit", count)
        one, two = make_key("one"), make_key("two")

        first, second = together.store([sent(one, WIRE), sent(two, "INF/OBS|g=1", WIRE)])

        assert (statuses(first), statuses(second)) == ([201], [201, 201])
        assert calls == [3]
        stored = Packet.objects.order_by("leaf").values_list("source__name", "wire", "key_id")
        assert [(name, bytes(wire).decode(), key) for name, wire, key in stored] == [
            ("one", WIRE, one.key_id),
            ("two", "INF/OBS|g=1", two.key_id),
            ("two", WIRE, two.key_id),
        ]
        assert isinstance(second, list)
        assert [one.packet for one in second if isinstance(one, Receipt)] == list(
            Packet.objects.filter(source__name="two").order_by("leaf").values_list("uid", flat=True)
        )

    @pytest.mark.parametrize(
        "change",
        [
            {"revoked": datetime(2020, 1, 1, tzinfo=UTC)},
            {"expires": datetime(2020, 1, 1, tzinfo=UTC)},
            {"scopes": "read"},
        ],
    )
    def test_a_key_that_lost_its_right_stores_nothing_and_costs_no_neighbor(
        self, change: dict[str, Any]
    ) -> None:
        lost, good = make_key("lost"), make_key("good")
        ApiKey.objects.filter(pk=lost.key_id).update(**change)

        refused, stored = together.store([sent(lost, WIRE, WIRE), sent(good, WIRE)])

        assert refused is None
        assert statuses(stored) == [201]
        assert [packet.source.name for packet in Packet.objects.select_related("source")] == [
            "good"
        ]
        assert Leaf.objects.count() == 1

    def test_a_key_that_was_limited_to_a_log_or_renamed_is_asked_about_again(self) -> None:
        limited, renamed = make_key("limited"), make_key("renamed")
        ApiKey.objects.filter(pk=limited.key_id).update(log=logs.create(slug="other"))
        Source.objects.filter(pk=renamed.source_id).update(name="another")

        assert together.store([sent(limited, WIRE), sent(renamed, WIRE)]) == [None, None]
        assert not Packet.objects.exists()

    def test_a_request_that_would_store_nothing_is_not_answered(self) -> None:
        sender = make_key("one")
        unread = Submission([Refusal(422, "No.", "")], sender)

        assert together.store([unread, sent(sender, "REQ/", strict=True)]) == [None, None]

    def test_items_that_are_refused_stand_between_those_that_are_stored(self) -> None:
        sender = make_key("one")
        mixed = Submission([Item(wire=WIRE), Refusal(422, "No.", "/x"), Item(wire=WIRE)], sender)

        (results,) = together.store([mixed])

        assert isinstance(results, list)
        assert [one.status for one in results] == [201, 422, 201]
        assert [one.item for one in results] == [0, 1, 2]

    def test_an_event_is_stored_once_and_a_conflict_recorded_once(self) -> None:
        sender = make_key("one")
        again = sent(sender, WIRE, event_id="e")

        results = together.store([again, again, sent(sender, "INF/OBS|g=1", event_id="e")])

        assert [statuses(one) for one in results] == [[201], [200], [409]]
        assert (Packet.objects.count(), Conflict.objects.count()) == (1, 1)


class Delivered:
    """Takes answers, in order, by the name of the request."""

    def __init__(self) -> None:
        self.found: list[tuple[str, Results]] = []
        self.seconds: dict[str, float] = {}
        self._more = threading.Condition()

    def __call__(self, answers: Answers) -> None:
        for answer in answers:
            answer()

    def of(self, name: str, results: Results, seconds: float) -> None:
        assert seconds >= 0
        with self._more:
            self.seconds[name] = seconds
            self.found.append((name, results))
            self._more.notify_all()

    def wait(self, number: int) -> list[tuple[str, Results]]:
        with self._more:
            assert self._more.wait_for(lambda: len(self.found) >= number, 10)
            return self.found


class HeldStore:
    """Stands for the writer: notes the first wire of each request, a list per group, and waits to
    be opened.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.groups: list[list[str]] = []
        self.begun, self.opened = threading.Event(), threading.Event()
        monkeypatch.setattr(together, "store", self)

    def __call__(self, submissions: Sequence[Submission]) -> list[Results]:
        items = [each.items[0] for each in submissions]
        self.groups.append([one.wire for one in items if isinstance(one, Item)])
        self.begun.set()
        assert self.opened.wait(10)
        return [[]] * len(submissions)


class TestThread:
    ONE = Sender(1, "one", key_id="1")

    def submit(
        self, many: Together, to: Delivered, name: str, key: str, wires: int = 1, size: int = 30
    ) -> None:
        many.submit(key, size, lambda: sent(self.ONE, *[name] * wires), partial(to.of, name))

    def test_senders_take_turns(self, monkeypatch: pytest.MonkeyPatch) -> None:
        store = HeldStore(monkeypatch)
        monkeypatch.setattr(together, "GROUP", 3)
        delivered = Delivered()
        many = Together(delivered)
        self.submit(many, delivered, "first", "a")
        assert store.begun.wait(10)
        for name in ("a1", "a2", "a3"):
            self.submit(many, delivered, name, "a")
        self.submit(many, delivered, "b1", "b")
        self.submit(many, delivered, "c1", "c", wires=5)
        store.opened.set()

        found = delivered.wait(6)

        assert store.groups == [["first"], ["a1", "b1", "c1"], ["a2", "a3"]]
        assert [name for name, _ in found] == ["first", "a1", "b1", "c1", "a2", "a3"]

    def test_who_was_just_answered_shares_the_next_group_with_who_waits(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        store = HeldStore(monkeypatch)
        monkeypatch.setattr(together, "GATHER", 5.0)
        monkeypatch.setattr(together, "SHARE", 1e6)
        delivered = Delivered()
        many = Together(delivered)
        self.submit(many, delivered, "a1", "a")
        assert store.begun.wait(10)
        self.submit(many, delivered, "b1", "b")
        store.opened.set()
        delivered.wait(1)
        time.sleep(0.1)
        self.submit(many, delivered, "a2", "a")
        delivered.wait(3)

        assert store.groups == [["a1"], ["b1", "a2"]]

    def test_a_request_does_not_wait_long_for_those_who_were_answered(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(together, "store", lambda each: [[]] * len(each))
        delivered = Delivered()
        many = Together(delivered)
        for name in ("a", "b", "c"):
            self.submit(many, delivered, name, name)
        delivered.wait(3)
        self.submit(many, delivered, "alone", "a")

        assert [name for name, _ in delivered.wait(4)][3:] == ["alone"]

    def test_heavy_requests_fill_a_group_and_pay_for_it(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        begun, opened = threading.Event(), threading.Event()
        groups: list[int] = []

        def store(submissions: Sequence[Submission]) -> list[Results]:
            groups.append(len(submissions))
            begun.set()
            assert opened.wait(10)
            until = time.thread_time() + 0.02
            while time.thread_time() < until:
                pass
            return [[]] * len(submissions)

        monkeypatch.setattr(together, "store", store)
        delivered = Delivered()
        many = Together(delivered)
        self.submit(many, delivered, "first", "a")
        assert begun.wait(10)
        self.submit(many, delivered, "light", "a", size=30)
        self.submit(many, delivered, "heavy", "b", size=together.WEIGHT)
        self.submit(many, delivered, "late", "c", size=30)
        opened.set()

        delivered.wait(4)

        assert groups == [1, 2, 1]
        assert delivered.seconds["heavy"] > 100 * delivered.seconds["light"] > 0

    def test_a_request_that_cannot_be_read_is_not_answered_and_stops_nothing(
        self, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        monkeypatch.setattr(together, "store", lambda each: [[]] * len(each))
        delivered = Delivered()
        many = Together(delivered)

        def fail() -> None:
            raise ZeroDivisionError

        many.submit("a", 1, lambda: None, partial(delivered.of, "unread"))
        many.submit("a", 1, fail, partial(delivered.of, "failed"))
        self.submit(many, delivered, "good", "a")

        assert sorted(delivered.wait(3), key=lambda one: one[0]) == [
            ("failed", None),
            ("good", []),
            ("unread", None),
        ]
        assert "ZeroDivisionError" in caplog.text

    @pytest.mark.parametrize(
        "error", [Overloaded(), ZeroDivisionError(), clock.Behind("other", timedelta(days=1))]
    )
    def test_each_request_learns_why_its_group_was_not_stored(
        self, monkeypatch: pytest.MonkeyPatch, error: Exception
    ) -> None:
        def fail(_: Sequence[Submission]) -> list[Results]:
            raise error

        monkeypatch.setattr(together, "store", fail)
        delivered = Delivered()
        many = Together(delivered)
        for name in ("one", "two"):
            self.submit(many, delivered, name, name)

        # Requests to a log that is ahead of the clock are refused, but not those to other logs.
        expected = error if isinstance(error, Overloaded) else None
        assert sorted(delivered.wait(2)) == [("one", expected), ("two", expected)]
