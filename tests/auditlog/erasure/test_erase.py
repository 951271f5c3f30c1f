"""Erasing packets deletes all content, and nothing that is proven."""

import json
from random import Random

import pytest
from django.contrib.auth.models import User

from auditlog import access, review
from auditlog.erasure import erase, events
from auditlog.erasure.erase import BadErasure, By, Order
from auditlog.erasure.tables import Erasure
from auditlog.findings.following import position
from auditlog.ingest.item import Item
from auditlog.ingest.receive import Error, Rejection
from auditlog.ingest.repeats import results
from auditlog.log import leaf, log_end, logs, reindex
from auditlog.models import (
    Conflict,
    Finding,
    IdempotentPiece,
    IdempotentRequest,
    Leaf,
    Log,
    Packet,
    Review,
    Rollup,
    Seed,
)
from auditlog.rollup import counting, recount, stored
from auditlog.search import index
from auditlog.search.completion import seen
from auditlog.search.find import find
from auditlog.sender import Sender
from tests.auditlog.erasure.orders import ORDER, erase_leaves, find_rows
from tests.auditlog.findings.following.steps import follow
from tests.auditlog.rollup import oracle
from tests.auditlog.search.packets import START, places
from tests.auditlog.sending import append, keep, make_sender

pytestmark = pytest.mark.django_db

SECRET = Item(
    "INF/OBS|g=42,@=xyzzyplugh,!=Ask Xyzzyplugh about DE89370400440532013000",
    event_id="run-xyzzyplugh",
    from_="xyzzyplugh",
    content="dear xyzzyplugh",
    attributes={"owner": "xyzzyplugh"},
    sent_at="2026-11-20T10:00:01Z",
)


@pytest.fixture
def ann() -> User:
    return User.objects.create(username="ann")


@pytest.fixture(autouse=True)
def fresh() -> None:
    index.forget()
    counting.forget()


def test_nothing_of_the_content_is_left_in_any_table(ann: User) -> None:
    sender = make_sender()
    append(Item("REQ/TSK|g=1"), SECRET, Item("REQ/TSK|g=2"), sender=sender)
    append(Item("INF/OBS|g=3,!=xyzzyplugh", event_id="run-xyzzyplugh"), sender=sender)
    follow()
    packet = Packet.objects.select_related("log", "source").get(leaf=1)
    review.mark(packet=packet, state="flagged", note="who is xyzzyplugh?", who=ann)
    assert set(find_rows("xyzzyplugh")) >= {
        "auditlog_packet", "auditlog_conflict", "auditlog_review", "auditlog_rollup",
        "auditlog_searchvalue",
    }  # fmt: skip

    (made,) = erase_leaves(1)

    assert find_rows("xyzzyplugh") == {}
    assert [Packet.objects.count(), Seed.objects.count(), Conflict.objects.count()] == [2, 2, 0]
    assert not Finding.objects.filter(leaf=1).exists()
    assert (places("xyzzyplugh*"), places("goal:42"), places("")) == ([], [], [2, 0])
    assert (made.packet_leaf, made.uid, made.notes, made.purged) == (1, packet.uid, 1, None)


def test_every_leaf_stays_and_one_says_what_was_erased(ann: User) -> None:
    append(Item("REQ/TSK|g=1"), SECRET, sender=make_sender())
    before = list(Leaf.objects.order_by("index").values_list("index", "bytes", "hash"))
    order = Order(erase.by_person(ann), "GDPR request 17")

    (made,) = erase_leaves(1, order=order)

    after = list(Leaf.objects.order_by("index").values_list("index", "bytes", "hash"))
    assert after[:2] == before
    assert len(after) == 3
    data = bytes(after[2][1])
    said = json.loads(data)
    assert (said["kind"], said["leaf"], list(said["commit"])) == ("redaction", 1, ["by", "reason"])
    assert data == leaf.format_redaction(
        bytes(made.seed),
        log="default",
        received=leaf.format_time(made.at),
        leaf=1,
        by=leaf.by_bytes(key=None, person=ann.pk, source="user:ann"),
        reason=b'"GDPR request 17"',
    )


