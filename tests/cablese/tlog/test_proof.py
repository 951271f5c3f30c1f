"""Proof files (C2SP tlog-proof): written, read, verified, and spoiled."""

from dataclasses import replace

import pytest

from cablese.tlog import checkpoint, merkle, note, proof
from cablese.tlog.checkpoint import Checkpoint
from cablese.tlog.merkle import BadProof
from cablese.tlog.proof import Proof
from tests.cablese.tlog.reading import reader

ORIGIN = "example.com/log/default"
SIGNER = note.make_signer(ORIGIN, bytes(range(32)))
HASHES = [merkle.hash_leaf(str(number).encode()) for number in range(13)]
read = reader(HASHES)


def make(index: int = 5, size: int = 13) -> Proof:
    text = checkpoint.format_checkpoint(Checkpoint(ORIGIN, size, merkle.root(size, read)))
    path = tuple(merkle.prove_inclusion(index, size, read))
    return Proof(index, path, note.sign(text, [SIGNER]))


@pytest.mark.parametrize("extra", [None, b"", b"more \x00"])
@pytest.mark.parametrize("index", range(13))
def test_a_proof_is_written_read_and_verified(index: int, extra: bytes | None) -> None:
    written = replace(make(index), extra=extra)

    found = proof.parse_proof(proof.format_proof(written))

    assert found == written
    shown = proof.verify_proof(found, HASHES[index], [SIGNER.verifier], ORIGIN)
    assert (shown.origin, shown.size) == (ORIGIN, 13)


def test_the_file_is_as_the_specification_has_it() -> None:
    lines = proof.format_proof(make(12)).split("\n")
    assert lines[:2] == ["c2sp.org/tlog-proof@v1", "index 12"]
    assert len(lines[2]) == len(lines[3]) == 44
    assert lines[4:7] == ["", ORIGIN, "13"]
    assert lines[-1] == ""


def test_a_tree_of_one_leaf_has_no_path() -> None:
    found = proof.parse_proof(proof.format_proof(make(0, 1)))
    assert found.path == ()
    proof.verify_proof(found, HASHES[0], [SIGNER.verifier])


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("@v1", "@v2", "Line 1"),
        ("index 5", "index 05", "Line 2"),
        ("index 5", "index -5", "Line 2"),
        ("index 5", "index ٥", "Line 2"),
        ("index 5", "extra *\nindex 5", "Line 2"),
        ("index 5", "index 5\nAAAA", "Line 3"),
        ("index 5", "index 5\n" + "A" * 43, "Line 3"),
        ("index 5\n", "index 5\n" + "\n".join(["A" * 43 + "="] * 61) + "\n", "hashes"),
        ("\n\n", "\n", "checkpoint|Line"),
    ],
)
def test_a_malformed_proof_is_refused_with_its_place(old: str, new: str, words: str) -> None:
    text = proof.format_proof(make())
    assert old in text
    with pytest.raises(BadProof, match=words):
        proof.parse_proof(text.replace(old, new))


def test_an_enormous_proof_is_refused() -> None:
    with pytest.raises(BadProof, match="longer"):
        proof.parse_proof("x" * (proof.LIMIT + 1))


def test_what_does_not_fit_is_refused() -> None:
    good = make()
    stranger = note.generate(ORIGIN)
    with pytest.raises(BadProof):
        proof.verify_proof(good, HASHES[4], [SIGNER.verifier])
    with pytest.raises(BadProof):
        proof.verify_proof(replace(good, index=4), HASHES[5], [SIGNER.verifier])
    with pytest.raises(BadProof):
        proof.verify_proof(replace(good, path=good.path[1:]), HASHES[5], [SIGNER.verifier])
    with pytest.raises(note.BadNote):
        proof.verify_proof(good, HASHES[5], [stranger.verifier])
    with pytest.raises(note.BadNote):
        proof.verify_proof(good, HASHES[5], [SIGNER.verifier], "example.com/log/other")
    larger = replace(good, checkpoint=good.checkpoint.replace("\n13\n", "\n14\n"))
    with pytest.raises(note.BadNote):
        proof.verify_proof(larger, HASHES[5], [SIGNER.verifier])


def test_a_proof_has_a_checkpoint() -> None:
    with pytest.raises(BadProof, match="no checkpoint"):
        proof.parse_proof("c2sp.org/tlog-proof@v1\nindex 0\n")
