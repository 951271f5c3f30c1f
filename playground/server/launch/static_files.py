"""Collect the static files into the data directory, unless these very files are there."""

import hashlib
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

from playground.server import static_storage
from playground.server.launch.preparation import Say, exclusive

STAMP = "static-files.sha256"
IGNORED = ["redoc*"]


def collect(say: Say) -> None:
    """Collect the files, and write a stamp next to them: the next start then takes 0.6 s less."""
    with exclusive(settings.DATA, say):
        stamp = settings.DATA / STAMP
        if stamp.exists() and stamp.read_text() == _state():
            return
        stamp.unlink(missing_ok=True)
        call_command("collectstatic", verbosity=0, interactive=False, ignore_patterns=IGNORED)
        stamp.write_text(_state())


def _state() -> str:
    """Return a digest of the files to collect, the code that does it, and what it left."""
    digest = hashlib.sha256()
    for part in (*_sources(), *_collected()):
        digest.update(hashlib.sha256(part).digest())
    return digest.hexdigest()


def _sources() -> Iterator[bytes]:
    for library in ("django", "servestatic", "brotli"):
        yield f"{library} {version(library)}".encode()
    yield Path(static_storage.__file__).read_bytes()
    for finder in get_finders():
        for name, storage in finder.list(IGNORED):
            with storage.open(name) as file:
                yield name.encode()
                yield file.read()


def _collected() -> Iterator[bytes]:
    for path in sorted(settings.STATIC_ROOT.rglob("*")):
        if path.is_file():
            yield f"{path.relative_to(settings.STATIC_ROOT)} {path.stat().st_size}".encode()
