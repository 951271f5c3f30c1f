"""Verify a receipt: is this packet in the log, at its leaf index, unchanged?

A receipt has a packet ID, its log, its leaf index, and the leaf hash. Each is compared with what is
stored, hashed again. A caller without read access learns nothing beyond the receipt: neither the
wire nor the right hash. A given text is compared only with a complete receipt, so that no caller
can test guesses.

    {"packet": "019a…", "log": "default", "leaf": 17, "leaf_hash": "5e1c…"}

A text given with the receipt has its own verdict: it may differ while the receipt matches the log.

A verified receipt proves that the packet is in the database as it was acknowledged. It does not
prove that the log was never rewritten as a whole: triggers reject changes to leaves, but the owner
of the database can drop them. That needs checkpoints held by others.
"""

import hmac
import json
from collections.abc import Callable
from contextlib import suppress
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from auditlog import text
from auditlog.database import damage
from auditlog.erasure import find as erasures
from auditlog.erasure.find import ErasureRecord
from auditlog.erasure.tables import Erasure
from auditlog.integrity import differences
from auditlog.integrity.differences import Difference
from auditlog.log import leaf
from auditlog.models import Leaf, Log, Packet, Seed
from auditlog.proofs.record import ProofRecord
from playground.audit.proofs import receipt as receipt_proof
from playground.audit.receipt_text import RawText, Receipt, Unreadable

Mark = Literal["holds", "fails", "open"]
Verdict = Literal["verified", "does_not_match", "altered", "erased", "cut", "unknown"]
NEWEST = 100_000
"""Leaves of a log among which a hash alone is looked for: hashes have no index of their own."""
WORDS: dict[Verdict, str] = {
    "verified": "Receipt verified. The packet is in the log, unchanged.",
    "does_not_match": "The receipt does not match the log.",
    "altered": "The stored packet or leaf has changed since the receipt was issued.",
    "erased": "The leaf is still in the log; the packet’s content was erased.",
    "cut": "The log ends before the leaf of this receipt.",
    "unknown": "No log here has this packet.",
}
NOT_COMPARED = (
    "This packet is in the log, as it was stored. The receipt has no leaf hash to compare."
)
"""Said of a packet ID alone instead of "verified"."""
UNPROVEN = (
    "This compares your receipt with what this server stores and signed. It does not prove that "
    "the log was never rewritten and signed again as a whole: for that, compare its checkpoints "
    "with one that was stored elsewhere."
)
_GAP = (
    "The leaf at this index is a gap: "
    "the packet was lost when an older copy of the log was restored."
)


class Step(Struct, frozen=True):
    """One comparison. ``open`` means that it could not be made, or must not be revealed."""

    name: str
    mark: Mark
    words: str


class Check(Struct, frozen=True):
    """The result for one receipt. ``log``, ``leaf``, and ``received`` are present if the receipt is
    verified or the caller can read the log.

    ``raw_text`` is present if a text was given. ``erased`` says when, by whom, and why the packet
    was erased, if the caller can read the log. ``proof`` leads from the leaf to the root of a
    signed checkpoint; it is present where ``log`` is.
    """

    verdict: Verdict
    words: str
    receipt: Receipt
    steps: tuple[Step, ...] = ()
    log: str | None = None
    leaf: int | None = None
    received: str | None = None
    raw_text: RawText | None = None
    erased: tuple[ErasureRecord, ...] = ()
    proof: ProofRecord | None = None


def check(receipt: Receipt, *, wire: str | None = None, reads: Callable[[str], bool]) -> Check:
    """Compare a receipt with what is stored. ``reads`` tells whether the caller may read a log.

    Raises Unreadable for a hash alone if no log may be read.
    """
    stored, packet = _find(receipt, reads)
    if stored is None:
        return _without_leaf(receipt, packet, wire, reads)
    signed = receipt_proof.compare(stored)
    steps = (
        *_of_receipt(receipt, stored, packet),
        *_of_store(stored, packet),
        Step("proof", signed.mark, signed.words),
    )
    verdict = _judge(steps, packet)
    allowed = reads(stored.log.slug) or (receipt.whole and verdict == "verified")
    raw = None if wire is None else _of_wire(wire, packet, allowed=allowed)
    is_bare = verdict == "verified" and receipt.leaf_hash is None
    words = NOT_COMPARED if is_bare else WORDS[verdict]
    result = Check(verdict, words, receipt, steps, raw_text=raw)
    if not allowed:
        return result
    gone = erasures.find_of(stored.log_id, stored.index) if reads(stored.log.slug) else []
    return replace(
        result,
        log=stored.log.slug,
        leaf=stored.index,
        received=_received(stored),
        erased=erasures.read(gone).erased if gone else (),
        proof=signed.proof,
    )


