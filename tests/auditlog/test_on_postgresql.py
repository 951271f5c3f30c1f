"""The audit log's tests once more, on PostgreSQL."""

import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FILES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in HERE.rglob("test_*.py")
    if path != Path(__file__).resolve() and "django_db" in path.read_text()
)


@pytest.mark.postgres
@pytest.mark.skipif("DATABASE_URL" in os.environ, reason="this run has a database of its own")
def test_it_behaves_on_postgresql_as_on_sqlite(postgresql: str) -> None:
    url = urlsplit(postgresql)._replace(path="/auditlog").geturl()
    options = ["-m", "django_db", "-q", "--no-header", "-p", "no:cacheprovider", "-p", "no:xdist"]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *FILES, *options],
        cwd=ROOT,
        env=os.environ | {"DATABASE_URL": url},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-6000:] + run.stderr[-2000:]
