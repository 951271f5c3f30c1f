"""Whatever column of a stored packet is changed, the check of its receipt finds and names it.

The columns are those of the models: a new one fails here until another value of it is listed, or
docs/design/audit.md says that nothing commits to it.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection, models, transaction

from auditlog import review
from auditlog.ingest.item import Item
from auditlog.log import logs, triggers
from auditlog.log.writer import Outcome
from auditlog.models import ApiKey, Leaf, Log, Packet, Seed, Source
from playground.audit import receipt_text, receipts
from playground.audit.receipts import Check
from tests.auditlog.integrity.rulings import read_rulings
from tests.auditlog.sending import append, make_sender

pytestmark = pytest.mark.django_db

WIRE = "REQ/TSK|g=42,t=1,p=2,@=auth_refactor"
ITEM = Item(
    WIRE, event_id="a-1", sent_at="2026-11-20T10:00:01Z", content="rewrite the login", goal=7,
    attributes={"trace_id": "4b"},
)  # fmt: skip
FACTS = "metadata, content, or sender’s time"
RULINGS: dict[str, tuple[Any, str]] = {
    "log_id": ("other", "The packet is in another log."),
    "leaf": (3, "The packet has a different leaf index."),
    "uid": ("019a0000-0000-7000-8000-00000000dead", "Differences: packet ID."),
    "received": (datetime(2026, 1, 2, tzinfo=UTC), "Differences: receive time."),
    "sent_at": ("2026-11-20T10:00:02Z", f"Differences: {FACTS}."),
    "protocol": ("tline", "Differences: protocol."),
    "dialect": ("nslip/2", "Differences: protocol version."),
    "wire": (WIRE.replace("42", "43").encode(), "Differences: raw text."),
    "canonical": (WIRE.replace("42", "43").encode(), "Differences: canonical form."),
    "valid": (False, "Differences: validity."),
    "diagnostics": ('[{"code":"a"}]', "Differences: diagnostics."),
    "meaning": ('{"act":"REJECT"}', "Differences: meaning."),
    "supplied": ('{"attributes":{"trace_id":"4c"},"goal":"7"}', f"Differences: {FACTS}."),
    "content": (b"delete the login", f"Differences: {FACTS}."),
    "source_id": ("other", "Differences: source."),
    "key_id": ("other", "Differences: API key."),
    "user_id": ("ann", "Differences: person."),
    "event_id": ("a-2", "Differences: event ID."),
    "tokens": (18, "Differences: token count."),
    "tokens_json": (180, "Differences: token count of the JSON baseline."),
    "tokenizer": ("cl100k_base", "Differences: tokenizer."),
    "baseline_version": (2, "Differences: baseline version."),
    "codec_version": (7, "Differences: codec version."),
}
"""Another value for each column of a packet, and what the check says of it then."""


@pytest.fixture
def held() -> dict[str, Any]:
    """A receipt, in a log with other leaves, next to another log, source, key, and person."""
    logs.create(slug="other")
    make_sender("other")
    ann = User.objects.create(username="ann")
    outcomes = append(
        Item("ACC/PLN|g=1"), ITEM, Item("ACC/PLN|g=2"), Item(WIRE, log="other"),
        sender=make_sender("hr-bot"),
    )  # fmt: skip
    for outcome in (outcomes[0], outcomes[3]):
        packet = Packet.objects.select_related("log").get(uid=outcome.packet)
        review.mark(packet=packet, state="flagged", note="", who=ann)
    return as_receipt(outcomes[1])


def as_receipt(outcome: Outcome) -> dict[str, Any]:
    return {
        "packet": outcome.packet, "log": outcome.log, "leaf": outcome.leaf,
        "leaf_hash": outcome.leaf_hash, "event_id": "a-1",
    }  # fmt: skip


def check(held: dict[str, Any]) -> Check:
    (receipt,) = receipt_text.read(json.dumps(held))
    return receipts.check(receipt, reads=lambda _log: False)


def words(found: Check) -> str:
    return " ".join(step.words for step in found.steps if step.mark == "fails")


def resolve(column: str, value: Any) -> Any:
    """Return the ID of another row."""
    others: dict[str, Callable[[], Any]] = {
        "log_id": lambda: Log.objects.get(slug=value).pk,
        "source_id": lambda: Source.objects.get(name=value).pk,
        "key_id": lambda: ApiKey.objects.get(source__name=value).pk,
        "user_id": lambda: User.objects.get(username=value).pk,
    }
    return others[column]() if column in others else value


@contextmanager
def altered(rows: models.QuerySet[Any], column: str, value: Any) -> Iterator[None]:
    """Change one column of one row behind the log's back, and undo that."""
    field = next(field for field in rows.model._meta.concrete_fields if field.column == column)
    assert getattr(rows.get(), field.attname) != value
    with transaction.atomic():
        triggers.take(connection)
        rows.update(**{field.attname: value})
        yield
        transaction.set_rollback(True)


def test_every_column_that_a_leaf_commits_to_is_changed() -> None:
    free = {each.column for each in read_rulings() if each.table == "packet" and each.is_free}

    columns = {field.column for field in Packet._meta.concrete_fields}
    assert set(RULINGS) == columns - free


def test_an_unchanged_packet_is_verified(held: dict[str, Any]) -> None:
    assert check(held).verdict == "verified"


@pytest.mark.parametrize("column", RULINGS)
def test_a_changed_column_is_found_and_named(held: dict[str, Any], column: str) -> None:
    value, expected = RULINGS[column]

    with altered(Packet.objects.filter(uid=held["packet"]), column, resolve(column, value)):
        found = check(held)

    assert found.verdict == "altered"
    assert expected in words(found)
    assert check(held).verdict == "verified"


@pytest.mark.parametrize(
    ("model", "column", "value", "verdict", "expected"),
    [
        (Source, "name", "hr-b0t", "altered", "Differences: source name."),
        (Seed, "value", bytes(32), "altered", "Differences: seed or everything that it salts."),
        (Leaf, "kind", "gap", "altered", "The leaf records a gap, not a packet."),
        (Leaf, "bytes", b"{}", "altered", "The stored leaf does not match its hash."),
        (Leaf, "hash", bytes(32), "altered", "The stored leaf does not match its hash."),
    ],
)
def test_a_changed_row_next_to_it_is_found_and_named(
    held: dict[str, Any],
    model: type[models.Model],
    column: str,
    value: Any,
    verdict: str,
    expected: str,
) -> None:
    rows: dict[type[models.Model], models.QuerySet[Any]] = {
        Source: Source.objects.filter(name="hr-bot"),
        Seed: Seed.objects.filter(log__slug="default", leaf=held["leaf"]),
        Leaf: Leaf.objects.filter(log__slug="default", index=held["leaf"]),
    }

    with altered(rows[model], column, value):
        found = check(held)

    assert found.verdict == verdict
    assert expected in words(found)


def test_a_leaf_that_was_moved_is_missing(held: dict[str, Any]) -> None:
    rows = Leaf.objects.filter(log__slug="default", index=held["leaf"])

    with altered(rows, "index", 9):
        found = check(held)

    assert found.verdict == "altered"
    assert words(found) == "The packet is stored, but its leaf is missing from the log."