def test_the_steps_of_a_review_stay_with_or_without_their_notes(ann: User) -> None:
    for _ in range(2):
        packet = keep(Item("REQ/TSK|g=1"), sender=make_sender())
        review.mark(packet=packet, state="flagged", note="odd", who=ann)

    erase_leaves(0)
    erase_leaves(2, order=ORDER._replace(notes=False))

    steps = Review.objects.order_by("leaf").values_list("state", "note", "seed")
    emptied, kept = [(state, note, len(bytes(seed))) for state, note, seed in steps]
    assert (emptied, kept) == (("flagged", "", 0), ("flagged", "odd", 32))
    assert [made.notes for made in Erasure.objects.order_by("packet_leaf")] == [1, 0]
    assert places("is:flagged") == places("is:reviewed") == places("-is:flagged") == []
    assert find(["default"], "is:flagged", now=START).count.value == 0


def test_an_erased_packet_gets_no_further_steps(ann: User) -> None:
    packet = keep(Item("REQ/TSK|g=1"))
    step = review.mark(packet=packet, state="flagged", note="", who=ann)
    erase_leaves(0)

    for state in ("reviewed", "commented"):
        with pytest.raises(review.BadReview, match="erased"):
            review.mark(packet=packet, state=state, note="late", who=ann)
    with pytest.raises(review.BadReview, match="erased"):
        review.undo(steps=[step], who=ann)
    assert Review.objects.count() == 1


def test_erasing_twice_erases_once() -> None:
    append(Item("REQ/TSK|g=1"), sender=make_sender())

    assert [len(erase_leaves(0)), len(erase_leaves(0)), len(erase_leaves(7))] == [1, 0, 0]

    assert Leaf.objects.filter(kind="redaction").count() == Erasure.objects.count() == 1


def test_a_packet_of_another_log_with_the_same_leaf_stays() -> None:
    logs.create(slug="second")
    append(SECRET, Item(SECRET.wire, log="second"), sender=make_sender())

    erase_leaves(0, log="second")

    assert list(Packet.objects.values_list("log__slug", "leaf")) == [("default", 0)]
    assert places("xyzzyplugh", logs=("default", "second")) == [0]


def test_a_packet_that_is_sent_again_does_not_come_back() -> None:
    sender, other = make_sender(), make_sender("other")
    (first,) = append(SECRET, sender=sender)
    erase_leaves(0)

    again = append(SECRET, Item("REQ/TSK|g=1", event_id="b"), SECRET, sender=sender)

    assert [(one.status, one.packet == first.packet) for one in again] == [
        (410, True), (201, False), (410, True),
    ]  # fmt: skip
    assert [one.status for one in append(SECRET, sender=other)] == [201]
    assert Erasure.objects.get().event is not None
    assert b"xyzzyplugh" not in bytes(Erasure.objects.get().event or b"")
    assert events.hash_event(1, 1, "a") != events.hash_event(1, 2, "a")


@pytest.mark.parametrize("followed", [True, False])
def test_statistics_are_those_of_the_other_packets(*, followed: bool) -> None:
    senders = [make_sender("one"), make_sender("two")]
    oracle.send(Random(3), 5, senders, ("default",))
    if followed:
        follow()
    leaves = list(Packet.objects.values_list("leaf", flat=True).order_by("leaf"))

    erase_leaves(*leaves[::3])
    follow()

    assert oracle.stored() == oracle.count()
    assert not Rollup.objects.filter(packets__lte=0).exists()


