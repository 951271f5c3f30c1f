"""Files that were imported are found again by their beginnings."""

from collections.abc import Mapping
from hashlib import sha256

import pytest
from django.test.utils import override_settings

from auditlog.ingest.repeats import imported_files
from auditlog.ingest.repeats.imported_files import Earlier, Part, WholeFile, hide
from auditlog.log import logs
from auditlog.models import ImportedFile, Log
from tests.auditlog.sending import make_sender

pytestmark = pytest.mark.django_db


@pytest.fixture
def log() -> Log:
    return Log.objects.get(slug="default")


@pytest.fixture
def source() -> int:
    return make_sender().source_id


def digest(name: str) -> bytes:
    return sha256(name.encode()).digest()


def record(source: int, name: str, size: int, earlier: Earlier | None = None) -> None:
    imported_files.record(
        WholeFile(
            log="default",
            source_id=source,
            size=size,
            settled=size - 1,
            digest=digest(name),
            file=hide(name),
            earlier=earlier,
        )
    )


def beginnings(**names: int) -> Mapping[int, bytes]:
    return {size: digest(name) for name, size in names.items()}


def test_the_longest_earlier_file_is_found_with_its_time(log: Log, source: int) -> None:
    for name, size in (("a", 10), ("b", 30), ("c", 20)):
        record(source, name, size)
    found = imported_files.find(log, source, beginnings(a=10, b=30, c=20))
    row = ImportedFile.objects.get(size=30)

    assert found == Earlier(row.pk, 30, row.created, [Part(30, 29, hide("b"))])
    assert imported_files.get(log, source, row.pk) == found


def test_a_digest_belongs_to_its_size_its_log_and_its_source(log: Log, source: int) -> None:
    record(source, "a", 10)
    row = ImportedFile.objects.get()
    other_log, other = logs.create(slug="other"), make_sender("other").source_id

    assert imported_files.find(log, source, beginnings(a=11)) is None
    assert imported_files.find(log, source, beginnings(b=10)) is None
    assert imported_files.find(log, source, {}) is None
    for where, who in ((other_log, source), (log, other)):
        assert imported_files.find(where, who, beginnings(a=10)) is None
        assert imported_files.get(where, who, row.pk) is None
        assert imported_files.list_sizes(where, who, most=100) == []
    assert imported_files.get(log, source, row.pk + 1) is None


def test_a_file_that_grew_twice_has_three_parts(log: Log, source: int) -> None:
    earlier = None
    for name, size in (("a", 10), ("b", 30), ("c", 31)):
        record(source, name, size, earlier)
        earlier = imported_files.find(log, source, beginnings(**{name: size}))
    record(source, "fork", 40, imported_files.find(log, source, beginnings(a=10)))

    assert earlier is not None
    assert [(part.end, part.file) for part in earlier.parts] == [
        (10, hide("a")), (30, hide("b")), (31, hide("c")),
    ]  # fmt: skip
    fork = imported_files.find(log, source, beginnings(fork=40))
    assert fork is not None
    assert [part.end for part in fork.parts] == [10, 40]


def test_the_same_file_is_recorded_once(log: Log, source: int) -> None:
    record(source, "a", 10)
    first = ImportedFile.objects.get()
    record(source, "a", 10, imported_files.find(log, source, beginnings(a=10)))

    assert ImportedFile.objects.get().earlier_id is None
    assert ImportedFile.objects.get().pk == first.pk


def test_the_sizes_of_the_newest_files_are_listed_each_once(
    log: Log, source: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, size in (("a", 10), ("b", 30), ("c", 20), ("d", 10), ("e", 40)):
        record(source, name, size)

    assert imported_files.list_sizes(log, source, most=30) == [10, 20, 30]
    monkeypatch.setattr(imported_files, "LIMIT", 2)
    assert imported_files.list_sizes(log, source, most=100) == [40, 10]


def test_nothing_in_a_row_can_be_made_without_the_secret(log: Log, source: int) -> None:
    record(source, "a", 10)
    row = ImportedFile.objects.get()
    with override_settings(SECRET_KEY="another secret of this installation"):
        assert hide("a") != bytes(row.file)
        assert imported_files.find(log, source, beginnings(a=10)) is None
    assert len(bytes(row.seal)) == len(bytes(row.file)) == 32
    assert digest("a") not in (bytes(row.seal), bytes(row.file))
