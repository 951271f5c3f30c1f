"""The sizes of checkpoints that were published are noted beside the database."""

import stat
from pathlib import Path

import pytest
from django.db import connection

from auditlog.check.fault import Fault
from auditlog.log import triggers
from auditlog.models import Checkpoint, Log
from auditlog.tree import checkpoints, incidents, published
from tests.auditlog.check.checking import check
from tests.auditlog.tree.leaves import add

pytestmark = pytest.mark.django_db


def sign(log: Log, *numbers: int) -> list[int]:
    sizes = []
    for number in numbers:
        add(number)
        sizes.append(checkpoints.sign_now(log).size)
    return sizes


def noted(log: Log) -> list[int]:
    return [size for sizes in published.read(log.slug) for size in sizes]


def delete(log: Log, size: int) -> None:
    triggers.take(connection)
    Checkpoint.objects.filter(log=log, size=size).delete()
    triggers.put(connection)


def missing(found: list[Fault]) -> list[str]:
    return [one.at for one in found if (one.row, one.part) == ("checkpoint", "row")]


def test_each_size_is_noted(log: Log) -> None:
    assert (noted(log), published.last(log.slug)) == ([], 0)
    sizes = sign(log, 3, 4, 5)
    assert (noted(log), published.last(log.slug)) == (sizes, sizes[-1])


def test_many_sizes_are_read_in_parts(log: Log) -> None:
    published.add(log.slug, range(1, 2_501))
    assert [len(sizes) for sizes in published.read(log.slug)] == [1_000, 1_000, 500]


def test_the_sizes_are_for_their_owner_alone(data: Path) -> None:
    published.add("default", [1])

    assert stat.S_IMODE((data / "signed").stat().st_mode) == 0o700
    assert stat.S_IMODE((data / "signed" / "default.sizes").stat().st_mode) == 0o600


@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_checkpoint_that_was_deleted_is_named(log: Log, at: int) -> None:
    sizes = sign(log, 3, 4, 5)
    assert missing(check(log)) == []

    delete(log, sizes[at])

    assert missing(check(log)) == [str(sizes[at])]


def test_what_a_killed_server_did_not_note_is_noted_before_the_next(log: Log, data: Path) -> None:
    sizes = sign(log, 3, 4)
    place = data / "signed" / "default.sizes"
    place.write_bytes(place.read_bytes()[:-3])

    sizes += sign(log, 5)

    assert noted(log) == sizes


def test_an_accepted_incident_begins_with_what_is_left(log: Log) -> None:
    first, second = sign(log, 3, 4)
    delete(log, first)
    incidents.record(log, "faults", size=second, found=second)

    incidents.accept(log)
    sizes = sign(log, 5)

    assert noted(log) == [second, *sizes]
    assert missing(check(log)) == []
