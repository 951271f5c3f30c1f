"""Evidence packs of a mixed log: packets a second while they are written and verified, their size,
and the memory of each process.

python -m tests.benchmarks evidence --packets 1000000
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks.groups.ingest import BATCH, mixed, serving
from tests.benchmarks.line import Line
from tests.installation import Installation

PACKETS = 100_000
VERIFIED = 20_000
"""Packets a second."""
MEMORY = 100
"""MiB of the process that verifies, at any size."""
_VERIFY = """
import re, sys, time
from pathlib import Path
from cablese.verify.pack import verify
begin = time.process_time()
verdict = verify(Path(sys.argv[1]))
spent = time.process_time() - begin
assert not verdict.failures, verdict.failures
peak = int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) / 1024
print(verdict.manifest["count"], spent, peak)
"""
_WRITE = """
import os, re, sys, time
from pathlib import Path
import django
django.setup()
from django.core.management import call_command
begin = time.process_time()
call_command("evidence", sys.argv[1], "-o", sys.argv[2], stdout=open(os.devnull, "w"))
spent = time.process_time() - begin
peak = int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) / 1024
print(0, spent, peak)
"""
QUERIES = ("", "proto:nslip", "@auth*")


class Ran(NamedTuple):
    """What a process said of itself."""

    packets: int
    seconds: float
    """Of the processor."""
    memory: float
    """MiB at most."""


def measure(packets: int = PACKETS) -> Iterator[Line]:
    with (
        tempfile.TemporaryDirectory(prefix="cablese-bench-") as folder,
        serving(Path(folder) / "sqlite") as server,
    ):
        items = mixed()
        for _ in range(max(1, packets // BATCH)):
            server.store(items)
        for query in QUERIES:
            path = Path(folder) / "pack.zip"
            written = run(_WRITE, query, str(path), installation=server.installation)
            yield from lines(query, path, written)


def lines(query: str, path: Path, written: Ran) -> Iterator[Line]:
    verified = run(_VERIFY, str(path))
    packets = verified.packets
    if not packets:
        return
    what = f"evidence of {query or 'all'}, {packets:,} packets"
    size = path.stat().st_size / packets
    yield Line(
        what=f"{what}, written, {size:,.0f} bytes each",
        ours=f"{packets / written.seconds:,.0f}/s",
        baseline=f"{written.memory:.0f} MiB",
    )
    pace = packets / verified.seconds
    yield Line(
        what=f"{what}, verified",
        ours=f"{pace:,.0f}/s",
        baseline=f"{VERIFIED:,}/s",
        ratio=pace / VERIFIED,
        target=1 if packets >= VERIFIED else None,
    )
    yield Line(
        what=f"{what}, memory of the verifier",
        ours=f"{verified.memory:.0f} MiB",
        baseline=f"{MEMORY} MiB",
        ratio=MEMORY / verified.memory,
        target=1,
    )


def run(program: str, *arguments: str, installation: Installation | None = None) -> Ran:
    """Run a program in a process of its own, with the settings of an installation."""
    settings = {"DJANGO_SETTINGS_MODULE": "playground.settings"}
    given = None if installation is None else installation.environ | settings
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True, text=True, check=True, env=given,
    )  # fmt: skip
    packets, seconds, memory = done.stdout.split()
    return Ran(int(packets), float(seconds), float(memory))
