"""Facts of logs that other people made, and how their vectors are judged."""

import ast
import json
from base64 import b64decode
from pathlib import Path

import pytest

from cablese.tlog import merkle, note
from cablese.tlog.checkpoint import Checkpoint, open_checkpoint
from tests.cablese.tlog.reading import reader
from tests.strangers import client, published

ROOT = "Wqx3HImawpLnS/Gv4ubjAvi1WIOy0b8Ze0amvqbavKk="
"""Of the log of three leaves that Tessera made."""
SIGNATURE = (
    "M9e0lvAQRtH832pk2RTbeSeZMkp4FZSdJYFBUjO5SKxuRbywPUF3cx+HUrb50kjd3rUWW/fj53Wj1dwcwh9bGQnqVAg="
)
LEAVES = [b"one", b"two", b"three"]


def test_the_tree_of_another_implementation_is_reproduced() -> None:
    hashes = [merkle.hash_leaf(leaf) for leaf in LEAVES]
    root = merkle.root(3, reader(hashes))
    assert root == b64decode(ROOT)
    assert client.tree_head([client.hash_leaf(leaf) for leaf in LEAVES]) == root


def test_its_checkpoint_is_opened_with_its_key() -> None:
    origin = published.KEY.split("+")[0]
    signed = f"{origin}\n3\n{ROOT}\n\n— {origin} {SIGNATURE}\n"
    found = Checkpoint(origin, 3, b64decode(ROOT))
    assert open_checkpoint(signed, [note.parse_verifier(published.KEY)]) == found
    theirs = client.open_checkpoint(signed.encode(), client.Key.read(published.KEY))
    assert (theirs.origin, theirs.size, theirs.root) == found


def test_a_vector_that_is_judged_wrong_is_named(tmp_path: Path) -> None:
    good = {"leafIdx": 0, "treeSize": 1, "root": ROOT, "leafHash": ROOT, "proof": None}
    (tmp_path / "inclusion").mkdir()
    for name, case in {
        "right": good | {"wantErr": False},
        "refused": good | {"treeSize": 2, "wantErr": True},
        "wrong": good | {"wantErr": True},
    }.items():
        (tmp_path / "inclusion" / f"{name}.json").write_text(json.dumps(case))
    counts, wrong = published.judge(tmp_path)
    assert counts == {"inclusion proofs accepted": 1, "inclusion proofs refused": 1}
    assert wrong == ["inclusion/wrong.json"]


def test_the_second_implementation_imports_nothing_of_ours() -> None:
    tree = ast.parse(Path(client.__file__).read_text())
    names = {
        name.partition(".")[0]
        for one in ast.walk(tree)
        for name in (
            [alias.name for alias in one.names]
            if isinstance(one, ast.Import)
            else [one.module or ""]
            if isinstance(one, ast.ImportFrom)
            else []
        )
    }
    assert names == {
        "base64", "cryptography", "dataclasses", "hashlib", "json", "struct", "sys", "urllib",
    }  # fmt: skip


@pytest.mark.parametrize("words", [[], ["none"]])
def test_without_vectors_it_says_what_it_needs(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        published.parse(words)

    assert ended.value.code == 2
    assert "error:" in capsys.readouterr().err
