"""The changes that docs/design/audit.md names are found, each with its place and its part.

Somebody who only had receipts found some of them, and not the others, before there was a tree.
"""

# ruff: noqa: S608 - names of tables and columns are written here

from pathlib import Path
from typing import NamedTuple

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction

from auditlog import access, review
from auditlog.continuity import high_water
from auditlog.erasure import erase
from auditlog.ingest.item import Item
from auditlog.log import logs, triggers
from auditlog.models import Log, LogEnd, Packet
from auditlog.tree import checkpoints, keys
from tests.auditlog.check.checking import check
from tests.auditlog.check.tables import run
from tests.auditlog.check.tail import cut
from tests.auditlog.check.tampering import forge_terms
from tests.auditlog.findings.following.steps import CARD, follow
from tests.auditlog.sending import append, make_sender

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("beside")]

WIRE = "REQ/TSK|g=42,t=1,p=2,@=auth_refactor"
PACKET = 3
"""The leaf of the packet that is changed."""


@pytest.fixture
def log(beside: Path) -> Log:
    """A log of packets by keys and by people, with a review and two checkpoints. Its guards are
    gone.
    """
    logs.fix_origins("test.example")
    log = Log.objects.get(slug="default")
    keys.ensure(log)
    ann = User.objects.create(username="ann")
    User.objects.create(username="bob")
    bot, other = make_sender("bot"), make_sender("other")
    append(Item("ACC/PLN|g=1"), Item(CARD), sender=other)
    item = Item(WIRE, event_id="a-1", sent_at="2026-11-20T10:00:01Z", content="x", goal=7)
    append(item, sender=bot)
    append(Item("REQ/TSK|g=4"), Item("REQ/TSK|g=1"), sender=access.person(ann))
    checkpoints.sign_now(log)
    packet = Packet.objects.select_related("log").get(log=log, leaf=PACKET)
    review.mark(packet=packet, state="flagged", note="odd", who=ann)
    append(Item("REQ/TSK|g=2"), Item("REQ/TSK|g=3"), sender=bot)
    checkpoints.sign_now(log)
    follow()
    high_water.marks().note("default", LogEnd.objects.get(log=log).size)  # as each commit does
    triggers.take(connection)
    if connection.vendor == "postgresql":
        run("SET session_replication_role = replica")
    else:
        run("PRAGMA defer_foreign_keys = ON")
    return log


class Change(NamedTuple):
    """A statement, and the fault that must be found: kind of row, place, and a part of it."""

    name: str
    statement: str
    row: str
    at: str
    part: str


def packet(column: str, value: str, part: str, leaf: int = PACKET) -> Change:
    """Return a change of a column of one packet."""
    statement = f"UPDATE auditlog_packet SET {column} = {value} WHERE leaf = {leaf}"
    return Change(part, statement, "packet", str(leaf), part)


def text(value: str) -> str:
    """Return bytes in SQL."""
    data = value.encode().hex()
    return f"X'{data}'" if connection.vendor == "sqlite" else f"'\\x{data}'::bytea"


