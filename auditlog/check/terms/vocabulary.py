"""What FTS5 has of each packet, as one number: its index keeps no text of a packet to compare.

FTS5 can list its vocabulary: every token with every packet and place that has it. For each packet,
the products of a secret number of the token and one of the place are summed, modulo 2 ** 64. So the
order of the list does not matter, and eight bytes a packet suffice. They are in a file of their
own, so that memory stays the same for any log, and so that a check continues after a kill. Whoever
does not know the file cannot find other tokens with the same sum.
"""

import mmap
import os
import time
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from random import Random

from django.db import connection

from auditlog.search.table import LEAF_BITS
from auditlog.search.terms import MAX_TOKENS

_HEAD = 48
"""Bytes before the numbers: the secret, whether the file is complete, and the largest leaf."""
_MASK = (1 << 64) - 1
_SLICE = 1.0
"""Seconds that one query of the vocabulary may take, because it keeps the write-ahead log long."""
_ROWS = 2_000
_NAME = "selfcheck_terms"


class Sums:
    """How the tokens of a packet are summed, with one secret."""

    def __init__(self, secret: bytes) -> None:
        self.secret = secret
        chosen = Random(secret)  # noqa: S311 - it only spreads what a hash gives
        self.places = [chosen.getrandbits(64) | 1 for _ in range(MAX_TOKENS + 2)]
        self._known: dict[str, int] = {}

    def of_token(self, token: str) -> int:
        """Return the number of a token."""
        digest = blake2b(token.encode(), digest_size=8, key=self.secret).digest()
        return int.from_bytes(digest) | 1

    def of_packet(self, tokens: Iterable[str]) -> int:
        """Return the sum of the tokens of a packet, in their order."""
        known, places, total = self._known, self.places, 0
        if len(known) > _ROOM:
            known.clear()
        for at, token in enumerate(tokens):
            number = known.get(token)
            if number is None:
                number = known[token] = self.of_token(token)
            total += number * places[at]
        return total & _MASK


_ROOM = 50_000


class Stored:
    """The sums of what FTS5 has, by leaf, in a file."""

    def __init__(self, path: Path, size: int) -> None:
        self.path = path
        length = _HEAD + 8 * max(1, size)
        if not _is_complete(path, length):
            _make(path, length)
        handle = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        try:
            self._map = mmap.mmap(handle, length)
        finally:
            os.close(handle)
        self.sums = Sums(self._map[:32])
        self.numbers = memoryview(self._map)[_HEAD:].cast("Q")

    @property
    def is_complete(self) -> bool:
        return self._map[32] == 1

    @property
    def last(self) -> int:
        """The largest leaf that has tokens."""
        return int.from_bytes(self._map[40:48])

    def read(self, log_id: int, size: int) -> Iterator[None]:
        """Read the vocabulary, with a stop after each query. Does nothing if it was read."""
        if self.is_complete:
            return
        last = 0
        for one in _read(self.sums, self.numbers, log_id, size):
            last = max(last, one)
            yield
        self._map[40:48] = last.to_bytes(8)
        self._map[32] = 1

    def close(self) -> None:
        """Delete the file."""
        self.numbers.release()
        self._map.close()
        self.path.unlink(missing_ok=True)


def _is_complete(path: Path, length: int) -> bool:
    """Return whether a file is one of this length that was written to its end."""
    if not path.exists() or path.stat().st_size != length:
        return False
    with path.open("rb") as file:
        return file.read(_HEAD)[32] == 1


def _make(path: Path, length: int) -> None:
    """Make an empty file with a new secret."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        os.write(handle, os.urandom(32))
        os.ftruncate(handle, length)
    finally:
        os.close(handle)


def _read(sums: Sums, numbers: memoryview, log_id: int, size: int) -> Iterator[int]:
    """Add up the vocabulary of a log, query by query. Yields the largest leaf of each.

    A query begins with the token at which the one before stopped, so that no token is read twice.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.{_NAME}"
            " USING fts5vocab('main', 'auditlog_search', 'instance')"
        )
    base, after = log_id << LEAF_BITS, ""
    end = base | ((1 << LEAF_BITS) - 1)
    while True:
        began, token, term_number, last, done = time.monotonic(), None, 0, 0, True
        statement = f"SELECT term, doc, offset FROM temp.{_NAME} WHERE term >= ?"  # noqa: S608
        with connection.cursor() as wrapper:
            cursor = wrapper.cursor.connection.cursor()
            cursor.execute(statement, (after,))
            while done and (rows := cursor.fetchmany(_ROWS)):
                for term, doc, offset in rows:
                    if term != token:
                        if time.monotonic() - began > _SLICE and token is not None:
                            after, done = term, False
                            break
                        token, term_number = term, sums.of_token(term)
                    if base <= doc <= end:
                        leaf = doc - base
                        last = max(last, leaf)
                        if leaf < size:
                            product = term_number * sums.places[offset]
                            numbers[leaf] = (numbers[leaf] + product) & _MASK
            cursor.close()
        yield last
        if done:
            return
