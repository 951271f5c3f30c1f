"""A batch of which nothing is kept is answered like any other, on both databases."""

import pytest

from auditlog import access
from auditlog.ingest.body import Piece
from auditlog.ingest.item import Item, Refusal
from auditlog.ingest.receive import Rejection, keep, receive
from auditlog.sender import Sender

pytestmark = pytest.mark.django_db


@pytest.fixture
def sender() -> Sender:
    found = access.authenticate(access.create_key(source="bot", scopes=("ingest",))[1])
    assert found is not None
    return found


def test_a_strict_batch_of_invalid_messages(sender: Sender) -> None:
    answers = keep([Item("no message"), Item("")], sender=sender, strict=True)

    assert [type(answer) for answer in answers] == [Rejection, Rejection]
    assert [answer.status for answer in answers] == [422, 422]


def test_a_piece_of_refused_items(sender: Sender) -> None:
    (answer,) = receive([Piece([Refusal(422, "It is no object.", "")])], sender=sender)

    assert answer.status == 422
