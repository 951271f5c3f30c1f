"""What was erased is in no file of the database."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection

from auditlog.erasure import purging, subject, write_ahead
from auditlog.erasure.tables import Erasure
from auditlog.ingest.item import Item
from auditlog.log import group_commit
from auditlog.models import Log, Packet
from auditlog.rollup import counting
from auditlog.search import index, merging
from tests.auditlog.erasure.orders import ORDER, erase_leaves
from tests.auditlog.findings.following.steps import follow
from tests.auditlog.sending import append, make_sender

pytestmark = pytest.mark.django_db(transaction=True)

WORDS = ("xyzzyplugh", "quuxfrobozz")
"""In packets of their own, and next to others."""


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    index.forget()
    counting.forget()
    yield
    group_commit.stop()


def find_files() -> list[Path]:
    """Return the files of the database; of PostgreSQL, without its write-ahead log."""
    if connection.vendor == "sqlite":
        database = Path(connection.settings_dict["NAME"])
        return [*database.parent.glob(f"{database.name}*")]
    with connection.cursor() as cursor:
        cursor.execute("SHOW data_directory")
        folder = Path(cursor.fetchone()[0])
    return [one for one in (folder / "base").rglob("*") if one.is_file()]


def find_in_files(word: str) -> list[str]:
    """Return the files that have a word, or an end of it: an index may store only an end."""
    ends = [word[at:].encode() for at in range(len(word) - 5)]
    files = {path: path.read_bytes().lower() for path in find_files()}
    return [str(path) for path, data in files.items() if any(end in data for end in ends)]


def fill(number: int) -> list[int]:
    """Store packets, of which every ninth is about one person. Returns the leaves of these."""
    sender = make_sender()
    for at in range(0, number, 100):
        items = [
            Item(f"INF/OBS|g={leaf},@={WORDS[0]}", event_id=f"{WORDS[1]}-{leaf}", from_=WORDS[0])
            if leaf % 9 == 0
            else Item(f"REQ/TSK|g={leaf},@=auth_{leaf % 7}")
            for leaf in range(at, at + 100)
        ]
        append(*items, sender=sender)
    follow()
    return [leaf for leaf in range(number) if leaf % 9 == 0]


def fill_others(number: int) -> None:
    """Store other packets, in commits of fifty."""
    sender = make_sender()
    for at in range(0, number, 50):
        items = [Item(f"REQ/TSK|g={leaf},@=auth_{leaf}") for leaf in range(at, at + 50)]
        append(*items, sender=sender)


def test_no_file_has_what_was_erased() -> None:
    leaves = fill(1_000)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
            cursor.execute("CHECKPOINT")
    assert all(map(find_in_files, WORDS))

    log = Log.objects.get(slug="default")
    size = 1_000
    steps = list(subject.run(log=log, query=f"@{WORDS[0]}", size=size, order=ORDER))
    assert steps[-1] == (len(leaves), len(leaves))
    clean = purging.purge(rewrite=True)

    assert clean
    assert [find_in_files(word) for word in WORDS] == [[], []]
    assert Packet.objects.count() == 1_000 - len(leaves)
    assert not purging.is_pending()
    assert Erasure.objects.filter(purged=None).count() == 0


@pytest.mark.parametrize("pages", [4, 12, 20])
def test_a_merge_that_was_on_its_way_keeps_nothing(
    pages: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if connection.vendor == "postgresql":
        return  # It has no parts to merge.
    monkeypatch.setattr(merging, "keep_up", lambda _cursor, _packets: None)
    append(Item("INF/OBS|g=1", attributes={"a": WORDS[0]}), sender=make_sender())
    fill_others(600)
    with connection.cursor() as cursor:
        cursor.execute(merging._MERGE, (-pages,))
    erase_leaves(0)

    assert purging.purge()

    assert find_in_files(WORDS[0]) == []


def test_a_reader_keeps_it_pending(monkeypatch: pytest.MonkeyPatch) -> None:
    if connection.vendor == "postgresql":
        return  # Nothing of it waits for readers.
    monkeypatch.setattr(write_ahead, "PATIENCE", 0.2)
    append(Item(f"INF/OBS|g=1,@={WORDS[0]}"), sender=make_sender())
    reader = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT COUNT(*) FROM auditlog_packet").fetchall()

    erase_leaves(0)

    assert not purging.purge()
    assert purging.is_pending()
    reader.close()
    assert purging.purge()
    assert not purging.is_pending()


def test_the_thread_purges_and_ends() -> None:
    append(Item(f"INF/OBS|g=1,@={WORDS[0]}"), sender=make_sender())
    erase_leaves(0)
    purger = purging.Purger()

    purger.start()
    purger.join(20)

    # Plain VACUUM does not remove all bytes from PostgreSQL's files.
    assert purging.is_pending() == (connection.vendor == "postgresql")
    assert connection.vendor == "postgresql" or find_in_files(WORDS[0]) == []
