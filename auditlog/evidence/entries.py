"""The lines of a pack: each leaf with its bytes, the hashes before it, and what it opens to.

{"leaf":812,"before":"q8ig…","entry":"{…}","open":{"raw":{"salt":"LXiv…","text":"REQ/TSK"}}}
"""

from array import array
from binascii import b2a_base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from auditlog import access, review
from auditlog.database import damage, spread
from auditlog.erasure import evidence as redactions
from auditlog.evidence import about
from auditlog.evidence.selection import Selection
from auditlog.export import pieces
from auditlog.integrity.openings import list_openings
from auditlog.log import leaf as leaves_of
from auditlog.models import Erasure, Leaf, Packet, Review, Seed
from auditlog.tree import hashes
from cablese.tlog.frontier import cover
from cablese.tlog.merkle import Read

Line = dict[str, Any]
_encode = msgspec.json.Encoder().encode


@dataclass
class Tally:
    """What was written so far."""

    packets: int = 0
    erased: int = 0
    about: int = 0


class _Rows(NamedTuple):
    """What is stored of some leaves."""

    packets: Mapping[int, Packet]
    seeds: Mapping[int, bytes]
    reviews: Mapping[int, Review]
    uids: Mapping[int, str]
    """The IDs of the packets that the reviews are about, by their leaves."""
    redactions: Mapping[int, Erasure]
    erased: Mapping[int, int]
    """The redaction leaf of each packet that was erased, also of those that reviews are about."""


@dataclass
class Entries:
    """The lines of a selection, proven against the tree with ``size`` leaves."""

    selection: Selection
    size: int
    others: "array[int]"
    tally: Tally = field(default_factory=Tally)

    def read(self) -> Iterator[list[tuple[Line, Packet | None]]]:
        """Yield the lines in pieces that fit in memory, packets with their row; then the last."""
        at, log = 0, self.selection.log
        for leaves in self.selection.leaves(self.others):
            for piece in pieces.cut(log, leaves):
                lines = [*self._read(piece, at)]
                at = lines[-1][0]["leaf"] + 1 if lines else at
                yield lines
        read = hashes.reader(log.pk, self.size)
        yield [({"end": self.size, **_before(read, at, self.size)}, None)]

    def _read(self, piece: Sequence[int], at: int) -> Iterator[tuple[Line, Packet | None]]:
        log = self.selection.log
        read = hashes.reader(log.pk, self.size)  # it remembers tiles, so a piece has its own
        stored = Leaf.objects.filter(log=log, **spread.lookup("index", piece)).order_by("index")
        wanted, rows = set(piece), self._load(piece)
        for index, kind, data in stored.values_list("index", "kind", "bytes"):
            if index not in wanted:
                continue
            line: Line = {"leaf": index, **_before(read, at, index)}
            line["entry"] = bytes(data).decode(errors="replace")
            at = index + 1
            yield line | self._open(index, kind, rows), rows.packets.get(index)

    def _load(self, piece: Sequence[int]) -> _Rows:
        log = self.selection.log
        packets = damage.load([(log.pk, leaf) for leaf in piece])
        seeds = Seed.objects.filter(log=log, leaf__in=piece).values_list("leaf", "value")
        reviews = about.find_reviews(log, piece)
        return _Rows(
            {leaf: packet for (_, leaf), packet in packets.items()},
            {leaf: bytes(seed) for leaf, seed in seeds},
            reviews,
            about.find_uids(log, {step.packet_leaf for step in reviews.values()}),
            about.find_redactions(log, piece),
            about.find_erased(log, piece),
        )

    def _open(self, index: int, kind: str, rows: _Rows) -> Line:
        """Return what a line says of its leaf, and count it."""
        if kind == "packet":
            self.tally.packets += 1
            return self._open_packet(index, rows)
        self.tally.about += 1
        step, erasure = rows.reviews.get(index), rows.redactions.get(index)
        if step and self._has(step.packet_leaf):
            opened = self._withhold(_open_step(step, rows.uids.get(step.packet_leaf)))
            return {"about": step.packet_leaf, "open": _spell(opened, bytes(step.seed))}
        if erasure and self._has(erasure.packet_leaf):
            opened = self._withhold(_open_erasure(erasure))
            if {"raw", "index"} & self.selection.withheld:
                opened.pop("redacted", None)
            return {"about": erasure.packet_leaf, "open": _spell(opened, bytes(erasure.seed))}
        return {}

    def _has(self, packet: int) -> bool:
        """Return whether a packet is in the pack. A range also has leaves about packets outside."""
        within = self.selection.range
        return within is None or within[0] <= packet <= within[1]

    def _open_packet(self, index: int, rows: _Rows) -> Line:
        if index in rows.erased:
            self.tally.erased += 1
            return {"erased": rows.erased[index]}
        packet, seed = rows.packets.get(index), rows.seeds.get(index)
        if packet is None or seed is None:
            return {}
        return {"open": _spell(self._withhold(list_openings(packet)), seed)}

    def _withhold(self, opened: dict[str, bytes]) -> dict[str, bytes]:
        return {name: data for name, data in opened.items() if name not in self.selection.withheld}


def _before(read: Read, first: int, last: int) -> Line:
    between = b"".join([read(level, index) for level, index in cover(first, last)])
    return {"before": _base64(between)} if between else {}


def _spell(opened: Mapping[str, bytes], seed: bytes) -> dict[str, dict[str, str]]:
    return {
        name: {"salt": _base64(leaves_of.salt(seed, name)), **_spell_bytes(data)}
        for name, data in sorted(opened.items())
    }


def _spell_bytes(data: bytes) -> dict[str, str]:
    """Return bytes as text, or as base64 if they are none, or if that is shorter."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return {"base64": _base64(data)}
    if len(_encode(text)) > len(data) * 4 // 3 + 4:
        return {"base64": _base64(data)}
    return {"text": text}


def _base64(data: bytes) -> str:
    return b2a_base64(data, newline=False).decode()


def _open_step(step: Review, uid: str | None) -> dict[str, bytes]:
    """Return what the leaf of a review commits to; nothing if its note was erased."""
    if not step.seed:
        return {}
    by = leaves_of.by_bytes(key=None, person=step.who_id, source=access.name_person(step.who))
    if uid is None:
        return {"by": by}
    decision = review.decision_bytes(
        packet=uid, state=step.state, note=step.note, undoes=step.undoes
    )
    return {"by": by, "decision": decision}


def _open_erasure(one: Erasure) -> dict[str, bytes]:
    """Return what the leaf of a redaction commits to, unless it was erased too."""
    by = leaves_of.by_bytes(key=one.key_id, person=one.who_id, source=one.source)
    opened = redactions.list_openings(
        by=by, field=one.field, reason=one.reason, redacted=one.redacted
    )
    return {name: data for name, data in opened.items() if data is not None}
