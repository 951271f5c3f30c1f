"""The installation's secret key: made once, kept in the data directory, readable by its
owner only.
"""

import os
import secrets
from pathlib import Path

FILE_NAME = "secret-key"


def read(data: Path) -> str | None:
    """The key stored in `data`; None before the first start has prepared a database."""
    try:
        return (data / FILE_NAME).read_text()
    except FileNotFoundError:
        return None


def new() -> str:
    return secrets.token_urlsafe(48)


def keep(data: Path, key: str) -> str:
    """Store `key` in `data` unless there is one, and return the key that is stored.

    Two processes may start on an empty directory together. Each writes a whole file of its own and
    links it to the one name; a link to a name that exists fails, so both then read the same key,
    and nobody ever reads half of one.
    """
    kept = data / FILE_NAME
    if not kept.exists():
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = data / f"{FILE_NAME}.{secrets.token_hex(8)}"
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w") as file:
            file.write(key)
        try:
            kept.hardlink_to(draft)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return kept.read_text()
