"""Marking packets: steps that stay, each with its leaf."""

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth.models import User
from django.db import connection

from auditlog import review
from auditlog.database import damage
from auditlog.ingest.item import Item
from auditlog.log import group_commit, leaf
from auditlog.models import Leaf, LogEnd, Packet, Review
from auditlog.search import index
from tests.auditlog.erasure.orders import erase_leaves
from tests.auditlog.sending import WIRE, keep, make_sender

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann() -> User:
    return User.objects.create(username="ann")


@pytest.fixture
def committed() -> Iterator[None]:
    yield
    group_commit.stop()
    index.forget()


def decisions(packet: Packet) -> dict[damage.Key, Review]:
    return review.find_decisions(review.list_effective(review.find_steps([packet])))


def test_the_newest_step_is_the_state_and_all_stay(ann: User) -> None:
    packet = keep(Item(WIRE))
    review.mark(packet=packet, state="flagged", note="odd", who=ann)
    review.mark(packet=packet, state="reviewed", note="", who=ann)
    latest = decisions(packet)[packet.pk]
    assert review.as_json(latest) | {"at": ""} == {
        "state": "reviewed",
        "note": "",
        "who": "ann",
        "at": "",
        "leaf": 2,
    }
    assert list(review.find_steps([packet]).values_list("state", flat=True)) == [
        "flagged",
        "reviewed",
    ]


def test_each_step_is_a_leaf_that_commits_to_the_decision(ann: User) -> None:
    packet = keep(Item(WIRE))
    step = review.mark(packet=packet, state="flagged", note="odd – why?", who=ann)
    row = Leaf.objects.get(index=step.leaf)
    said = json.loads(bytes(row.bytes))
    assert (row.kind, said["kind"], said["leaf"], said["recv"]) == (
        "review",
        "review",
        0,
        leaf.format_time(step.at),
    )
    opened = {
        "by": leaf.canonical({"person": ann.pk, "source": "user:ann"}),
        "decision": leaf.canonical(
            {"packet": packet.uid, "state": "flagged", "note": "odd – why?"}
        ),
    }
    assert said["commit"] == {
        field: leaf.spell(leaf.commit(leaf.salt(bytes(step.seed), field), field, data))
        for field, data in opened.items()
    }
    assert LogEnd.objects.get().size == 2
    assert b"odd" not in bytes(row.bytes)


@pytest.mark.parametrize(
    ("state", "note", "words"),
    [
        ("closed", "", "Expected reviewed, flagged, commented"),
        ("undone", "", "Expected reviewed, flagged, commented"),
        ("commented", " \n", "needs a note"),
        ("flagged", "x" * 10_001, "10,000"),
        ("flagged", "a\0", "NUL"),
    ],
)
def test_a_step_that_cannot_be_taken_writes_nothing(
    ann: User, state: str, note: str, words: str
) -> None:
    packet = keep(Item(WIRE))
    with pytest.raises(review.BadReview, match=words):
        review.mark(packet=packet, state=state, note=note, who=ann)
    assert Review.objects.count() == 0
    assert Leaf.objects.count() == 1


def test_a_decision_that_is_undone_gives_way_to_the_one_before(ann: User) -> None:
    packet, bob = keep(Item(WIRE)), User.objects.create(username="bob")
    flagged = review.mark(packet=packet, state="flagged", note="odd", who=bob)
    reviewed = review.mark(packet=packet, state="reviewed", note="", who=ann)
    (undone,) = review.undo(steps=[reviewed], who=ann)

    assert decisions(packet) == {packet.pk: flagged}
    assert (undone.state, undone.undoes) == ("undone", reviewed.leaf)
    assert list(review.find_steps([packet])) == [flagged, reviewed, undone]

    review.undo(steps=[flagged], who=bob)
    assert decisions(packet) == {}


def test_an_undo_is_a_leaf_that_commits_to_what_it_undoes(ann: User) -> None:
    packet = keep(Item(WIRE))
    (undone,) = review.undo(
        steps=[review.mark(packet=packet, state="flagged", note="odd", who=ann)], who=ann
    )

    said = json.loads(bytes(Leaf.objects.get(index=undone.leaf).bytes))
    opened = leaf.canonical({"packet": packet.uid, "state": "undone", "note": "", "undoes": 1})
    salt = leaf.salt(bytes(undone.seed), "decision")
    assert (said["kind"], said["leaf"]) == ("review", 0)
    assert said["commit"]["decision"] == leaf.spell(leaf.commit(salt, "decision", opened))


def test_a_comment_decides_nothing(ann: User) -> None:
    packet = keep(Item(WIRE))
    flagged = review.mark(packet=packet, state="flagged", note="", who=ann)
    comment = review.mark(packet=packet, state="commented", note="Why?", who=ann)

    effective = review.list_effective(review.find_steps([packet]))
    assert review.find_decisions(effective) == {packet.pk: flagged}
    assert review.find_comments(effective) == {packet.pk: [comment]}


