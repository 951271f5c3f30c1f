"""The installation's secret key: made once, kept in the data directory, readable by its owner only."""

import os
import secrets
from pathlib import Path

_FILE_NAME = "secret-key"


def secret_key(data: Path) -> str:
    """The key kept in `data`, made when there is none.

    Two processes may start on an empty directory together. Each writes a whole file of its own and links it to the one
    name; a link to a name that exists fails, so both then read the same key, and nobody ever reads half of one.
    """
    kept = data / _FILE_NAME
    if not kept.exists():
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = data / f"{_FILE_NAME}.{secrets.token_hex(8)}"
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w") as file:
            file.write(secrets.token_urlsafe(48))
        try:
            kept.hardlink_to(draft)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return kept.read_text()
