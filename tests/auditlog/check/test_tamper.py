"""Whatever is changed straight in the database, the self-check finds it and names the place.

`make fuzz` tries 300 changes, and `make test` some.
"""

import pytest
from django.db import connection, transaction

from auditlog.check.fault import Fault
from auditlog.log import triggers
from auditlog.models import Log
from auditlog.rollup import counting
from auditlog.search import index
from tests import fuzz
from tests.auditlog.check.checking import check_all
from tests.auditlog.check.tampering import Tampered, Tamperer, list_columns, run

pytestmark = [pytest.mark.django_db, fuzz.mark]

FEW, MANY = 40, 300


@pytest.fixture
def open_database() -> None:
    """A database without triggers and foreign keys, as its owner can have it."""
    triggers.take(connection)
    if connection.vendor == "postgresql":
        run("SET session_replication_role = replica")
    else:
        run("PRAGMA defer_foreign_keys = ON")


def is_named(done: Tampered, found: list[Fault]) -> bool:
    """Return whether a fault names one of the rows that were changed, or what depends on it."""
    if done.table in ("source", "log", "logend"):  # their faults are those of whole logs
        return bool(found)
    keys = {str(key) for key in done.keys}
    return any(
        keys & {one.at, one.at.rpartition("/")[2].partition(".")[0].lstrip("0") or "0"}
        for one in found
    )


def test_every_change_is_found(world: Log, open_database: None) -> None:
    assert check_all() == []
    tamperer = Tamperer(fuzz.seed())
    missed = []
    for _ in range(min(MANY, fuzz.many(FEW))):
        point = transaction.savepoint()
        try:
            done = tamperer.tamper()
            found = check_all()
            if not is_named(done, found):
                missed.append((done, found))
        finally:
            transaction.savepoint_rollback(point)
            counting.forget()
            index.forget()
    assert not missed, "\n".join(f"{done}: {found[:3]}" for done, found in missed)


def test_every_column_is_tried() -> None:
    columns = list_columns()
    assert len(columns) > 40
    assert ("packet", "wire") in columns
    assert ("packet", "terms_version") not in columns
