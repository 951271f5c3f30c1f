"""`cablese-verify` on small files, as a shell would run it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cablese.tlog import checkpoint, cosignature, merkle, note, proof, receipt
from cablese.tlog.checkpoint import Checkpoint
from cablese.tlog.note import COSIGNATURE
from cablese.tlog.proof import Proof
from cablese.verify.command import main
from cablese.verify.keys import LIMIT
from tests.cablese.tlog.reading import reader

ORIGIN = "example.com/log/default"
SIGNER = note.make_signer(ORIGIN, bytes(range(32)))
WITNESS = note.make_signer("witness.example", bytes(range(1, 33)), COSIGNATURE)
KEY = note.format_verifier(SIGNER.verifier)
LEAVES = [f'{{"kind":"packet","leaf":{number}}}'.encode() for number in range(13)]
HASHES = [merkle.hash_leaf(leaf) for leaf in LEAVES]
INDEX, SIZE = 5, 13
read = reader(HASHES)
ROOT = merkle.root(SIZE, read)
PATH = merkle.prove_inclusion(INDEX, SIZE, read)
TEXT = checkpoint.format_checkpoint(Checkpoint(ORIGIN, SIZE, ROOT))
NOTE = note.sign(TEXT, [SIGNER]) + cosignature.cosign(TEXT, WITNESS, 1_790_000_000)


class Files:
    """A folder of files to verify."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, name: str, data: str | bytes) -> str:
        path = self.folder / name
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return str(path)

    def proof(self, *, extra: bytes | None = LEAVES[INDEX], index: int = INDEX) -> str:
        text = proof.format_proof(Proof(index, tuple(PATH), NOTE, extra))
        return self.put("packet.tlog-proof", text)

    def receipt(self) -> str:
        data = receipt.sign_receipt(
            index=INDEX,
            size=SIZE,
            path=PATH,
            root=ROOT,
            signer=SIGNER,
            subject="packet",
            issued=1_790_000_000,
        )
        return self.put("packet.cose", data)


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


