"""Leaves without packets, for tests of the tree."""

from django.db import connection, transaction

from auditlog.log import log_end
from auditlog.models import Log
from cablese.tlog.merkle import hash_leaf, root
from tests.cablese.tlog.reading import reader


def add(number: int, slug: str = "default", first: int = 0) -> list[bytes]:
    """Append leaves in one transaction, and return their hashes."""
    with transaction.atomic(), connection.cursor() as cursor:
        log = Log.objects.get(slug=slug)
        (end,) = log_end.hold(cursor, [log.pk]).values()
        hashes = [end.add("check", b"leaf %d" % at)[1] for at in range(first, first + number)]
        log_end.store(cursor, [end])
    return hashes


def expected_hashes(size: int) -> list[bytes]:
    """Return the hashes of the leaves that `add` makes from leaf 0."""
    return [hash_leaf(b"leaf %d" % at) for at in range(size)]


def expected_root(hashes: list[bytes]) -> bytes:
    """Return the root of a tree, computed from the hashes of its leaves alone."""
    return root(len(hashes), reader(hashes))
