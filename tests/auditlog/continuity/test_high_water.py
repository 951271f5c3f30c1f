import errno
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.db import OperationalError

from auditlog.continuity import high_water
from auditlog.continuity.high_water import BLOCK, Mark, Marks, Unreadable
from auditlog.database import faults


def test_a_bound_is_on_disk_before_it_is_needed_and_few_commits_wait_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[int] = []
    monkeypatch.setattr("os.fsync", lambda file: waits.append(file))
    marks = Marks(tmp_path / "leaves")

    for size in range(1, BLOCK + 1):
        marks.reserve("default", size)
        marks.note("default", size)

    assert marks.read() == {"default": Mark(BLOCK + 1, BLOCK, exact=True)}
    assert len(waits) == 2  # the file and its directory
    marks.reserve("default", BLOCK + 2)
    assert marks.read()["default"].bound == 2 * BLOCK + 2
    assert len(waits) == 3


def test_only_the_bound_is_certain_once_the_machine_was_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Marks(tmp_path).settle("default", 36)
    assert Marks(tmp_path).read()["default"].end == 36

    monkeypatch.setattr(high_water, "_boot", lambda: "another-boot")
    later = Marks(tmp_path)

    assert later.read()["default"].end == 36 + BLOCK
    later.reserve("default", 40)
    assert later.read()["default"].end == 36 + BLOCK
    later.settle("default", 40)
    assert later.read()["default"].end == 40


def test_a_size_never_goes_back(tmp_path: Path) -> None:
    marks, others = Marks(tmp_path), Marks(tmp_path)

    with ThreadPoolExecutor(8) as threads:
        for size in range(1, 200):
            threads.submit((marks, others)[size % 2].settle, "default", size)
    marks.note("default", 3)

    assert marks.read()["default"].size == 199


@pytest.mark.parametrize(
    ("number", "kind"), [(errno.ENOSPC, "full"), (errno.EROFS, "read-only"), (errno.EIO, "failing")]
)
def test_a_bound_that_cannot_be_written_fails_the_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, kind: str
) -> None:
    def fail(*_: object) -> int:
        raise OSError(number, "no")

    monkeypatch.setattr("os.pwrite", fail)

    with pytest.raises(
        OperationalError, match=r"^the mark of the log default cannot be written: "
    ) as failed:
        Marks(tmp_path).reserve("default", 1)

    fault = faults.find(failed.value)
    assert fault is not None
    assert fault.kind == kind


def test_a_file_that_holds_no_mark_is_named(tmp_path: Path) -> None:
    (tmp_path / "default").write_text("nothing of ours")

    with pytest.raises(Unreadable, match=rf"^{tmp_path / 'default'} "):
        Marks(tmp_path).read()


@pytest.mark.parametrize(
    "line",
    [
        f"{36:020} {3:020}",
        f"{36:020} {3:020}\n",
        f"{36:020} {36:020} {'':36}",
        f"{36:020} {36:020} {'':36}\n\n",
        f"{36:020} {36:020} {'a b':36}\n",
        f"{36:078}\n",
    ],
)
def test_a_line_that_is_cut_off_or_has_more_is_no_mark(tmp_path: Path, line: str) -> None:
    (tmp_path / "default").write_text(line)

    with pytest.raises(Unreadable, match="does not hold the size of a log"):
        Marks(tmp_path).read()


def test_a_file_whose_first_line_was_never_written_reserves_nothing(tmp_path: Path) -> None:
    (tmp_path / "default").touch()

    assert Marks(tmp_path).read() == {"default": Mark(0, 0, exact=True)}


def test_marks_are_for_their_owner_alone_and_closed_when_forgotten(tmp_path: Path) -> None:
    marks = Marks(tmp_path / "leaves")
    marks.settle("default", 1)

    assert (tmp_path / "leaves").stat().st_mode & 0o077 == 0
    assert (tmp_path / "leaves" / "default").stat().st_mode & 0o077 == 0
    [(file, _)] = marks._open.values()
    marks.forget()
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(file)


def test_without_a_directory_nothing_is_written() -> None:
    marks = Marks(None)

    marks.reserve("default", 1)
    marks.note("default", 1)
    marks.settle("default", 1)

    assert marks.read() == {}
