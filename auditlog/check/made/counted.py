"""The statistics against the packets, as sums.

Each row of the statistics is the sum of what its packets add. So the rows of a day, a month, and a
dimension are compared in one number: every counter, times secret numbers of its name, of the value,
and of the source, modulo a prime. For each packet, the same is added; the numbers agree if the rows
do. Memory grows with the days of a log, not with its packets, senders, or sources.

Names of senders and recipients beyond a limit are counted under one value, and which ones these are
depends on the order in which they came. Where the limit was reached, only the sums of a source are
compared.
"""

from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

from django.db import connection

from auditlog.check.fault import Faults
from auditlog.rollup.counting import ALL_SOURCES, DAY, MONTH, MOST, OPEN
from auditlog.rollup.tally import COUNTERS, Tally, unpack
from auditlog.rollup.values import NONE, OTHER

_PRIME = (1 << 61) - 1
_ROOM = 50_000
_PAGE = 5_000
_KEY = "dimension, source, period, start, value"
_FIRST = ("", -(1 << 62), "", "0001-01-01", "")
_READ = f"""\
SELECT {_KEY}, {", ".join(COUNTERS)} FROM auditlog_rollup
WHERE log_id = %s AND ({_KEY}) > (%s, %s, %s, %s, %s) ORDER BY {_KEY} LIMIT {_PAGE}"""  # noqa: S608
Bucket = tuple[str, str, str]
"""A dimension, a period, and its first day."""


class Counted:
    """The sums of the packets of one log, and their comparison with the rows."""

    def __init__(self, log_id: int, secret: bytes) -> None:
        self._log_id = log_id
        self._secret = secret
        self._numbers: dict[str, int] = {}
        self._counters = {name: self._number(f"counter {name}") for name in COUNTERS}
        self._sums: dict[Bucket, list[int]] = {}
        """Of each bucket, the sum with values, and without."""

    def add(self, tally: Tally) -> None:
        """Add packets, as `rollup.counting.add` does."""
        factors = [self._counters[name] for name in tally.counters]
        for (_, day, source), dimension, values in tally.items():
            every = self._number(f"source {ALL_SOURCES}")
            of = every if dimension == "source" else every + self._number(f"source {source}")
            exact = total = 0
            for value, packed in values.items():
                weight = of * _multiply(factors, unpack(packed, tally.counters))
                exact += weight * self._number(f"value {value}")
                total += weight
            for bucket in (dimension, DAY, day), (dimension, MONTH, f"{day[:7]}-01"):
                sums = self._sums.setdefault(bucket, [0, 0])
                sums[0] = (sums[0] + exact) % _PRIME
                sums[1] = (sums[1] + total) % _PRIME

    def compare(self, faults: Faults, *, is_erased: bool) -> None:
        """Subtract the rows, and name where something is left. `is_erased` says whether packets of
        the log were erased.
        """
        limited: set[Bucket] = set()
        names, others, owner = 0, False, None
        for dimension, source, period, start, value, *counts in _read(self._log_id):
            bucket = (dimension, period, start)
            if owner != (bucket, source):
                names, others, owner = 0, False, (bucket, source)
            names += value not in (OTHER, NONE)
            others |= value == OTHER and any(counts)
            # A name that was erased had a place.
            if dimension in OPEN and (names >= MOST.get(period, 0) or (others and is_erased)):
                limited.add(bucket)
            self._subtract(bucket, source, value, counts)
        for bucket, (exact, total) in sorted(self._sums.items()):
            if total or (exact and bucket not in limited):
                faults.add("rollup", "/".join(bucket), "counts", "It differs from the packets.")

    def _subtract(self, bucket: Bucket, source: Any, value: Any, counts: list[Any]) -> None:
        sums = self._sums.setdefault(bucket, [0, 0])
        try:
            weight = self._number(f"source {source}") * _multiply(
                [*self._counters.values()], counts
            )
        except TypeError:  # SQLite stores a value of any kind.
            weight = self._number("a value of another kind")
        sums[0] = (sums[0] - weight * self._number(f"value {value}")) % _PRIME
        sums[1] = (sums[1] - weight) % _PRIME

    def _number(self, text: str) -> int:
        """Return the secret number of a text."""
        found = self._numbers.get(text)
        if found is None:
            if len(self._numbers) > _ROOM:
                self._numbers.clear()
            digest = blake2b(text.encode(errors="replace"), digest_size=16, key=self._secret)
            found = self._numbers[text] = int.from_bytes(digest.digest()) % _PRIME
        return found


def _multiply(factors: list[int], counts: list[Any]) -> int:
    total = 0
    for factor, count in zip(factors, counts, strict=True):
        total += factor * count
    return total


def _read(log_id: int) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a log in the order of their keys, with the day as text."""
    last: tuple[Any, ...] = _FIRST
    while True:
        with connection.cursor() as cursor:
            cursor.execute(_READ, (log_id, *last))
            rows = cursor.fetchall()
        for dimension, source, period, start, *rest in rows:
            yield dimension, source, period, str(start), *rest
        if len(rows) < _PAGE:
            return
        last = rows[-1][:5]
