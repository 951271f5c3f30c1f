"""Files for their owner only, which are whole and on disk, or not there."""

import os
from pathlib import Path


def write(place: Path, data: bytes, *, new: bool = False) -> None:
    """Write a file in place of the one before, and wait for the disk. Raises OSError, and
    FileExistsError for a `new` file that is there.

    A process that is killed leaves a draft, and never half a file. Only one process or thread may
    write a file at a time.
    """
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # No log has a @ in its name, so the draft is not the file of another.
    draft = place.with_name(f"@new-{place.name}")
    draft.unlink(missing_ok=True)
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(handle)
    if new and place.exists():  # A hard link would tell, too, but not every file system has them.
        draft.unlink()
        raise FileExistsError(place)
    draft.replace(place)
    sync(place.parent)


def sync(place: Path) -> None:
    """Wait until the disk has a file, or the names in a directory."""
    handle = os.open(place, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
