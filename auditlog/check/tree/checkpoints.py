"""Checkpoints against the tree, and their signatures against the history of the log's keys."""

from base64 import b64decode
from typing import NamedTuple

from django.db import connection

from auditlog.check.facts import Facts
from auditlog.check.fault import Faults
from auditlog.check.rows.form import BadLeaf, parse
from auditlog.models import Log
from auditlog.tree import memory, published
from cablese.tlog import checkpoint, note
from cablese.tlog.frontier import Frontier

_READ = """\
SELECT size, root, note FROM auditlog_checkpoint
WHERE log_id = %s AND size > %s AND size <= %s ORDER BY size"""
_SIZES = """\
SELECT size FROM auditlog_checkpoint WHERE log_id = %s AND size >= %s AND size <= %s"""
_KEYS = """\
SELECT "index", bytes FROM auditlog_leaf WHERE log_id = %s AND kind = 'signing-key'
ORDER BY "index\""""


class _Key(NamedTuple):
    """A key that signed, until the leaf that retired it."""

    verifier: note.Verifier
    retired: int | None


class Checkpoints:
    """The checkpoints of a log, which are checked while the tree grows."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._origin = Log.objects.values_list("origin", flat=True).get(pk=facts.log_id) or ""
        self._keys: list[_Key] = []

    def check(self, frontier: Frontier, hashes: list[bytes], faults: Faults) -> None:
        """Check those whose last leaf is among some leaves. `frontier` is the tree before them."""
        low = frontier.at
        with connection.cursor() as cursor:
            cursor.execute(_READ, (self._facts.log_id, low, low + len(hashes)))
            rows = cursor.fetchall()
        grown = frontier.copy() if rows else frontier
        for size, root, signed in rows:
            while grown.at < size:
                grown.push(0, hashes[grown.at - low])
            self._check(size, bytes(root), signed, grown.root(), faults)

    def check_ends(self, faults: Faults) -> None:
        """Find checkpoints of more leaves than there are. Checkpoints are read first."""
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT MIN(size), MAX(size) FROM auditlog_checkpoint WHERE log_id = %s",
                (self._facts.log_id,),
            )
            low, high = cursor.fetchone()
        self._check_remembered(faults)
        self._check_published(faults)
        if high is not None:
            self._check_origin(high, faults)
        if high is not None and high > self._facts.read_size():
            faults.add("checkpoint", high, "size", "The log has fewer leaves than this checkpoint.")
        if low is not None and low <= 0:
            faults.add("checkpoint", low, "size", "It covers no leaves.")

    def _check_remembered(self, faults: Faults) -> None:
        """Find a damaged file of what was signed last. It may say more than the table: it is
        written before the row.
        """
        try:
            remembered = memory.read(self._facts.slug)
            if remembered is not None:
                checkpoint.parse_checkpoint(note.split(remembered)[0])
        except (note.BadNote, UnicodeDecodeError):
            faults.add(
                "mark", self._facts.slug, "signed", "The file of the last checkpoint is damaged."
            )

    def _check_origin(self, newest: int, faults: Faults) -> None:
        """Compare the origin of the log with that of its newest checkpoint."""
        with connection.cursor() as cursor:
            cursor.execute(_READ, (self._facts.log_id, newest - 1, newest))
            (_, _, signed) = cursor.fetchone()
        if signed.partition("\n")[0] != self._origin:
            faults.add("log", self._facts.slug, "origin", "Its newest checkpoint has another one.")

    def _check_published(self, faults: Faults) -> None:
        """Find checkpoints that were published, and have no row anymore. Sizes are noted beside the
        database after their rows are committed.
        """
        for sizes in published.read(self._facts.slug):
            with connection.cursor() as cursor:
                cursor.execute(_SIZES, (self._facts.log_id, min(sizes), max(sizes)))
                there = {size for (size,) in cursor.fetchall()}
            for size in sizes:
                if size not in there:
                    faults.add("checkpoint", size, "row", "This published checkpoint is missing.")

    def _check(self, size: int, root: bytes, signed: str, made: bytes, faults: Faults) -> None:
        if root != made:
            faults.add("checkpoint", size, "root", "It does not match the leaves.")
        try:
            found, keys = self._open(signed)
        except note.BadNote as error:
            faults.add("checkpoint", size, "note", str(error))
            return
        if (found.origin, found.size, found.root) != (self._origin, size, made):
            faults.add("checkpoint", size, "note", "It is for another log or tree.")
        if all(key.retired is not None and size > key.retired for key in keys):
            faults.add("checkpoint", size, "note", "Only a retired key signed it.")

    def _open(self, signed: str) -> tuple[checkpoint.Checkpoint, list[_Key]]:
        """Return what was signed, and by which of the log's keys. Raises BadNote."""
        opened = self._try(signed)
        if not opened:
            self._keys = list(_read_keys(self._facts, self._origin))  # One may be new.
            opened = self._try(signed)
        if not opened:
            raise note.BadNote("No key of the log signed it.")
        return checkpoint.parse_checkpoint(note.split(signed)[0]), opened

    def _try(self, signed: str) -> list[_Key]:
        text, signatures = note.split(signed)
        return [
            key
            for key in self._keys
            for signature in signatures
            if (signature.name, signature.key_id) == (key.verifier.name, key.verifier.key_id)
            and note.verify(text, signature, key.verifier)
        ]


def _read_keys(facts: Facts, origin: str) -> list[_Key]:
    """Return the keys that the leaves of a log name, those first that were added first."""
    with connection.cursor() as cursor:
        cursor.execute(_KEYS, (facts.log_id,))
        rows = cursor.fetchall()
    found: dict[str, _Key] = {}
    for index, data in rows:
        try:
            fields = parse(bytes(data), kind="signing-key", log=facts.slug)
            verifier = note.make_verifier(origin or facts.slug, b64decode(fields["public"]))
        except (BadLeaf, ValueError):
            continue  # The leaf has a fault of its own.
        if fields["act"] == "add":
            found[fields["key"]] = _Key(verifier, None)
        elif fields["key"] in found:
            found[fields["key"]] = found[fields["key"]]._replace(retired=index)
    return list(found.values())
