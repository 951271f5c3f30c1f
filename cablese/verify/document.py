"""Verify one small file: a proof, a COSE receipt, or a checkpoint."""

from collections.abc import Sequence
from datetime import UTC, datetime

from cablese.amount import leaves
from cablese.tlog import merkle, proof, receipt
from cablese.tlog.checkpoint import Checkpoint, open_checkpoint
from cablese.tlog.cosignature import verify as verify_cosignature
from cablese.tlog.merkle import BadProof
from cablese.tlog.note import BadNote, Verifier, split
from cablese.tlog.receipt import BadReceipt
from cablese.verify.keys import require
from cablese.verify.report import Report, Unusable

LIMIT = 1_000_000
"""Bytes of such a file that are read."""
_NO_LEAF = "The leaf is not in this file. Add --leaf with the file of its bytes, or --leaf-hash."


def verify_proof(data: bytes, keys: Sequence[Verifier], leaf_hash: bytes | None) -> Report:
    """Verify a proof file. Its extra data is the leaf, unless another one is given. Raises
    Unusable.
    """
    try:
        found = proof.parse_proof(data.decode())
    except (UnicodeDecodeError, BadProof) as error:
        raise Unusable(f"This is not a proof file. {error}") from None
    own = None if found.extra is None else merkle.hash_leaf(found.extra)
    hashed = leaf_hash or own
    if hashed is None:
        raise Unusable(_NO_LEAF)
    report = Report(f"leaf {found.index:,}")
    if own is not None and own != hashed:
        report.fail("extra", "The leaf in the proof file is not the leaf that was given.")
    checkpoint = _check_note(found.checkpoint, require(keys), report)
    if checkpoint is not None:
        report.subject += f" of {checkpoint.origin}"
        _check_path(found, hashed, checkpoint, report)
    if leaf_hash is None:
        report.facts.append(f"Its hash is {hashed.hex()}. Compare it with that of your receipt.")
    return report


def verify_receipt(data: bytes, keys: Sequence[Verifier], leaf_hash: bytes | None) -> Report:
    """Verify a COSE receipt of a leaf. Raises Unusable."""
    if leaf_hash is None:
        raise Unusable(_NO_LEAF)
    report = Report("COSE receipt")
    try:
        found = receipt.verify_receipt(data, leaf_hash, require(keys))
    except (BadReceipt, BadProof) as error:
        report.fail("receipt", str(error))
        return report
    report.subject = f"COSE receipt of leaf {found.index:,} of {found.issuer}"
    report.facts += [
        _say_included(found.index, found.size),
        f"The receipt says that the log signed it at {_say_time(found.issued)}.",
    ]
    return report


def verify_checkpoint(data: bytes, keys: Sequence[Verifier]) -> Report:
    """Verify the signatures of a checkpoint. Raises Unusable."""
    report = Report("checkpoint")
    checkpoint = _check_note(data.decode(errors="replace"), require(keys), report)
    if checkpoint is not None:
        report.subject = f"checkpoint of {checkpoint.origin}"
        report.facts.append(f"It had {leaves(checkpoint.size)}. Root: {checkpoint.root.hex()}.")
    return report


def _check_note(text: str, keys: Sequence[Verifier], report: Report) -> Checkpoint | None:
    """Return the checkpoint if a known key signed it, and say who else did."""
    try:
        checkpoint = open_checkpoint(text, keys)
    except BadNote as error:
        report.fail("checkpoint", str(error))
        return None
    report.facts += _list_signers(text, keys)
    return checkpoint


def _list_signers(text: str, keys: Sequence[Verifier]) -> list[str]:
    body, signatures = split(text)
    facts = []
    for key in keys:
        for signature in signatures:
            if (signature.name, signature.key_id) != (key.name, key.key_id):
                continue
            at = verify_cosignature(body, signature, key)
            when = "" if at is None else f" at {_say_time(at)}"
            facts.append(f"Signed by {key.name}+{key.key_id.hex()}{when}.")
    return facts


def _check_path(
    found: proof.Proof, leaf_hash: bytes, checkpoint: Checkpoint, report: Report
) -> None:
    try:
        merkle.verify_inclusion(
            leaf_hash, found.index, checkpoint.size, found.path, checkpoint.root
        )
    except BadProof as error:
        report.fail("path", str(error))
    else:
        report.facts.insert(0, _say_included(found.index, checkpoint.size))


def _say_included(index: int, size: int) -> str:
    return f"Leaf {index:,} is in the signed tree of {leaves(size)}."


def _say_time(seconds: int) -> str:
    try:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (OverflowError, ValueError, OSError):
        return "a time that no calendar has"
