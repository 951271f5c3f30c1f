"""A checkout of another revision beside this one."""

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@contextmanager
def worktree(revision: str) -> Iterator[Path]:
    """A checkout of ``revision``, without what is not committed, until the end of the block."""
    with tempfile.TemporaryDirectory(prefix="cablese-compare-") as folder:
        place = Path(folder, "other").resolve()
        _git("worktree", "add", "--quiet", "--detach", str(place), revision)
        try:
            yield place
        finally:
            _git("worktree", "remove", "--force", str(place))


def _git(*words: str) -> None:
    subprocess.run(["git", *words], cwd=ROOT, check=True)
