"""Children that run the tests of one mutant: how they end, and what they name."""

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from tests.mutation.children import FAILED, LATE, PASSED, fork
from tests.mutation.fresh import Fresh

TWO = "def test_right():\n    pass\n\n\ndef test_wrong():\n    assert {}\n"


@pytest.fixture(scope="module")
def fresh() -> Iterator[Fresh]:
    with Fresh({**os.environ, "DJANGO_SETTINGS_MODULE": ""}) as process:
        yield process


def test_a_child_tells_what_it_wrote_and_how_it_ended() -> None:
    def run(into: int) -> NoReturn:
        os.write(into, b"tests/x.py::test_y")
        os._exit(FAILED)

    assert fork(run, 60) == (FAILED, "tests/x.py::test_y")
    assert fork(lambda _into: os._exit(PASSED), 60) == (PASSED, "")


def test_an_error_in_a_child_is_what_it_wrote() -> None:
    def run(_into: int) -> NoReturn:
        raise ValueError("away")

    assert fork(run, 60) == (FAILED, "ValueError: away")


def test_a_child_that_takes_too_long_is_killed() -> None:
    def run(_into: int) -> NoReturn:
        time.sleep(60)
        os._exit(PASSED)

    began = time.monotonic()
    assert fork(run, 0.1) == (LATE, "")
    assert time.monotonic() - began < 30


def test_each_run_imports_the_files_again(fresh: Fresh, tmp_path: Path) -> None:
    file = tmp_path / "test_x.py"
    words = ["-q", "-p", "no:cacheprovider", "-p", "no:django", str(file)]
    for wrong, ended in (("True", (PASSED, "")), ("False", (FAILED, "test_wrong"))):
        file.write_text(TWO.format(wrong))
        status, by = fresh.run(words, "", 60)
        assert (status, by.rpartition("::")[2]) == ended


def test_a_file_that_cannot_be_imported_is_noticed(fresh: Fresh, tmp_path: Path) -> None:
    file = tmp_path / "test_x.py"
    file.write_text("import nothing_of_that_name\n")

    status, by = fresh.run(["-p", "no:django", str(file)], "", 60)

    assert (status, by) == (FAILED, "start of pytest")
