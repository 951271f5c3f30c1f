"""`python -m tests.strangers.published FOLDER`: check our code against other people's vectors.

FOLDER has `rfc6962/` with proofs that are right or wrong, and `tessera-log/` with a whole log and a
checkpoint of each of its sizes. They are not in this repository. It ends with 1 if one is judged
wrong.
"""

import argparse
import json
import sys
from base64 import b64decode
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from cablese.tlog import merkle, note, tile
from cablese.tlog.checkpoint import Checkpoint, open_checkpoint
from cablese.tlog.merkle import BadProof
from cablese.tlog.tile import ENTRIES, Tile
from cablese.tlog.tiled_tree import TiledTree
from cablese.verify import log
from cablese.verify.mirror import bundle
from cablese.verify.mirror.folder import Folder
from cablese.verify.report import Report

KEY = "example.com/log/testdata+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx"
"""The key of that log: its signatures fit, and so does the ID."""
Case = dict[str, Any]


def verify_inclusion(case: Case) -> None:
    merkle.verify_inclusion(
        _decode(case["leafHash"]),
        case["leafIdx"],
        case["treeSize"],
        [_decode(one) for one in case["proof"] or ()],
        _decode(case["root"]),
    )


def verify_consistency(case: Case) -> None:
    merkle.verify_consistency(
        case["size1"],
        case["size2"],
        [_decode(one) for one in case["proof"] or ()],
        _decode(case["root1"]),
        _decode(case["root2"]),
    )


def judge(folder: Path) -> tuple[Counter[str], list[str]]:
    """Return how many vectors were judged right, and those that were not."""
    counts: Counter[str] = Counter()
    wrong = []
    for kind, verify in (("inclusion", verify_inclusion), ("consistency", verify_consistency)):
        for path in sorted((folder / kind).rglob("*.json")):
            case = json.loads(path.read_text())
            if _is_refused(verify, case) == case["wantErr"]:
                counts[f"{kind} proofs {'refused' if case['wantErr'] else 'accepted'}"] += 1
            else:
                wrong.append(path.relative_to(folder).as_posix())
    return counts, wrong


def reproduce(folder: Path) -> list[Checkpoint]:
    """Return the checkpoints of a log, each reproduced from its own tiles, and from its entries.

    Raises BadNote, BadTree, or AssertionError.
    """
    source, keys = Folder(folder), [note.parse_verifier(KEY)]
    report = Report("log")
    log.verify_log(source, keys, report)
    assert report.code == 0, report.failures
    found = []
    for path in folder.glob("checkpoint*"):
        signed = open_checkpoint(path.read_text(), keys)
        tree = TiledTree(
            signed.size, signed.root, lambda one: source.get(tile.format_path(one), 8192)
        )
        _compare_entries(source, tree)
        found.append(signed)
    return sorted(found, key=lambda one: one.size)


def _compare_entries(source: Folder, tree: TiledTree) -> None:
    if tree.size:
        place = Tile(ENTRIES, 0, tree.size)
        hashes = bundle.check(tree, place, source.get(tile.format_path(place), 1 << 20))
        assert merkle.root(tree.size, tile.read_tiles(tree.size, lambda _: hashes)) == tree.root(
            tree.size
        )


def _is_refused(verify: Callable[[Case], None], case: Case) -> bool:
    try:
        verify(case)
    except BadProof:
        return True
    return False


def _decode(text: str | None) -> bytes:
    return b64decode(text or "")


def parse(words: Sequence[str] | None = None) -> Path:
    """Return the folder that is named. Exits with 2 if it has no vectors."""
    parser = argparse.ArgumentParser(
        "python -m tests.strangers.published",
        description="Check our code against other people's vectors.",
    )
    parser.add_argument("folder", type=Path, help="has rfc6962/ and tessera-log/")
    folder: Path = parser.parse_args(words).folder
    for part in ("rfc6962", "tessera-log"):
        if not (folder / part).is_dir():
            parser.error(f"{folder / part} is not a folder")
    return folder


def main(folder: Path) -> int:
    counts, wrong = judge(folder / "rfc6962")
    for name, count in sorted(counts.items()):
        print(f"{count:4} {name}")
    for path in wrong:
        print(f"     judged wrong: {path}")
    checkpoints = reproduce(folder / "tessera-log")
    sizes = ", ".join(str(one.size) for one in checkpoints)
    print(f"{len(checkpoints):4} checkpoints reproduced, of sizes {sizes}")
    return 1 if wrong or not counts else 0


if __name__ == "__main__":
    sys.exit(main(parse()))