def test_statistics_are_exact_if_it_comes_in_the_middle_of_a_recount(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(recount, "PIECE", 7)
    oracle.send(Random(4), 5, [make_sender("one")], ("default",))
    follow()
    append(Item("REQ/TSK|g=1"), sender=make_sender("late"))
    log_id = Log.objects.get(slug="default").pk
    recount.begin(log_id)
    recount.step(log_id)

    leaves = list(Packet.objects.values_list("leaf", flat=True).order_by("leaf"))
    erase_leaves(*leaves[::3], leaves[-1])
    follow()

    assert oracle.stored() == oracle.count()


def test_a_packet_that_is_erased_while_it_is_counted_again_does_not_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    append(SECRET, Item("REQ/TSK|g=1"), sender=make_sender())
    follow()
    log_id = Log.objects.get(slug="default").pk
    recount.begin(log_id)
    read = stored.count_english

    def erase_meanwhile(packets: list[stored.Stored]) -> list[int | None]:
        found = read(packets)
        if Packet.objects.filter(leaf=0).exists():
            monkeypatch.setattr(stored, "count_english", read)
            erase_leaves(0)
        return found

    monkeypatch.setattr(stored, "count_english", erase_meanwhile)
    recount.step(log_id)
    follow()

    assert oracle.stored() == oracle.count()
    assert find_rows("xyzzyplugh") == {}


def test_a_finding_that_is_made_meanwhile_is_not_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    append(SECRET, sender=make_sender())
    store = position.store

    def erase_first(piece: position.Piece) -> bool:
        erase_leaves(0)
        return store(piece)

    monkeypatch.setattr(position, "store", erase_first)
    follow()

    assert not Finding.objects.exists()
    assert oracle.stored() == {}


def test_the_index_is_made_again_without_it() -> None:
    append(SECRET, Item("REQ/TSK|g=1"), sender=make_sender())
    erase_leaves(0)

    reindex.forget()

    assert [*reindex.run()] == [(1, 1)]
    assert seen.find_values(Log.objects.get(slug="default"), "from", "xyz", 5) == []
    assert find_rows("xyzzyplugh") == {}


@pytest.mark.parametrize("reason", ["", "  \n", "a\0b", "\ud800", "x" * 1_001])
def test_a_reason_is_required(reason: str) -> None:
    append(SECRET, sender=make_sender())

    with pytest.raises(BadErasure):
        erase_leaves(0, order=Order(By(), reason))

    assert Packet.objects.count() == 1
    assert not Erasure.objects.exists()


def test_an_error_rolls_all_of_it_back(monkeypatch: pytest.MonkeyPatch) -> None:
    append(SECRET, sender=make_sender())

    def fail(*_args: object, **_options: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(log_end, "store", fail)
    with pytest.raises(RuntimeError):
        erase_leaves(0)

    assert places("xyzzyplugh") == [0]
    assert Leaf.objects.count() == 1
    assert oracle.stored() != {}


def test_a_damaged_packet_is_erased_too() -> None:
    append(SECRET, Item("REQ/TSK|g=1"), sender=make_sender())
    Packet.objects.filter(leaf=0).update(
        meaning="xyzzyplugh", supplied="[", diagnostics="?", content=b"\xff", protocol="none"
    )

    erase_leaves(0)

    assert Packet.objects.get().leaf == 1
    assert "auditlog_packet" not in find_rows("xyzzyplugh")
    assert places("xyzzyplugh") == []


def test_event_ids_are_removed_from_results_that_can_be_repeated() -> None:
    sender = make_sender()
    append(SECRET, sender=sender)
    packed = results.pack(
        [
            Rejection(0, "run-xyzzyplugh", 409, Error("used already", "/event_id")),
            Rejection(1, "run-other", 422, Error("Unknown log", "/log")),
        ]
    )
    store_results(sender, packed)

    erase_leaves(0)

    assert find_rows("xyzzyplugh") == {}
    found = results.unpack([IdempotentPiece.objects.get().results])
    assert [(one.status, one.event_id) for one in found] == [(409, None), (422, "run-other")]


def test_event_ids_of_others_stay_in_results_that_can_be_repeated() -> None:
    sender, other = make_sender(), make_sender("coder")
    night = logs.create(slug="night")
    _, token = access.create_key(source=sender.source, scopes=("ingest",), log=night)
    elsewhere = access.authenticate(token)
    assert elsewhere is not None
    append(SECRET, sender=sender)
    packed = results.pack([Rejection(0, "run-xyzzyplugh", 422, Error("Unknown log", "/log"))])
    for one in (sender, other, elsewhere):
        store_results(one, packed)

    erase_leaves(0)

    found = {
        piece.request.key_id: results.unpack([piece.results])[0].event_id
        for piece in IdempotentPiece.objects.select_related("request")
    }
    assert found == {
        sender.key_id: None,
        other.key_id: "run-xyzzyplugh",
        elsewhere.key_id: "run-xyzzyplugh",
    }


def store_results(sender: Sender, packed: str) -> None:
    """Store the results of a request with an `Idempotency-Key`."""
    assert sender.key_id is not None
    request = IdempotentRequest.objects.create(
        id=sender.key_id, key_id=sender.key_id, value="k", request=b"", items=1, created=START
    )
    IdempotentPiece.objects.create(request=request, item=0, digest=b"", results=packed)