CHANGES = [
    packet("valid", "NOT valid", "validity"),
    packet("diagnostics", """'[{{"code":"a"}}]'""", "diagnostics"),
    packet("canonical", "{bytes}", "canonical form"),
    packet("tokens", "tokens + 1", "token count"),
    packet("tokens_json", "tokens_json + 1", "token count of the JSON baseline"),
    packet("protocol", "'tline'", "protocol"),
    packet("dialect", "'nslip/2'", "protocol version"),
    packet("wire", "{bytes}", "raw text"),
    packet("meaning", """'{{"act":"REJECT"}}'""", "meaning"),
    packet("supplied", """'{{"goal":"8"}}'""", "metadata"),
    packet("content", "{bytes}", "content"),
    packet("sent_at", "'2026-11-20T10:00:02Z'", "sender’s time"),
    packet("event_id", "'a-2'", "event ID"),
    packet("received", "'2026-01-02 03:04:05'", "receive time"),
    packet("key_id", "(SELECT id FROM auditlog_apikey WHERE id <> key_id)", "API key"),
    packet("user_id", "(SELECT id FROM auth_user WHERE username = 'bob')", "person", leaf=4),
    Change(
        "source name", "UPDATE auditlog_source SET name = 'robot' WHERE name = 'bot'",
        "packet", "3", "source name",
    ),
    Change("packet", "DELETE FROM auditlog_packet WHERE leaf = 3", "packet", "3", "row"),
    Change("seed", "DELETE FROM auditlog_seed WHERE leaf = 3", "seed", "3", "row"),
    Change("leaf", 'DELETE FROM auditlog_leaf WHERE "index" = 3', "leaf", "3", "row"),
    Change(
        "leaf bytes", 'UPDATE auditlog_leaf SET bytes = {bytes} WHERE "index" = 3',
        "leaf", "3", "bytes or hash",
    ),
    Change(
        "checkpoint", "DELETE FROM auditlog_checkpoint WHERE size = 6", "checkpoint", "6", "row",
    ),
    Change(
        "review", "UPDATE auditlog_review SET state = 'reviewed' WHERE leaf = 6",
        "review", "6", "state, note, or undoes",
    ),
    Change(
        "key history", "DELETE FROM auditlog_treeleaf WHERE leaf = 0", "treeleaf", "0", "row",
    ),
    Change(
        "origin", "UPDATE auditlog_log SET origin = 'other.example/log/default' WHERE id = 1",
        "log", "default", "origin",
    ),
    Change("finding", "DELETE FROM auditlog_finding WHERE leaf = 2", "finding", "2", "sensitive"),
    Change(
        "statistics", "UPDATE auditlog_rollup SET packets = packets + 1 WHERE dimension = 'act'"
        " AND period = 'm'", "rollup", "act/m/{month}", "counts",
    ),
    Change(
        "completion", "UPDATE auditlog_searchvalue SET packets = 9 WHERE key = 'goal'",
        "searchvalue", "goal", "values",
    ),
    Change(
        "fields", "DELETE FROM auditlog_searchkey WHERE protocol = 'nslip' AND key = 'g'",
        "searchkey", "nslip/g", "row",
    ),
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES, ids=[change.name for change in CHANGES])
def test_it_is_found_and_named(log: Log, change: Change) -> None:
    assert check(log) == []
    month = Packet.objects.filter(log=log).latest("leaf").received.strftime("%Y-%m-01")

    point = transaction.savepoint()
    run(change.statement.format(bytes=text("ACC/PLN|g=9")))
    found = check(log)
    transaction.savepoint_rollback(point)  # SQLite would refuse rows without their leaf.

    at = change.at.format(month=month)
    parts = [one.part for one in found if (one.row, one.at) == (change.row, at)]
    assert any(change.part in part.split(" or ") or change.part == part for part in parts), parts


@pytest.mark.parametrize("terms", ["", "!log=default forged"], ids=["removed", "forged"])
def test_terms_that_were_changed_are_found(log: Log, terms: str) -> None:
    assert check(log) == []

    forge_terms(log.pk, PACKET, terms)

    assert [(one.row, one.at) for one in check(log)] == [("search", str(PACKET))]


def test_a_tail_that_was_cut_off_consistently_is_found(log: Log) -> None:
    size = LogEnd.objects.get(log=log).size

    cut(log, size - 1)

    found = [(one.row, one.at) for one in check(log)]
    assert found == [("leaf", str(size - 1)), ("checkpoint", str(size))]


def test_a_step_whose_note_was_erased_is_still_committed_to(log: Log) -> None:
    erase.erase(log=log, leaves=[PACKET], order=erase.Order(erase.By(), "asked for"))
    assert check(log) == []

    run("UPDATE auditlog_review SET state = 'reviewed' WHERE leaf = 6")

    assert [(one.row, one.at) for one in check(log)] == [("review", "6")]
