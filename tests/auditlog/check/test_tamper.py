"""Whatever is changed straight in the database, the self-check finds it and names the place.

`make fuzz` tries 300 changes, and `make test` some. What is found of each table must be named by
its own place, but for what `tables.find_dependent` says. `exceptions` has what cannot be found.
"""

import re

import pytest
from django.db import connection, transaction

from auditlog.log import triggers
from auditlog.models import Log
from auditlog.rollup import counting
from auditlog.search import index
from tests import fuzz
from tests.auditlog.check.checking import check_all
from tests.auditlog.check.tables import list_columns, run
from tests.auditlog.check.tampering import Tamperer
from tests.rooms import ROOT

pytestmark = [pytest.mark.django_db, fuzz.mark]

FEW, MANY = 30, 300


@pytest.fixture
def open_database() -> None:
    """A database without triggers and foreign keys, as its owner can have it."""
    triggers.take(connection)
    if connection.vendor == "postgresql":
        run("SET session_replication_role = replica")
    else:
        run("PRAGMA defer_foreign_keys = ON")


def test_every_change_is_found(world: Log, open_database: None) -> None:
    assert check_all() == []
    tamperer = Tamperer(fuzz.seed())
    missed, tables = [], set()
    for _ in range(min(MANY, fuzz.many(FEW))):
        point = transaction.savepoint()
        try:
            done = tamperer.tamper()
            tables.add(done.table)
            found = check_all()
            if not any(place.is_named(*one) for place in done.places for one in found):
                missed.append((done, found))
        finally:
            transaction.savepoint_rollback(point)
            counting.forget()
            index.forget()
    assert not missed, "\n".join(f"{done}: {found[:3]}" for done, found in missed)
    assert len(tables) > 5


def test_every_column_is_tried() -> None:
    columns = list_columns()
    assert len(columns) > 70
    assert ("packet", "wire") in columns
    assert ("rollup", "english_tokens") in columns
    assert ("searchvalue", "packets") in columns
    assert ("packet", "terms_version") not in columns


def test_the_design_lists_what_cannot_be_found() -> None:
    text = (ROOT / "docs/design/evidence.md").read_text()
    part = text.partition("## What a self-check cannot find")[2].partition("\n## ")[0]
    assert re.findall(r"^- \*\*(.+?)\*\*", part, re.MULTILINE) == [
        "The newest leaves, with the files beside the database.",
        "A source that was inserted.",
        "A log that was inserted with its end.",
        "The name of a field that was inserted, after an erasure.",
        "A flow finding after an erased packet.",
        "A finding that a packet repeats an erased one.",
        "Statistics and completion beyond their limits.",
        "Statistics, completion, and most findings of a log with more than 250,000 leaves.",
    ]
