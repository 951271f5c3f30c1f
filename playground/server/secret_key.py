"""The installation's secret key, made once and stored in the data directory for its owner only."""

import os
import secrets
from pathlib import Path

FILE_NAME = "secret-key"


def read(data: Path) -> str | None:
    """Return the key stored in `data`; None before the first start has prepared a database."""
    try:
        return (data / FILE_NAME).read_text()
    except FileNotFoundError:
        return None


def new() -> str:
    return secrets.token_urlsafe(48)


def store(data: Path, key: str) -> str:
    """Store `key` in `data` unless a key exists, and return the stored key.

    Two processes may start on an empty directory together. Each writes its own complete file and
    links it to the same name. The second link fails, so both read the same key, and neither reads
    an incomplete one.
    """
    stored = data / FILE_NAME
    if not stored.exists():
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = data / f"{FILE_NAME}.{secrets.token_hex(8)}"
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w") as file:
            file.write(key)
        try:
            stored.hardlink_to(draft)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return stored.read_text()
