"""Copies of the tree, the processes that measure and run in them, and the mutants between them."""

import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from tests.mutation.coverage_map import FOLDER, CoverageMap, part_of
from tests.mutation.mutants.mutant import Mutant
from tests.mutation.selection import Selection
from tests.mutation.worker import ANSWERS, FLAGS, TASKS
from tests.rooms import ROOT

TESTS = ("tests/cablese", "tests/auditlog", "tests/playground")
LEFT_OUT = ("test_on_postgresql.py", "test_templates.py")
"""PostgreSQL runs other tests again. The test that no template says `safe` would notice every
mutant of a template, and no page."""
SERVED = ("_served.py", "test_up.py", "test_backup.py", "test_preparation.py")
"""These start servers: they are slow, and what a server executes is not measured."""
FAST = Path("/dev/shm")  # noqa: S108  (a folder in memory, where there is one)
Result = dict[str, Any]


@dataclass(frozen=True)
class Copy:
    """A copy of the tree, and a folder for its temporary files."""

    root: Path
    temporary: Path

    def environ(self, **more: str) -> dict[str, str]:
        ours = ("CABLESE_", "DATABASE_URL", "DJANGO_SETTINGS_MODULE")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
        return kept | {
            "TMPDIR": str(self.temporary), "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "",
            "HYPOTHESIS_STORAGE_DIRECTORY": str(self.temporary / "hypothesis"), **more,
        }  # fmt: skip


@contextmanager
def copies(count: int) -> Iterator[list[Copy]]:
    """Make copies of what git knows and what is new, with bytecode of their own."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout.split("\0")  # fmt: skip
    place = FAST if FAST.is_dir() else None
    with tempfile.TemporaryDirectory(
        prefix="mutation-", dir=place, ignore_cleanup_errors=True
    ) as folder:
        made = []
        for at in range(count):
            copy = Copy(Path(folder, str(at), "tree"), Path(folder, str(at), "temporary"))
            copy.temporary.mkdir(parents=True)
            for name in filter(None, names):
                if (ROOT / name).is_file():
                    (copy.root / name).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy2(ROOT / name, copy.root / name)
            made.append(copy)
        yield made


def test_files() -> list[str]:
    """Return the files of tests that may run, the largest first."""
    files = [path for folder in TESTS for path in sorted((ROOT / folder).rglob("test_*.py"))]
    kept = [
        path.relative_to(ROOT).as_posix()
        for path in files
        if path.name not in LEFT_OUT and not path.name.endswith(SERVED)
    ]
    return sorted(kept, key=lambda path: -(ROOT / path).stat().st_size)


def measure(made: Sequence[Copy], files: Sequence[str], folder: Path) -> None:
    """Run files of tests once, a part in each copy; `coverage_map` writes into the folder."""
    running = []
    for at, copy in enumerate(made):
        if part := files[at :: len(made)]:
            command = [
                sys.executable, "-m", "pytest", *FLAGS, "-p", "tests.mutation.coverage_map",
                "--tb=line", *part,
            ]  # fmt: skip
            environ = copy.environ(**{FOLDER: str(folder)})
            with (copy.temporary / "map.log").open("w") as log:
                running.append(_start(command, copy, environ, log))
    try:
        for process in running:
            process.wait()
    finally:
        for process in running:
            process.terminate()
    missing = [path for path in files if not part_of(folder, path).exists()]
    if missing:
        print(f"Nothing runs in: {', '.join(missing)}")


def _start(
    command: Sequence[str], copy: Copy, environ: Mapping[str, str], log: IO[str],
    files: Sequence[int] = (),
) -> subprocess.Popen[bytes]:  # fmt: skip
    return subprocess.Popen(
        command, cwd=copy.root, env=environ, stdout=log, stderr=log, pass_fds=files
    )


def run(
    mutants: Sequence[Mutant], files: Mapping[str, str], coverage: CoverageMap,
    tests: Sequence[str], made: Sequence[Copy], until: float,
    say: Callable[[Mutant, Result], None],
) -> dict[str, Result]:  # fmt: skip
    """Run the mutants in all copies; return the results of those that time allowed, by key."""
    selection = Selection(coverage, files)
    waiting: queue.SimpleQueue[Mutant] = queue.SimpleQueue()
    for mutant in mutants:
        waiting.put(mutant)
    results: dict[str, Result] = {}
    lock = threading.Lock()

    def work(copy: Copy) -> None:
        with ExitStack() as stack:
            ask = stack.enter_context(_worker(copy, tests))
            while time.monotonic() < until:
                try:
                    mutant = waiting.get_nowait()
                except queue.Empty:
                    return
                with lock:
                    task = _task(mutant, files, selection, coverage)
                result = ask(task) if task["tests"] else {"outcome": "survived", "way": "no test"}
                with lock:
                    if result["outcome"] == "killed":
                        selection.learn(mutant, result["by"])
                    results[mutant.key] = result
                    say(mutant, result)

    threads = [threading.Thread(target=work, args=(copy,), daemon=True) for copy in made]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def _task(
    mutant: Mutant, files: Mapping[str, str], selection: Selection, coverage: CoverageMap
) -> dict[str, Any]:
    tests = selection.choose(mutant)
    return {
        "at": mutant.key,
        "path": mutant.path,
        "source": mutant.apply(files[mutant.path]),
        "tests": tests,
        "imported": selection.is_imported(mutant),
        "seconds": sum(coverage.seconds[name] for name in tests),
    }


@contextmanager
def _worker(copy: Copy, tests: Sequence[str]) -> Iterator[Callable[[dict[str, Any]], Result]]:
    """Start a fork server; yield the function that asks it."""
    their_tasks, our_tasks = os.pipe()
    our_answers, their_answers = os.pipe()
    command = [sys.executable, "-m", "pytest", *FLAGS, "-p", "tests.mutation.worker", *tests]
    environ = copy.environ(**{TASKS: str(their_tasks), ANSWERS: str(their_answers)})
    with (copy.temporary / "worker.log").open("w") as log:
        process = _start(command, copy, environ, log, (their_tasks, their_answers))
    os.close(their_tasks)
    os.close(their_answers)
    with os.fdopen(our_tasks, "w") as tasks, os.fdopen(our_answers) as answers:

        def read() -> Result:
            line = answers.readline()
            if not line:
                log_text = (copy.temporary / "worker.log").read_text()
                raise RuntimeError(f"A worker ended: {log_text[-3000:]}")
            answer: Result = json.loads(line)
            return answer

        def ask(task: dict[str, Any]) -> Result:
            tasks.write(json.dumps(task) + "\n")
            tasks.flush()
            return read()

        read()
        yield ask
    process.wait()
