"""What was cosigned last, beside the database too: one that is restored cannot forget it, and so a
witness does not cosign two trees.
"""

from hashlib import sha256

from auditlog.models import WatchedLog
from auditlog.tree import keys, memory
from cablese.tlog import note
from cablese.tlog.checkpoint import parse_checkpoint
from cablese.tlog.note import BadNote


def recall(log: WatchedLog) -> None:
    """Set the size and the root of a log to what was cosigned last, if the database has less.
    Raises keys.Unsound and OSError.
    """
    name = _name(log.origin)
    try:
        signed = memory.read(name)
        if signed is None:
            return
        found = parse_checkpoint(note.split(signed)[0])
    except (BadNote, UnicodeDecodeError):
        raise keys.Unsound(f"The file {memory.FOLDER}/{name} was changed. Restore it.") from None
    if found.origin == log.origin and found.size > log.size:
        log.size, log.root = found.size, found.root


def remember(log: WatchedLog, signed: str) -> None:
    """Remember what is about to be cosigned, and wait for the disk. Raises OSError."""
    memory.write(_name(log.origin), signed)


def forget(origin: str) -> None:
    """Forget what was cosigned of a log. Raises OSError."""
    memory.forget(_name(origin))


def _name(origin: str) -> str:
    """Return the name of a file, which is not that of a log of this installation."""
    return f"@{sha256(origin.encode()).hexdigest()[:32]}"
