"""The environment in which the vendors' packages live, apart from ours: we measure them and never
import them.

It is `CABLESE_BENCH_VENDORS` when that is set, and otherwise made once by pip in the user's cache
directory.
"""

import json
import os
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PACKAGES = ("slipcore==3.1.1", "aacp==1.4.0", "nlip-sdk==0.1.3")

GIVEN = os.environ.get("CABLESE_BENCH_VENDORS")
"""Read when the runner starts: the settings of tests take every variable of ours out of the
environment.
"""


class Vendor:
    """One vendor's decoder, see `vendor.py`. ``readable`` has the indexes of the wires that it
    reads.
    """

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.readable: list[int] = json.loads(self._answer())

    def seconds(self, wires: list[int], repeat: int) -> float:
        assert self.process.stdin
        self.process.stdin.write(json.dumps({"wires": wires, "repeat": repeat}) + "\n")
        self.process.stdin.flush()
        return float(self._answer())

    def _answer(self) -> str:
        assert self.process.stdout
        if line := self.process.stdout.readline():
            return line
        raise SystemExit("A vendor's process ended; its words are above.")


@contextmanager
def running(name: str, wires: list[str]) -> Iterator[Vendor]:
    """The vendor of protocol `name`, given `wires`, until the end of the block."""
    with tempfile.TemporaryDirectory(prefix="cablese-bench-") as passing:
        path = Path(passing) / "wires.json"
        path.write_text(json.dumps(wires))
        program = [str(python()), str(Path(__file__).with_name("vendor.py")), name, str(path)]
        with subprocess.Popen(
            program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process:
            try:
                yield Vendor(process)
            finally:
                process.kill()


def python() -> Path:
    """The Python of the vendors' environment, which is made first when there is none."""
    if GIVEN:
        return Path(GIVEN) / "bin" / "python"
    directory = (
        Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        / "cablese"
        / "bench-vendors"
    )
    found = directory / "bin" / "python"
    complete = directory / "complete"
    if not (complete.exists() and complete.read_text() == " ".join(PACKAGES)):
        print(f"Installing {', '.join(PACKAGES)} in {directory} …", file=sys.stderr)
        venv.create(directory, clear=True, with_pip=True)
        subprocess.run([found, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
        complete.write_text(" ".join(PACKAGES))
    return found
