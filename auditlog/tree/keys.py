"""The keys that sign a log's checkpoints: on disk, apart from the database, and in the log itself.

    signing-keys/              only its owner can read it
      default.a3f1c2d4         PRIVATE+KEY+<origin>+a3f1c2d4+…

A leaf of the kind `signing-key` adds or retires a key, so that the history of the keys is part of
what they sign: a checkpoint is verified by the keys of the log's first leaves. A log has one key,
or two while the older of them is being replaced. A key that is retired is deleted here, so that it
never signs another tree.

An installation without the private key of a log does not sign it. That is so for the second server
of a database, and after a restore without these files.
"""

import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings

from auditlog.continuity import durable_file
from auditlog.log import leaf
from auditlog.log.leaf.event_leaf import SigningAct
from auditlog.models import Log
from auditlog.tree import events
from auditlog.tree.events import Event
from cablese.tlog import note
from cablese.tlog.note import Signer, Verifier

FOLDER = "signing-keys"
KIND: leaf.Kind = "signing-key"
_OPEN = stat.S_IRWXG | stat.S_IRWXO
_NO_ORIGIN = 'The log "{}" has no origin yet. Start Cablese with: manage.py up.'


class Unsound(Exception):
    """A key that cannot be used as it is; the text says why, and what to do."""

    @property
    def public(self) -> str:
        """What everybody may know: no path of this machine."""
        return "The signing key of the log cannot be used. The server's own log says why."


class NoKey(Unsound):
    """No key of a log is here."""

    @property
    def public(self) -> str:
        return str(self)


class LastKey(Unsound):
    """The only key of a log cannot be retired."""


class Key(NamedTuple):
    """A key in the history of a log."""

    key_id: str
    """Eight hex digits."""
    verifier: Verifier
    added: int
    """The leaf that added it."""
    retired: int | None
    """The leaf that retired it."""


def check() -> None:
    """Raise Unsound unless the keys and their directory belong to this user alone."""
    folder = _folder()
    if folder.exists():
        for place in (folder, *sorted(folder.iterdir())):
            require_own(place)


def history(log: Log) -> list[Key]:
    """Return the keys that a log ever had, oldest first, without those whose leaf is damaged."""
    found: dict[str, Key] = {}
    for index, said in events.read(log.pk, KIND):
        key_id = str(said.get("key"))
        if said.get("act") == "add":
            verifier = _read_verifier(log, said)
            if verifier is not None:
                found[key_id] = Key(key_id, verifier, index, None)
        elif key_id in found:
            found[key_id] = found[key_id]._replace(retired=index)
    return list(found.values())


def active(log: Log) -> list[Key]:
    """Return the keys that sign a log now."""
    return [key for key in history(log) if key.retired is None]


def verifiers(log: Log) -> list[Verifier]:
    """Return the public keys that a log ever had."""
    return [key.verifier for key in history(log)]


def signers(log: Log) -> list[Signer]:
    """Return the keys that sign a log and are here. Raises NoKey, and Unsound."""
    if log.origin is None:
        raise NoKey(_NO_ORIGIN.format(log.slug))
    stored = {key.key_id for key in active(log)} & _stored(log.slug)
    if not stored:
        raise NoKey(
            f'This server does not sign the log "{log.slug}", because the log has another '
            "machine's signing key. If no server has that key anymore, add a key with: "
            f"manage.py signingkey rotate --log {log.slug}."
        )
    return [_read(log, key_id) for key_id in sorted(stored)]


def ensure(log: Log) -> None:
    """Make the first key of a log, unless its history has one. A log without an origin gets one
    at the next start. Raises Unsound.
    """
    if log.origin is None or events.read(log.pk, KIND):
        return
    stored = sorted(_stored(log.slug))
    # A start may have ended after it stored the key, and before it added the leaf.
    signer = _read(log, stored[-1]) if stored else _make(log)
    added = events.append_now([_add(log, signer.verifier, first=True)])
    if added == [None] and not stored:
        _delete(log, [signer.key_id.hex()])  # another server of the database was first