def _without_leaf(
    receipt: Receipt, packet: Packet | None, wire: str | None, reads: Callable[[str], bool]
) -> Check:
    verdict: Verdict = "unknown" if packet is None else "altered"
    cut = receipt_proof.describe_cut(receipt, reads=reads(receipt.log)) if receipt.log else None
    if packet is not None:
        step = Step("leaf", "fails", "The packet is stored, but its leaf is missing from the log.")
        reason = "Your text was not compared: the packet has no leaf."
    elif cut is not None:
        verdict, step = "cut", Step("place", "fails", cut)
        reason = "Your text cannot be compared: the packet was not found."
    else:
        nowhere = "No log here has this packet or leaf."
        step = Step("place", "fails", _GAP if _is_gap(receipt) else nowhere)
        reason = "Your text cannot be compared: the packet was not found."
    raw = None if wire is None else RawText("not_compared", reason)
    return Check(verdict, WORDS[verdict], receipt, (step,), raw_text=raw)


def _is_gap(receipt: Receipt) -> bool:
    """Whether the leaf index of a receipt was lost with its packet."""
    if receipt.log is None or receipt.leaf is None:
        return False
    return Leaf.objects.filter(log__slug=receipt.log, index=receipt.leaf, kind="gap").exists()


def _received(stored: Leaf) -> str | None:
    """The time in a leaf; None where its bytes are not those of a leaf."""
    try:
        return str(json.loads(bytes(stored.bytes))["recv"])
    except (ValueError, TypeError, KeyError):
        return None


def _find(receipt: Receipt, reads: Callable[[str], bool]) -> tuple[Leaf | None, Packet | None]:
    """Return the leaf that a receipt names and its packet: by the packet ID, otherwise by index and
    hash together. A packet without its leaf is damage.

    An index alone would tell guessers what is stored there.
    """
    leaves = Leaf.objects.select_related("log")
    packet = damage.by_uid(receipt.packet) if receipt.packet is not None else None
    if packet is not None:
        return leaves.filter(log_id=packet.log_id, index=packet.leaf).first(), packet
    if receipt.packet is not None and (gone := _find_erased(receipt.packet)) is not None:
        return leaves.filter(log_id=gone.log_id, index=gone.packet_leaf).first(), None
    if receipt.leaf_hash is None:
        return None, None
    stored = _by_hash(receipt, bytes.fromhex(receipt.leaf_hash), reads)
    return stored, damage.first(log_id=stored.log_id, leaf=stored.index) if stored else None


def _find_erased(uid: str) -> Erasure | None:
    with suppress(erasures.NotErased):
        return erasures.find(uid)[0]
    return None


def _by_hash(receipt: Receipt, digest: bytes, reads: Callable[[str], bool]) -> Leaf | None:
    leaves = Leaf.objects.select_related("log").filter(hash=digest)
    if receipt.log is not None and receipt.leaf is not None:
        return leaves.filter(log__slug=receipt.log, index=receipt.leaf).first()
    if receipt.packet is not None:
        return None
    logs = [
        log
        for log in Log.objects.select_related("end")
        if reads(log.slug) and receipt.log in (None, log.slug)
    ]
    if not logs:
        raise Unreadable(
            "Finding a packet by leaf hash alone requires read access to the log. "
            "Add the packet ID, or the log and leaf index."
        )
    found = (leaves.filter(log=log, index__gte=log.end.size - NEWEST).first() for log in logs)
    return next(filter(None, found), None)


_COMPARED = {
    "packet": ("The packet ID matches.", "Another packet is at this leaf index."),
    "log": ("The log matches.", "The packet is in another log."),
    "place": ("The leaf index matches.", "The packet has a different leaf index."),
    "hash": ("The leaf hash matches.", "The leaf hash differs from the receipt."),
    "event": ("The event ID matches.", "The packet has a different event ID."),
    "leaf": ("The stored leaf matches its hash.", "The stored leaf does not match its hash."),
}
"""What a step says if it holds, and if it fails."""


