"""The first faults are named, and all are counted."""

from auditlog.check import fault
from auditlog.check.fault import MOST, Faults


def test_faults_beyond_the_limit_are_only_counted() -> None:
    faults = Faults()
    for at in range(MOST + 1):
        assert faults.is_full == (at >= MOST)
        faults.add("packet", at, "row", "The packet has no leaf.")

    assert (faults.number, len(faults.named)) == (MOST + 1, MOST)
    read = fault.read(faults.number, faults.write())
    assert (read.number, read.named) == (faults.number, faults.named)
