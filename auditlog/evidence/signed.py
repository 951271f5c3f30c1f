"""The signed trees of a pack: the one that it is proven against, and the first one of the log."""

from binascii import b2a_base64
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from auditlog.database.unavailable import Unavailable
from auditlog.evidence.selection import Selection
from auditlog.models import Checkpoint, Log
from auditlog.tree import checkpoints, hashes, keys
from cablese.tlog import merkle
from cablese.tlog.note import format_verifier
from cablese.tlog.tile import BadTile


class NoCheckpoint(Exception):
    """No signed tree covers the packets, and none can be signed now. The words say why."""


class NoCheckpointYet(NoCheckpoint):
    """Another server signs the log, or its witnesses are late: nothing is wrong here, and asking
    again soon helps.
    """


@dataclass(frozen=True)
class Signed:
    """The checkpoints as signed notes, and the proof that one begins with the other."""

    origin: str
    size: int
    note: str
    first: str | None
    """None if it is the same one."""
    consistency: tuple[bytes, ...]
    keys: list[dict[str, Any]]
    """As in the manifest, oldest first."""

    def members(self) -> Iterator[tuple[str, bytes]]:
        """Yield the files of a pack about them."""
        yield "checkpoint", self.note.encode()
        if self.first is not None:
            yield "first-checkpoint", self.first.encode()
            proof = b"".join(map(b2a_base64, self.consistency))
            yield "consistency", proof


def find_signed(selection: Selection) -> Signed:
    """Return a signed tree of everything that is stored now, so that it has each redaction too.

    If none can be signed, it is the newest that covers the selection. Raises NoCheckpoint and
    NoCheckpointYet.
    """
    log = selection.log
    newest = _sign(log, selection.at)
    first = Checkpoint.objects.filter(log=log, size__gt=0).order_by("size").first()
    assert first is not None, "the newest checkpoint is one"
    read = hashes.reader(log.pk, newest.size)
    is_same = first.size == newest.size
    try:
        consistency = tuple(merkle.prove_consistency(first.size, newest.size, read))
    except BadTile as error:
        raise NoCheckpoint(f"The tree of the log is damaged. {error}") from None
    return Signed(
        origin=log.origin or "",
        size=newest.size,
        note=newest.note,
        first=None if is_same else first.note,
        consistency=consistency,
        keys=_list_keys(log, newest.size),
    )


def _sign(log: Log, at: int) -> Checkpoint:
    kind = NoCheckpoint
    try:
        return checkpoints.sign_now(log)
    except (keys.NoKey, checkpoints.Uncosigned) as error:
        kind, reason = NoCheckpointYet, str(error)
    except (checkpoints.NotSigned, Unavailable) as error:
        reason = str(error)
    except keys.Unsound as error:
        reason = error.public
    except OSError as error:
        reason = f"The checkpoint cannot be signed: {error.strerror}."
    newest = checkpoints.latest(log)
    if newest is None or newest.size < at:
        raise kind(reason)
    return newest


def _list_keys(log: Log, size: int) -> list[dict[str, Any]]:
    """Return the keys of a tree with the leaves that added them."""
    return [
        {
            "vkey": format_verifier(key.verifier),
            "leaf": key.added,
            "state": "active" if key.retired is None or key.retired >= size else "retired",
        }
        for key in keys.history(log)
        if key.added < size
    ]