def add(log: Log, *, instead: bool = False) -> Key:
    """Make a key that signs from now on, too, or instead of all others. Raises Unsound."""
    before = active(log) if instead else []
    signer = _make(log)
    retired = [_retire(log, key) for key in before]
    *_, index = events.append([*retired, _add(log, signer.verifier)])
    assert index is not None, "it need not be the first"
    _delete(log, [key.key_id for key in before])
    return Key(signer.key_id.hex(), signer.verifier, index, None)


def retire(log: Log, key_id: str) -> None:
    """Let a key sign no longer, and delete it. Raises Unsound for one that does not sign, and
    LastKey.
    """
    found = {key.key_id: key for key in active(log)}
    if key_id not in found:
        signing = ", ".join(found) or "none"
        raise Unsound(f'The key {key_id} does not sign the log "{log.slug}". Signing: {signing}.')
    if len(found) == 1:
        raise LastKey(
            "This is the only key of the log. First add another with: "
            f"manage.py signingkey rotate --log {log.slug}."
        )
    events.append([_retire(log, found[key_id])])
    _delete(log, [key_id])


def _read_verifier(log: Log, said: dict[str, Any]) -> Verifier | None:
    public = note.decode(str(said.get("public")))
    try:
        return note.make_verifier(log.origin or log.slug, public or b"")
    except note.BadKey:
        return None


def _add(log: Log, verifier: Verifier, *, first: bool = False) -> Event:
    return _event(log, "add", verifier, first=first)


def _retire(log: Log, key: Key) -> Event:
    return _event(log, "retire", key.verifier, first=False)


def _event(log: Log, act: SigningAct, verifier: Verifier, *, first: bool) -> Event:
    def write(slug: str, received: str, seed: bytes) -> bytes:
        return leaf.format_signing_key(
            seed,
            log=slug,
            received=received,
            act=act,
            key=verifier.key_id.hex(),
            public=verifier.public,
            by=events.OPERATOR,
        )

    return Event(log.pk, KIND, write, first)


def _make(log: Log) -> Signer:
    """Make a key and wait until the disk has it. Raises Unsound."""
    if log.origin is None:
        raise Unsound(_NO_ORIGIN.format(log.slug))
    signer = note.generate(log.origin)
    store(signer, _place(log.slug, signer.key_id.hex()))
    return signer


def store(signer: Signer, place: Path) -> None:
    """Write a key to a new file for its owner only, and wait for the disk. Raises Unsound."""
    folder = place.parent
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    require_own(folder)
    durable_file.write(place, f"{note.format_signer(signer)}\n".encode(), new=True)


def _read(log: Log, key_id: str) -> Signer:
    place = _place(log.slug, key_id)
    signer = load(place)
    if (signer.name, signer.key_id.hex()) != (log.origin, key_id):
        raise Unsound(f"The signing key {place} is of {signer.name}. Expected {log.origin}.")
    return signer


def load(place: Path) -> Signer:
    """Return the key of a file. Raises Unsound."""
    require_own(place)
    try:
        return note.parse_signer(place.read_text())
    except (OSError, UnicodeDecodeError, note.BadKey) as error:
        raise Unsound(f"The signing key {place} cannot be read: {error}") from None


def _stored(slug: str) -> set[str]:
    """Return the IDs of the keys of a log that are here."""
    return {place.suffix[1:] for place in _folder().glob(f"{slug}.*")}


def _delete(log: Log, key_ids: Iterable[str]) -> None:
    for key_id in key_ids:
        _place(log.slug, key_id).unlink(missing_ok=True)


def _place(slug: str, key_id: str) -> Path:
    return _folder() / f"{slug}.{key_id}"


def _folder() -> Path:
    return Path(settings.DATA) / FOLDER


def require_own(place: Path) -> None:
    """Raise Unsound for a file or directory that others can read, or that others own."""
    try:
        found = place.stat()
    except OSError as error:
        raise Unsound(f"{place} cannot be read: {error.strerror}.") from None
    if found.st_uid != os.geteuid():
        raise Unsound(
            f"{place} belongs to another user (number {found.st_uid}). Signing keys must belong "
            f"to the user who runs Cablese (number {os.geteuid()})."
        )
    if found.st_mode & _OPEN:
        wanted = "700" if place.is_dir() else "600"
        mode = stat.S_IMODE(found.st_mode)
        raise Unsound(f"Others can read {place} (mode {mode:o}). Run: chmod {wanted} {place}")