def _compare(name: str, *, holds: bool) -> Step:
    return Step(name, "holds" if holds else "fails", _COMPARED[name][not holds])


def _of_receipt(receipt: Receipt, stored: Leaf, packet: Packet | None) -> list[Step]:
    """Compare what the receipt says with what is stored."""
    digest = bytes(stored.hash).hex()
    uid = packet.uid if packet else _read_erased(stored)
    compared = (
        ("packet", uid and receipt.packet, uid == receipt.packet),
        ("log", receipt.log, stored.log.slug == receipt.log),
        ("place", receipt.leaf, stored.index == receipt.leaf),
        ("hash", receipt.leaf_hash, hmac.compare_digest(digest, receipt.leaf_hash or "")),
    )
    steps = [
        _compare(name, holds=bool(holds)) for name, given, holds in compared if given is not None
    ]
    may_tell = receipt.whole and steps[-1].mark == "holds"
    if may_tell and packet is not None and receipt.event_id is not None:
        steps.append(_compare("event", holds=packet.event_id == receipt.event_id))
    return steps


def _read_erased(stored: Leaf) -> str | None:
    """Return the ID of the packet that was erased from a leaf; None if none was."""
    gone = erasures.find_of(stored.log_id, stored.index)
    return gone[0].uid if gone else None


def _of_store(stored: Leaf, packet: Packet | None) -> tuple[Step, Step]:
    """Compare what is stored with itself: bytes with their hash, and the packet with the bytes."""
    data = bytes(stored.bytes)
    is_intact = leaf.hash_leaf(data) == bytes(stored.hash)
    return _compare("leaf", holds=is_intact), _commitments(stored, data, packet)


def _commitments(stored: Leaf, data: bytes, packet: Packet | None) -> Step:
    """Make the leaf again from the packet, and name what differs."""
    if stored.kind != "packet":
        return Step("commitments", "fails", f"The leaf records a {stored.kind}, not a packet.")
    if packet is None and not erasures.is_recorded(stored.log_id, stored.index):
        words = "The packet is missing, and no redaction leaf says that it was erased."
        return Step("commitments", "fails", words)
    if packet is None:
        words = "The packet was erased and can no longer be compared."
        return Step("commitments", "open", words)
    seed = Seed.objects.filter(pk=packet.pk).values_list("value", flat=True).first()
    if seed is None:  # Erasing a packet deletes it with its seed.
        words = "The packet’s seed is missing, so the packet cannot be compared with its leaf."
        return Step("commitments", "fails", words)
    if packet.damage:
        words = f"The stored packet is damaged. {' '.join(packet.damage)}"
        return Step("commitments", "fails", words)
    found = differences.find(packet, seed=bytes(seed), data=data)
    if not found:
        return Step("commitments", "holds", "The packet matches its leaf.")
    words = "; ".join(map(_list_names, found))
    return Step(
        "commitments", "fails", f"The packet does not match its leaf. Differences: {words}."
    )


def _list_names(names: Difference) -> str:
    """Write one name, or several of which at least one applies."""
    *others, last = names
    if not others:
        return last
    return f"{', '.join(others)}{',' if len(others) > 1 else ''} or {last}"


def _of_wire(wire: str, packet: Packet | None, *, allowed: bool) -> RawText:
    if not allowed:
        return RawText(
            "not_compared",
            "Comparing your text requires a complete, verified receipt or read access to the log.",
        )
    if packet is None:
        return RawText("not_compared", "Your text cannot be compared: the packet was erased.")
    if bytes(packet.wire) == text.to_bytes(wire):
        return RawText("matches", "Your text matches the stored packet, byte for byte.")
    return RawText("differs", "Your text differs from the stored packet.")


def _judge(steps: tuple[Step, ...], packet: Packet | None) -> Verdict:
    failed = {step.name for step in steps if step.mark == "fails"}
    if failed & {"leaf", "commitments", "proof"}:
        return "altered"
    if failed:
        return "does_not_match"
    return "erased" if packet is None or _is_open(steps) else "verified"


def _is_open(steps: tuple[Step, ...]) -> bool:
    """Whether the packet could not be compared with its leaf."""
    return any(step.name == "commitments" and step.mark == "open" for step in steps)
