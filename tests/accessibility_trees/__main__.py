"""Compare what assistive technology reads on every page, with another revision.

    python -m tests.accessibility_trees REVISION [PAGE…]

Each revision serves its own pages, with its own demo log, to a Chromium. A page's tree is its roles
with their levels and states, and where its links lead. Names and texts are left out, because
wording may change. Prints a diff for each page whose tree differs, and fails when there is one.
"""

import argparse
import difflib
import json
import subprocess
import sys
from pathlib import Path

from tests.checkout import worktree

ROOT = Path(__file__).resolve().parents[2]


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.accessibility_trees")
    parser.add_argument("revision", help="what to compare with, as git names it")
    parser.add_argument("pages", nargs="*", help="parts of the names of pages")
    given = parser.parse_args(words)
    with worktree(given.revision) as other:
        before, now = (_read(root, given.pages) for root in (other, ROOT))
    differing = 0
    for page in sorted(before.keys() | now.keys()):
        lines = list(difflib.unified_diff(before.get(page, []), now.get(page, []), lineterm=""))
        differing += bool(lines)
        print(f"{page}: {'differs' if lines else 'the same'}", *lines[2:], sep="\n")
    print(f"{differing} of {len(before | now)} pages differ")
    return 1 if differing else 0


def _read(root: Path, pages: list[str]) -> dict[str, list[str]]:
    """Return the trees of a revision's pages, read by a process of that revision."""
    program = [sys.executable, "-P", str(Path(__file__).with_name("side.py")), *pages]
    done = subprocess.run(program, cwd=root, check=True, stdout=subprocess.PIPE, text=True)
    trees: dict[str, list[str]] = json.loads(done.stdout.splitlines()[-1])
    return trees


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