def test_only_a_step_of_ones_own_is_undone_and_only_once(ann: User) -> None:
    packet, bob = keep(Item(WIRE)), User.objects.create(username="bob")
    step = review.mark(packet=packet, state="flagged", note="", who=ann)

    with pytest.raises(review.BadReview, match="only your own"):
        review.undo(steps=[step], who=bob)
    undone = review.undo(steps=[step], who=ann)
    with pytest.raises(review.BadReview, match="already undone"):
        review.undo(steps=[step], who=ann)
    with pytest.raises(review.BadReview, match="only your own"):
        review.undo(steps=undone, who=ann)
    assert Leaf.objects.count() == Review.objects.count() + 1 == 3


def test_a_decision_of_another_person_is_not_overruled_unseen(ann: User) -> None:
    packet, bob = keep(Item(WIRE)), User.objects.create(username="bob")
    seen = LogEnd.objects.get().size
    review.mark(packet=packet, state="flagged", note="odd", who=bob)

    with pytest.raises(review.Overtaken, match="bob flagged this packet after you opened it"):
        review.mark(packet=packet, state="reviewed", note="", who=ann, seen=seen)
    assert Review.objects.get().state == "flagged"

    # A comment overrules nothing, one's own steps were seen, and so is what is shown now.
    review.mark(packet=packet, state="commented", note="Why?", who=ann, seen=seen)
    review.mark(packet=packet, state="reviewed", note="", who=bob, seen=seen)
    review.mark(packet=packet, state="reviewed", note="", who=ann, seen=LogEnd.objects.get().size)
    assert Review.objects.count() == 4


@pytest.mark.parametrize("is_seen", [True, False])
def test_a_comment_that_is_undone_overtakes_no_decision(ann: User, *, is_seen: bool) -> None:
    packet, bob = keep(Item(WIRE)), User.objects.create(username="bob")
    before = LogEnd.objects.get().size
    comment = review.mark(packet=packet, state="commented", note="Why?", who=bob)
    seen = LogEnd.objects.get().size if is_seen else before
    review.undo(steps=[comment], who=bob)

    step = review.mark(packet=packet, state="flagged", note="", who=ann, seen=seen)

    assert step.state == "flagged"


def test_a_decision_that_is_undone_overtakes_another_one(ann: User) -> None:
    packet, bob = keep(Item(WIRE)), User.objects.create(username="bob")
    flagged = review.mark(packet=packet, state="flagged", note="odd", who=bob)
    comment = review.mark(packet=packet, state="commented", note="Why?", who=bob)
    seen = LogEnd.objects.get().size
    review.undo(steps=[flagged], who=bob)
    review.undo(steps=[comment], who=bob)

    with pytest.raises(review.Overtaken, match="bob undid a decision on this packet"):
        review.mark(packet=packet, state="reviewed", note="", who=ann, seen=seen)


def test_a_bulk_decision_leaves_out_what_others_decided_meanwhile(ann: User) -> None:
    bob = User.objects.create(username="bob")
    packets = [keep(Item(WIRE), sender=make_sender(name)) for name in ("a", "b", "c")]
    seen = LogEnd.objects.get().size
    step = review.mark(packet=packets[1], state="flagged", note="", who=bob)

    marked = review.mark_all(packets=packets, state="reviewed", note="ok", who=ann, seen=seen)

    assert [each.packet_leaf for each in marked.steps] == [0, 2]
    assert [refused.step for refused in marked.overtaken] == [step]
    assert {each.at for each in marked.steps} == {marked.steps[0].at}
    assert len(review.undo(steps=marked.steps, who=ann)) == 2


@pytest.mark.parametrize(
    ("state", "did"),
    [("reviewed", "reviewed"), ("flagged", "flagged"), ("commented", "commented on")],
)
def test_the_same_step_from_the_same_page_is_stored_once(ann: User, state: str, did: str) -> None:
    packets = [keep(Item(WIRE), sender=make_sender(name)) for name in ("a", "b")]
    seen = LogEnd.objects.get().size
    step = review.mark(packet=packets[0], state=state, note="odd", who=ann, seen=seen)

    with pytest.raises(review.Repeated, match=f"You already {did} this packet. Nothing was stored"):
        review.mark(packet=packets[0], state=state, note="odd", who=ann, seen=seen)
    marked = review.mark_all(packets=packets, state=state, note="odd", who=ann, seen=seen)
    assert [each.packet_leaf for each in marked.steps] == [1]
    assert [refused.step for refused in marked.repeated] == [step]

    # Another note, a page opened later, and a step that was undone do not repeat it.
    review.mark(packet=packets[0], state=state, note="very odd", who=ann, seen=seen)
    now = LogEnd.objects.get().size
    again = review.mark(packet=packets[0], state=state, note="odd", who=ann, seen=now)
    review.undo(steps=[step, again], who=ann)
    review.mark(packet=packets[0], state=state, note="odd", who=ann, seen=seen)


