"""Checkpoints: sign the size and the root of a log, and remember what was signed.

Before a checkpoint is signed, the tree must begin with the one that was signed last, which is
remembered beside the database. The new one is remembered, then published. So however this ends, no
checkpoint was seen that later trees do not contain.
"""

from collections.abc import Sequence
from datetime import UTC, datetime

from django.db import connection
from django.db.backends.utils import CursorWrapper

from auditlog.log import bulk_insert, group_commit
from auditlog.models import Checkpoint, Log, LogEnd
from auditlog.tree import hashes, incidents, keys, memory, publication, published
from auditlog.witness import asking
from cablese.tlog import checkpoint, merkle, note
from cablese.tlog.note import Verifier
from cablese.tlog.tile import BadTile

_COLUMNS = ("log_id", "size", "root", "signed", "note")
_Row = tuple[int, int, bytes, datetime, str]


class NotSigned(Exception):
    """A checkpoint that cannot be signed now; the text says why."""


class Uncosigned(NotSigned):
    """Too few witnesses have cosigned a checkpoint. They are asked again at the next one."""


class Stopped(NotSigned):
    """An incident stopped the signing of a log."""

    def __init__(self, incident: incidents.Incident) -> None:
        super().__init__(f"{incident.message} {incident.advice}")
        self.incident = incident


def latest(log: Log) -> Checkpoint | None:
    """Return the newest checkpoint that is published."""
    return Checkpoint.objects.filter(log=log).order_by("-size").first()


def covering(log: Log, leaf: int) -> Checkpoint | None:
    """Return the first published checkpoint of a tree that has a leaf."""
    return Checkpoint.objects.filter(log=log, size__gt=leaf).order_by("size").first()


def sign_now(log: Log) -> Checkpoint:
    """Publish a checkpoint of everything that is stored, unless there is one, and return it.

    Raises Stopped, other NotSigned for an empty log, keys.Unsound, Unavailable, and OSError.
    """
    signed = sign(log, wait=True)
    assert signed is not None, "it has waited"
    return signed


def sign(log: Log, *, wait: bool) -> Checkpoint | None:
    """As `sign_now`. Without `wait`, return None while another process or thread signs the log."""
    with memory.held(log.slug, wait=wait) as held:
        return _sign(log) if held else None


def _sign(log: Log) -> Checkpoint:
    size, newest = LogEnd.objects.get(log=log).size, latest(log)
    if newest is not None and newest.size == size and _is_remembered(newest, log.slug):
        return newest
    if not size:
        raise NotSigned(f'The log "{log.slug}" is empty.')
    if incident := incidents.current(log):
        raise Stopped(incident)
    signers = keys.signers(log)
    root = _require_growth(log, size, newest)
    if newest is not None and newest.size == size:
        return newest
    _note_published(log)
    found = checkpoint.Checkpoint(log.origin or "", size, root)
    signed = note.sign(checkpoint.format_checkpoint(found), signers)
    memory.write(log.slug, signed)
    cosigned = _require_witnesses(log, asking.collect(log, found, signed))
    return _publish(log, size, root, signed + "".join(cosigned))


def _require_witnesses(log: Log, cosigned: list[str]) -> list[str]:
    """Return the lines of witnesses. Raises NotSigned if they are fewer than the log requires."""
    required = publication.read(log).required
    if len(cosigned) < required:
        raise Uncosigned(
            f'The newest checkpoint of the log "{log.slug}" is not published: {len(cosigned)} of '
            f"{required} required witnesses cosigned it."
        )
    return cosigned


def _is_remembered(newest: Checkpoint, slug: str) -> bool:
    """Return whether a checkpoint is the one that was signed last."""
    remembered = _recall(slug)
    return remembered is not None and note.split(remembered)[0] == note.split(newest.note)[0]


def _require_growth(log: Log, size: int, newest: Checkpoint | None) -> bytes:
    """Return the root of a tree after comparing it with what was signed. Raises Stopped."""
    signed = _read_signed(log, newest)
    if signed is not None and signed.size > size:
        raise Stopped(incidents.record(log, "shrank", size=signed.size, found=size))
    read = hashes.reader(log.pk, size)
    try:
        root = merkle.root(size, read)
        if signed is not None and signed.size:
            proof = merkle.prove_consistency(signed.size, size, read)
            merkle.verify_consistency(signed.size, size, proof, signed.root, root)
    except (BadTile, merkle.BadProof):
        before = signed.size if signed else size
        raise Stopped(incidents.record(log, "differs", size=before, found=size)) from None
    return root


def _read_signed(log: Log, newest: Checkpoint | None) -> checkpoint.Checkpoint | None:
    """Return the larger of what is remembered and what is published. Raises NotSigned."""
    published = None if newest is None else newest.note
    active = [key.verifier for key in keys.active(log)]
    found = [_open(log, one, active) for one in (_recall(log.slug), published) if one is not None]
    return max((one for one in found if one is not None), key=lambda one: one.size, default=None)


def _open(log: Log, signed: str, active: Sequence[Verifier]) -> checkpoint.Checkpoint | None:
    """Return what a key signed that still signs. One of a retired key belongs to a tree that an
    operator gave up, and one of another key to another log. Raises NotSigned.
    """
    known = {(one.name, one.key_id) for one in active}
    try:
        if known.isdisjoint((one.name, one.key_id) for one in note.split(signed)[1]):
            return None
        return checkpoint.open_checkpoint(signed, active, log.origin)
    except note.BadNote as error:
        raise NotSigned(
            f'The newest checkpoint of the log "{log.slug}" was changed: {error}'
        ) from None


def _recall(slug: str) -> str | None:
    """Return the note that was signed last. Raises NotSigned if its file was changed, because the
    next tree could then not be compared with it.
    """
    try:
        remembered = memory.read(slug)
        if remembered is not None:
            note.split(remembered)
    except (note.BadNote, UnicodeDecodeError):
        raise NotSigned(
            f"The file {memory.FOLDER}/{slug} in the data directory was changed. Restore it. If "
            "you know that the database is complete, delete the file."
        ) from None
    return remembered


def _publish(log: Log, size: int, root: bytes, signed: str) -> Checkpoint:
    row = (log.pk, size, root, datetime.now(UTC), signed)
    group_commit.submit(_write, [row], wait=True).result()
    _note_published(log)
    return Checkpoint.objects.get(log=log, size=size)


def _note_published(log: Log) -> None:
    """Note beside the database which checkpoints are in it. A server that was killed may owe some,
    and one that did not do this yet owes all.
    """
    rows = Checkpoint.objects.filter(log=log, size__gt=published.last(log.slug))
    if sizes := list(rows.order_by("size").values_list("size", flat=True)):
        published.add(log.slug, sizes)


def _write(cursor: CursorWrapper, rows: Sequence[_Row]) -> Sequence[None]:
    adapt = connection.ops.adapt_datetimefield_value
    stored = [(log_id, size, root, adapt(at), signed) for log_id, size, root, at, signed in rows]
    bulk_insert.insert(cursor, "auditlog_checkpoint", _COLUMNS, stored)
    return [None] * len(rows)
