"""Marking packets: steps that stay, each with its leaf."""

import json
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User

from auditlog import review
from auditlog.ingest.item import Item
from auditlog.log import group_commit, leaf
from auditlog.models import Leaf, LogEnd, Review
from auditlog.search import index
from tests.auditlog.sending import WIRE, keep

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann() -> User:
    return User.objects.create(username="ann")


@pytest.fixture
def committed() -> Iterator[None]:
    yield
    group_commit.stop()
    index.forget()


def test_the_newest_step_is_the_state_and_all_stay(ann: User) -> None:
    packet = keep(Item(WIRE))
    review.mark(packet=packet, state="flagged", note="odd", who=ann)
    review.mark(packet=packet, state="reviewed", note="", who=ann)
    latest = review.find_latest([packet])[packet.pk]
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
        ("closed", "", "reviewed or flagged"),
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


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("committed")
def test_outside_a_transaction_the_committer_writes_it(ann: User) -> None:
    packet = keep(Item(WIRE))
    step = review.mark(packet=packet, state="reviewed", note="", who=ann)
    assert Review.objects.get().pk == step.pk
    assert Leaf.objects.count() == 2
