"""The key with which this installation cosigns, made when it is first used."""

from pathlib import Path

from django.conf import settings

from auditlog.log import logs
from auditlog.models import Log
from auditlog.tree import keys
from cablese.tlog import note
from cablese.tlog.note import Signer

FILE = "@witness"
"""Beside the keys of logs, whose names have no @."""


def load() -> Signer | None:
    """Return the key of this witness; None before it has one. Raises keys.Unsound."""
    place = _place()
    return keys.load(place) if place.exists() else None


def make() -> Signer:
    """Return the key of this witness, and make it if there is none. Raises keys.Unsound."""
    known = load()
    if known is not None:
        return known
    origin = Log.objects.get(slug=logs.DEFAULT).origin
    if origin is None:
        raise keys.Unsound("This installation has no name yet. Start Cablese with: manage.py up.")
    signer = note.generate(f"{origin.partition('/')[0]}/witness", note.COSIGNATURE)
    keys.store(signer, _place())
    return signer


def _place() -> Path:
    return Path(settings.DATA) / keys.FOLDER / FILE
