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
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from auditlog import text
from auditlog.database import damage
from auditlog.log import leaf
from auditlog.models import Leaf, Log, Packet, Seed
from playground.audit.receipt_text import RawText, Receipt, Unreadable

Mark = Literal["holds", "fails", "open"]
Verdict = Literal["verified", "does_not_match", "altered", "erased", "unknown"]
NEWEST = 100_000
"""Leaves of a log among which a hash alone is looked for: hashes have no index of their own."""
WORDS: dict[Verdict, str] = {
    "verified": "Receipt verified. The packet is in the log, unchanged.",
    "does_not_match": "The receipt does not match the log.",
    "altered": "The stored packet or leaf has changed since the receipt was issued.",
    "erased": "The leaf is still in the log; the packet’s content was erased.",
    "unknown": "No log here has this packet.",
}
UNPROVEN = (
    "This compares your receipt with what this server stores. It does not prove that the log was "
    "never rewritten as a whole: it was not checked against an independently held checkpoint."
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

    ``raw_text`` is present if a text was given.
    """

    verdict: Verdict
    words: str
    receipt: Receipt
    steps: tuple[Step, ...] = ()
    log: str | None = None
    leaf: int | None = None
    received: str | None = None
    raw_text: RawText | None = None


def check(receipt: Receipt, *, wire: str | None = None, reads: Callable[[str], bool]) -> Check:
    """Hold a receipt against what is stored. ``reads`` says whether the asker may read a log.

    Raises Unreadable for a hash alone where no log may be read.
    """
    found = _find(receipt, reads)
    if found is None:
        nowhere = Step(
            "place",
            "fails",
            _GAP if _is_gap(receipt) else "No log here has this packet or leaf.",
        )
        nothing = (
            None
            if wire is None
            else RawText("not_compared", "Your text cannot be compared: the packet was not found.")
        )
        return Check("unknown", WORDS["unknown"], receipt, (nowhere,), raw_text=nothing)
    stored, packet = found
    if stored is None:
        missing = Step(
            "leaf", "fails", "The packet is stored, but its leaf is missing from the log."
        )
        nothing = (
            None
            if wire is None
            else RawText("not_compared", "Your text was not compared: the packet has no leaf.")
        )
        return Check("altered", WORDS["altered"], receipt, (missing,), raw_text=nothing)
    steps = (*_of_receipt(receipt, stored, packet), *_of_store(stored, packet))
    verdict = _judge(steps, packet)
    allowed = reads(stored.log.slug) or (receipt.whole and verdict == "verified")
    raw = None if wire is None else _of_wire(wire, packet, allowed=allowed)
    result = Check(verdict, WORDS[verdict], receipt, steps, raw_text=raw)
    if not allowed:
        return result
    return replace(result, log=stored.log.slug, leaf=stored.index, received=_received(stored))


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


def _find(
    receipt: Receipt, reads: Callable[[str], bool]
) -> tuple[Leaf | None, Packet | None] | None:
    """The leaf that a receipt names and its packet, if that stands: by the packet, else by place
    and hash together.

    A packet without its leaf is damage.

    A place alone would tell who guesses one what is there.
    """
    packet = damage.first(uid=receipt.packet) if receipt.packet is not None else None
    if packet is not None:
        stored = (
            Leaf.objects.select_related("log")
            .filter(log_id=packet.log_id, index=packet.leaf)
            .first()
        )
        return stored, packet
    if receipt.leaf_hash is None:
        return None
    stored = _by_hash(receipt, bytes.fromhex(receipt.leaf_hash), reads)
    return (
        None if stored is None else (stored, damage.first(log_id=stored.log_id, leaf=stored.index))
    )


def _by_hash(receipt: Receipt, digest: bytes, reads: Callable[[str], bool]) -> Leaf | None:
    leaves = Leaf.objects.select_related("log").filter(hash=digest)
    if receipt.log is not None and receipt.leaf is not None:
        return leaves.filter(log__slug=receipt.log, index=receipt.leaf).first()
    if receipt.packet is not None:
        return None
    logs = [log for log in Log.objects.all() if reads(log.slug) and receipt.log in (None, log.slug)]
    if not logs:
        words = (
            "Finding a packet by leaf hash alone requires read access to the log. "
            "Add the packet ID, or the log and leaf index."
        )
        raise Unreadable(words)
    found = (leaves.filter(log=log, index__gte=log.size - NEWEST).first() for log in logs)
    return next(filter(None, found), None)


def _of_receipt(receipt: Receipt, stored: Leaf, packet: Packet | None) -> list[Step]:
    """What the receipt says, against what is there."""
    steps = []
    if receipt.packet is not None and packet is not None:
        same = packet.uid == receipt.packet
        steps.append(
            _step(
                "packet",
                "The packet ID matches.",
                "Another packet is at this leaf index.",
                holds=same,
            )
        )
    if receipt.log is not None:
        same = stored.log.slug == receipt.log
        steps.append(
            _step(
                "log",
                "The log matches.",
                "The packet is in another log.",
                holds=same,
            )
        )
    if receipt.leaf is not None:
        same = stored.index == receipt.leaf
        steps.append(
            _step(
                "place",
                "The leaf index matches.",
                "The packet has a different leaf index.",
                holds=same,
            )
        )
    if receipt.leaf_hash is not None:
        same = hmac.compare_digest(bytes(stored.hash).hex(), receipt.leaf_hash)
        words = "The leaf hash matches."
        steps.append(_step("hash", words, "The leaf hash differs from the receipt.", holds=same))
    if (
        receipt.event_id is not None
        and packet is not None
        and receipt.whole
        and steps[-1].mark == "holds"
    ):
        same = packet.event_id == receipt.event_id
        steps.append(
            _step(
                "event",
                "The event ID matches.",
                "The packet has a different event ID.",
                holds=same,
            )
        )
    return steps


def _of_store(stored: Leaf, packet: Packet | None) -> list[Step]:
    """What is stored, against itself: bytes against hash, and the packet's row against the
    bytes.
    """
    data = bytes(stored.bytes)
    intact = leaf.hash_leaf(data) == bytes(stored.hash)
    words = "The stored leaf matches its hash."
    steps = [_step("leaf", words, "The stored leaf does not match its hash.", holds=intact)]
    if stored.kind != "packet":
        return [
            *steps,
            Step("commitments", "fails", f"The leaf records a {stored.kind}, not a packet."),
        ]
    if packet is None:
        return [
            *steps,
            Step(
                "commitments",
                "open",
                "The packet was erased and can no longer be compared.",
            ),
        ]
    seed = Seed.objects.filter(packet_id=packet.seq).values_list("value", flat=True).first()
    if seed is None:
        return [
            *steps,
            Step(
                "commitments",
                "open",
                "The packet’s seed was erased; the packet cannot be compared without it.",
            ),
        ]
    return [*steps, _commitments(data, packet, bytes(seed))]


def _commitments(data: bytes, packet: Packet, seed: bytes) -> Step:
    """The leaf made anew from the packet's row, and what differs when it is another."""
    unreadable = damage.of_commitment(packet)
    if unreadable:
        words = f"The stored packet is damaged. {' '.join(unreadable)}"
        return Step("commitments", "fails", words)
    content = None if packet.content is None else bytes(packet.content)
    facts = leaf.facts_bytes(
        supplied=packet.supplied, sent_at=packet.sent_at, content=content, meaning=packet.meaning
    )
    commit = leaf.commit_packet(seed, raw=bytes(packet.wire), index=facts, event=packet.event_id)
    again = leaf.format_packet(
        commit=commit,
        log=packet.log.slug,
        dialect=packet.dialect,
        received=leaf.format_time(packet.received),
        source=packet.source_id,
    )
    if again == data:
        return Step("commitments", "holds", "The packet matches its leaf.")
    return Step(
        "commitments",
        "fails",
        f"The packet does not match its leaf. Differences: {_differing(data, again)}.",
    )


_NAMES = {
    "raw": "raw text",
    "index": "fields or metadata",
    "event": "event ID",
    "log": "log",
    "proto": "protocol",
    "recv": "receive time",
    "src": "source",
}


def _differing(data: bytes, again: bytes) -> str:
    try:
        before, after = json.loads(data), json.loads(again)
        before |= before.pop("commit")
    except (ValueError, KeyError, TypeError, AttributeError):
        return "the leaf cannot be decoded"
    after |= after.pop("commit")
    names = [words for name, words in _NAMES.items() if before.get(name) != after.get(name)]
    return ", ".join(names) or "the format of the leaf"


def _of_wire(wire: str, packet: Packet | None, *, allowed: bool) -> RawText:
    if not allowed:
        words = (
            "Comparing your text requires a complete, verified receipt or read access to the log."
        )
        return RawText("not_compared", words)
    if packet is None:
        return RawText("not_compared", "Your text cannot be compared: the packet was erased.")
    if bytes(packet.wire) == text.to_bytes(wire):
        return RawText("matches", "Your text matches the stored packet, byte for byte.")
    return RawText("differs", "Your text differs from the stored packet.")


def _step(name: str, words: str, otherwise: str, *, holds: bool) -> Step:
    return Step(name, "holds" if holds else "fails", words if holds else otherwise)


def _judge(steps: tuple[Step, ...], packet: Packet | None) -> Verdict:
    failed = {step.name for step in steps if step.mark == "fails"}
    if failed & {"leaf", "commitments"}:
        return "altered"
    if failed:
        return "does_not_match"
    return "erased" if packet is None or any(step.mark == "open" for step in steps) else "verified"
