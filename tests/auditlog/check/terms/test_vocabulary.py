"""The file with the sums of what FTS5 has: for its owner alone, and read in slices."""

import os
from pathlib import Path

import pytest
from django.db import connection

from auditlog.check.terms import vocabulary
from auditlog.check.terms.vocabulary import Stored
from auditlog.ingest.item import Item
from auditlog.models import Log
from tests.auditlog.sending import append, make_sender


def test_the_sums_are_for_their_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "check" / "default"
    before = os.umask(0)
    try:
        stored = Stored(path, 3)
    finally:
        os.umask(before)

    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    stored.close()
    assert not path.exists()


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="FTS5 is a part of SQLite")
def test_the_vocabulary_is_read_in_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    append(*(Item(f"REQ/TSK|g={number}") for number in range(5)), sender=make_sender())
    log = Log.objects.get(slug="default")
    sums = vocabulary.Sums(bytes(32))
    at_once, sliced = memoryview(bytearray(40)).cast("Q"), memoryview(bytearray(40)).cast("Q")
    assert len(list(vocabulary._read(sums, at_once, log.pk, 5))) == 1

    monkeypatch.setattr(vocabulary, "_SLICE", -1.0)
    queries = len(list(vocabulary._read(sums, sliced, log.pk, 5)))

    assert queries > 5
    assert sliced == at_once
    assert all(at_once)
