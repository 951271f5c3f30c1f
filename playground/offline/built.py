"""The files that `make offline` made for the browser: what they are, and whether they are current.

They are in a folder that is named by their digest, so that an address always has the same content.
"""

import hashlib
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from playground.server.environment import BASE_DIR

STATIC = BASE_DIR / "build" / "offline" / "static"
"""Served like the folder `static`, if it is there."""
FOLDER = STATIC / "offline" / "python"
INDEX = FOLDER / "built.json"
_SOURCES = ("cablese", "auditlog", "playground", "templates", "static/offline")
_ENDINGS = (".py", ".html", ".svg", ".js")


class Built(NamedTuple):
    """The files that a browser loads, as paths of static files, and their compressed size."""

    folder: str
    files: tuple[str, ...]
    size: int
    sources: str

    @property
    def megabytes(self) -> str:
        return f"{self.size / 1e6:.1f}"


@cache
def current() -> Built | None:
    """Return what was built; None without it, or if it was built from other sources."""
    try:
        index = json.loads(INDEX.read_bytes())
    except OSError:
        return None
    found = Built(index["folder"], tuple(index["files"]), index["size"], index["sources"])
    return found if found.sources == digest_sources() else None


def digest_sources() -> str:
    """Return a digest of our own files that run in the browser, and of the versions of others."""
    digest = hashlib.sha256()
    for path in _own():
        digest.update(f"{path.relative_to(BASE_DIR).as_posix()}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _own() -> Iterator[Path]:
    for name in _SOURCES:
        for path in sorted((BASE_DIR / name).rglob("*")):
            if path.suffix in _ENDINGS:
                yield path
