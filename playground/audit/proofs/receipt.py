"""What signed checkpoints say of a receipt: whether its leaf leads to a signed root, and whether
the log was cut before it.

The words have no index and no size unless the caller can read the log.
"""

from typing import Literal, NamedTuple

from auditlog.models import Leaf, LogEnd
from auditlog.proofs import inclusion
from auditlog.proofs.record import ProofRecord, record
from auditlog.tree import checkpoints, publication
from playground.audit.receipt_text import Receipt


class Signed(NamedTuple):
    """Whether a leaf is in what was signed; ``open`` if it is not signed yet."""

    mark: Literal["holds", "fails", "open"]
    words: str
    proof: ProofRecord | None = None


def compare(stored: Leaf) -> Signed:
    """Make the path from the stored leaf to the signed root again."""
    try:
        found = inclusion.prove(stored.log, stored.index)
    except inclusion.NotSigned:
        return Signed(
            "open",
            "No signed checkpoint covers the leaf yet. A proof is usually available within "
            f"{inclusion.SOON} s.",
        )
    except inclusion.Unproven:
        return Signed("fails", "The leaf does not lead to the root that the log signed.")
    return Signed("holds", "The leaf leads to the root that the log signed.", record(found))


def describe_cut(receipt: Receipt, *, reads: bool) -> str | None:
    """Return how a log was cut before the leaf of a receipt; None if it was not, or if the caller
    can neither read the log nor its public checkpoints.
    """
    end = LogEnd.objects.select_related("log").filter(log__slug=receipt.log).first()
    if end is None or receipt.leaf is None or receipt.leaf < end.size:
        return None
    if not reads and not publication.read(end.log).public:
        return None
    newest = checkpoints.latest(end.log)
    signed = (
        "Its newest leaves were removed (tail cut): a checkpoint of "
        f"{newest.size:,} leaves covers it."
        if newest is not None and newest.size > receipt.leaf
        else "Its newest leaves were removed (tail cut), or the receipt is from another log."
    )
    return f"The log ends at size {end.size:,}, before leaf {receipt.leaf:,}. {signed}"