def test_a_proof_with_its_leaf_is_verified(
    files: Files, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([files.proof(), "--key", KEY]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"Verified: leaf 5 of {ORIGIN}"
    assert lines[1] == "  Leaf 5 is in the signed tree of 13 leaves."
    assert lines[2] == f"  Signed by {ORIGIN}+{SIGNER.key_id.hex()}."
    assert lines[3].startswith(f"  Its hash is {HASHES[INDEX].hex()}. ")


def test_the_leaf_may_come_as_a_file_or_as_its_hash(files: Files) -> None:
    path, leaf = files.proof(extra=None), files.put("leaf", LEAVES[INDEX])
    for words in (["--leaf", leaf], ["--leaf-hash", HASHES[INDEX].hex()]):
        assert main([path, "--key", KEY, *words]) == 0
        assert main([files.receipt(), "--key", KEY, *words]) == 0
        path = files.proof(extra=None)


def test_keys_come_from_a_file_too_and_witnesses_are_named(
    files: Files, capsys: pytest.CaptureFixture[str]
) -> None:
    keys = files.put("keys", f"# ours\n{KEY}\n\n{note.format_verifier(WITNESS.verifier)}\n")
    assert main([files.proof(), "--key", keys]) == 0
    assert "Signed by witness.example" in capsys.readouterr().out
    assert main([files.put("checkpoint", NOTE), "--key", keys]) == 0
    assert "at 2026-09-21 14:13:20 UTC." in capsys.readouterr().out


@pytest.mark.parametrize(("more", "code"), [(0, 0), (1, 2)])
def test_a_file_of_keys_is_read_up_to_its_limit(files: Files, more: int, code: int) -> None:
    comment = "#" * (LIMIT - len(KEY) - 1 + more)
    file = files.put("keys", f"{comment}\n{KEY}")

    assert main([files.proof(), "--key", file]) == code


def test_a_file_of_keys_that_is_not_there_is_said(
    files: Files, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([files.proof(), "--key", "/nowhere/keys"]) == 2
    said = capsys.readouterr()
    assert "No such file: /nowhere/keys." in said.out + said.err


def test_the_key_of_a_witness_is_not_enough(
    files: Files, capsys: pytest.CaptureFixture[str]
) -> None:
    witness = note.format_verifier(WITNESS.verifier)
    assert main([files.proof(), "--key", witness]) == 1
    assert f"No known key of {ORIGIN}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("kind", "place"),
    [
        ("leaf", "extra"), ("index", "path"), ("stranger", "checkpoint"), ("root", "checkpoint"),
        ("receipt", "receipt"),
    ],
)  # fmt: skip
def test_what_does_not_fit_fails_with_its_place(
    files: Files, capsys: pytest.CaptureFixture[str], kind: str, place: str
) -> None:
    path, key, words = files.proof(), KEY, ["--leaf-hash", HASHES[INDEX].hex()]
    match kind:
        case "leaf":
            path = files.proof(extra=LEAVES[4])
        case "index":
            path = files.proof(index=4)
        case "stranger":
            key = note.format_verifier(note.generate(ORIGIN).verifier)
        case "root":
            text = Path(path).read_text().replace("\n13\n", "\n14\n")
            path = files.put("packet.tlog-proof", text)
        case "receipt":
            path, words = files.receipt(), ["--leaf-hash", HASHES[4].hex()]
    assert main([path, "--key", key, *words, "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["result"], found["code"]) == ("failed", 1)
    assert found["failures"][0]["place"] == place
    main([path, "--key", key, *words])
    said = capsys.readouterr().out
    assert said.startswith("FAILED: ")
    assert "is in the signed tree" not in said


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["absent", "--key", KEY], "There is no file"),
        (["packet.tlog-proof"], "Add --key"),
        (["packet.tlog-proof", "--key", "nonsense"], "--key: Expected"),
        (["packet.tlog-proof", "--key", "keys"], "keys, line 2: Expected"),
        (["packet.tlog-proof", "--key", "empty"], "has no keys"),
        (["bare.tlog-proof", "--key", KEY], "Add --leaf"),
        (["packet.cose", "--key", KEY], "Add --leaf"),
        (["broken.tlog-proof", "--key", KEY], "Line 2: expected index"),
        (["notes.txt", "--key", KEY], "not a proof, receipt, checkpoint, or"),
        (["large", "--key", KEY], "longer than"),
        (["packet.tlog-proof", "--key", KEY, "--leaf-hash", "12"], "64 hex digits"),
        (["packet.tlog-proof", "--key", KEY, "--leaf", "absent"], "cannot be read"),
    ],
)
def test_what_cannot_be_verified_says_why(
    files: Files,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    reason: str,
) -> None:
    Path(files.proof(extra=None)).rename(files.folder / "bare.tlog-proof")
    files.proof()
    files.receipt()
    files.put("keys", f"{KEY}\nnonsense\n")
    files.put("empty", "# no key\n")
    files.put("broken.tlog-proof", f"{proof.HEADER}\nindex x\n\n{NOTE}")
    files.put("notes.txt", "hello \x1b[31m")
    files.put("large", b"x" * 1_000_001)
    monkeypatch.chdir(files.folder)
    assert main(words) == 2
    said = capsys.readouterr().out
    assert said.startswith("Unusable: ")
    assert reason in said
    assert main([*words, "--json"]) == 2
    assert reason in json.loads(capsys.readouterr().out)["reason"]


def test_text_of_strangers_cannot_steer_the_terminal(
    files: Files, capsys: pytest.CaptureFixture[str]
) -> None:
    origin = "example.com/\u202elog"
    signer = note.make_signer(origin, bytes(32))
    text = checkpoint.format_checkpoint(Checkpoint(origin, SIZE, ROOT))
    path = files.put("checkpoint", note.sign(text, [signer]))
    assert main([path, "--key", note.format_verifier(signer.verifier)]) == 0
    assert "\u202e" not in capsys.readouterr().out


BLOCKED = """
import sys
class Block:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top in sys.stdlib_module_names | {"cablese", "cryptography", "cffi", "_cffi_backend"}:
            return None
        raise ImportError(f"{name} is blocked")
sys.meta_path.insert(0, Block())
from cablese.verify.command import main
sys.exit(main(sys.argv[1:]))
"""


def test_it_needs_nothing_but_cryptography(files: Files) -> None:
    run = subprocess.run(
        [sys.executable, "-c", BLOCKED, files.proof(), "--key", KEY],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith("Verified: ")