def test_going_back_to_a_decision_from_the_same_page_repeats_nothing(ann: User) -> None:
    packet = keep(Item(WIRE))
    seen = LogEnd.objects.get().size
    for state in ("reviewed", "flagged", "reviewed"):
        step = review.mark(packet=packet, state=state, note="", who=ann, seen=seen)

    assert decisions(packet)[packet.pk] == step


def test_a_bulk_decision_has_a_limit(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review, "LIMIT", 1)
    packet = keep(Item(WIRE))

    with pytest.raises(review.BadReview, match=r"The limit is 1 packets. You selected 2\."):
        review.mark_all(packets=[packet] * 2, state="reviewed", note="", who=ann)
    assert not Review.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("committed")
def test_outside_a_transaction_the_committer_writes_it(ann: User) -> None:
    packet = keep(Item(WIRE))
    step = review.mark(packet=packet, state="reviewed", note="", who=ann)
    assert Review.objects.get().pk == step.pk
    assert Leaf.objects.count() == 2


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("committed")
def test_of_two_people_who_decide_at_once_one_is_told(ann: User) -> None:
    """Both may even share one commit."""
    packet, bob = keep(Item(WIRE)), User.objects.create(username="bob")
    together = threading.Barrier(2)

    def decide(who: User) -> str:
        together.wait()
        try:
            return review.mark(packet=packet, state="flagged", note="", who=who, seen=1).state
        except review.Overtaken:
            return "told"
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(decide, (ann, bob))) == ["flagged", "told"]
    assert Review.objects.count() == 1


def test_the_last_bulk_decision_is_found_at_any_time_but_no_single_one(ann: User) -> None:
    packets = [keep(Item(WIRE), sender=make_sender(name)) for name in ("a", "b", "c")]
    log, bob = packets[0].log, User.objects.create(username="bob")
    first = review.mark_all(packets=packets[:2], state="flagged", note="odd", who=ann)
    second = review.mark_all(packets=packets[1:], state="commented", note="Why?", who=ann)
    single = review.mark(packet=packets[0], state="commented", note="Who?", who=ann)
    review.mark_all(packets=packets, state="commented", note="The planner.", who=bob)

    def last(since: int, *leaves: int) -> list[int]:
        found = review.find_last(log=log, who=ann, since=since, leaves=leaves)
        return [step.leaf for step in found]

    assert last(single.leaf, 0) == [single.leaf]
    newest = [step.leaf for step in reversed(second.steps)]
    assert last(single.leaf, 1, 2) == newest  # the single one is on another packet
    assert last(single.leaf + 1, 0) == newest  # or was before the page was opened
    review.undo(steps=second.steps[:1], who=ann)
    assert last(99) == newest[:1]
    review.undo(steps=second.steps[1:], who=ann)
    assert last(99) == [step.leaf for step in reversed(first.steps)]
    review.undo(steps=first.steps, who=ann)
    assert last(99) == []


def test_what_was_decided_over_or_erased_since_is_not_undone_with_the_rest(ann: User) -> None:
    packets = [keep(Item(WIRE), sender=make_sender(name)) for name in ("a", "b", "c", "d", "e")]
    log, bob = packets[0].log, User.objects.create(username="bob")
    marked = review.mark_all(packets=packets, state="flagged", note="", who=ann)
    review.mark(packet=packets[0], state="reviewed", note="", who=bob)
    review.mark(packet=packets[1], state="reviewed", note="", who=ann)
    review.mark(packet=packets[2], state="commented", note="a comment decides nothing", who=bob)
    erase_leaves(3)

    last = review.find_last(log=log, who=ann, since=99, leaves=())
    assert [step.packet_leaf for step in last] == [4, 2]

    # What happens between the page and the key is left out, too.
    seen = LogEnd.objects.get().size
    over = review.mark(packet=packets[4], state="reviewed", note="", who=bob)
    undone = review.undo(steps=[*last, marked.steps[3]], who=ann, seen=seen)
    assert [step.packet_leaf for step in undone] == [2]
    with pytest.raises(review.Overtaken, match="bob reviewed this packet"):
        review.undo(steps=last[:1], who=ann, seen=seen)
    with pytest.raises(review.BadReview, match="erased"):
        review.undo(steps=marked.steps[3:4], who=ann, seen=seen)
    assert decisions(packets[4])[packets[4].pk] == over


def test_a_comment_is_undone_although_others_decided_since(ann: User) -> None:
    packet, bob = keep(Item(WIRE)), User.objects.create(username="bob")
    comment = review.mark(packet=packet, state="commented", note="Why?", who=ann)
    seen = LogEnd.objects.get().size
    review.mark(packet=packet, state="flagged", note="", who=bob)

    assert len(review.undo(steps=[comment], who=ann, seen=seen)) == 1
