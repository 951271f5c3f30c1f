"""A packet as the API answers it and pages show it. What it says in words is made here, when it is
looked at.
"""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from auditlog import review, text
from auditlog.database import damage
from auditlog.findings import sensitive
from auditlog.findings.finding import StoredFinding
from auditlog.findings.following import position
from auditlog.log import leaf, replays
from auditlog.models import Leaf, Packet, Review
from cablese import detection, registry, tokens
from cablese.message import DOUBTS, Diagnostic, Message, Piece


class Spent(msgspec.Struct, frozen=True):
    """Token counts of a packet and of its JSON baseline at the time it was received."""

    tokenizer: str
    count: int
    json: int | None


class Repeated(msgspec.Struct, frozen=True):
    """The number of packets in the log with the same bytes, a minimum if not exact, and the ID of
    the first.
    """

    count: int
    exact: bool
    first: str


class PacketRecord(msgspec.Struct, frozen=True):
    """A packet as received. ``wire_base64`` is present if its bytes are not UTF-8.

    ``review`` is the newest decision that is not undone; ``comments`` are those not undone.
    ``repeats`` is null if the bytes were received once; otherwise the packet may be a replay.
    ``findings`` is null until they are made, seconds after the packet was stored.
    ``damaged`` lists what cannot be read because the database is damaged. ``leaf_hash`` is null if
    the leaf is missing.
    """

    id: str
    log: str
    leaf: int
    leaf_hash: str | None
    received: str
    sent_at: str | None
    event_id: str | None
    source: str
    protocol: str
    version: str
    wire: str
    valid: bool
    canonical: str | None
    meaning: dict[str, Any]
    supplied: dict[str, Any]
    diagnostics: tuple[Diagnostic, ...]
    tokens: Spent
    review: dict[str, Any] | None
    comments: tuple[dict[str, Any], ...]
    repeats: Repeated | None
    findings: tuple[StoredFinding, ...] | None
    damaged: tuple[str, ...]
    wire_base64: str | msgspec.UnsetType = msgspec.UNSET


class NoSuchPacket(LookupError):
    """A packet with this ID does not exist."""


def find(uid: str, *, log: str | None = None) -> Packet:
    """Return the packet with this ID in a log, or in any. Raises NoSuchPacket."""
    packet = damage.by_uid(uid, log=log)
    if packet is None:
        raise NoSuchPacket(uid)
    return packet


def wire(packet: Packet) -> str:
    """Return the wire for display; U+FFFD replaces each byte that is not UTF-8."""
    return str(text.whole(text.from_bytes(bytes(packet.wire))))


def read(packet: Packet) -> Message:
    """Decode the wire again, as the protocol it was stored as, and warn of a doubtful end."""
    message = detection.decode(
        text.from_bytes(bytes(packet.wire)), packet.protocol, dialect=packet.dialect
    )
    return detection.mark_doubts(message, _find_doubts(packet))


def _find_doubts(packet: Packet) -> tuple[str, ...]:
    """Return what the log line of a packet showed to be in doubt."""
    if not any(f'"{name}"' in packet.supplied for name in DOUBTS):
        return ()
    return detection.find_doubts(text.from_json(packet.supplied).get("attributes", {}))


def describe(message: Message) -> str:
    """Return the English description of a message; empty for one of no protocol."""
    if message.protocol == detection.UNKNOWN:
        return ""
    return registry.get(message.protocol).sentence(message)


def _describe(message: Message) -> tuple[Piece, ...]:
    if message.protocol == detection.UNKNOWN:
        return ()
    return registry.get(message.protocol).describe(message)


def as_json(packet: Packet, *, fields: bool) -> dict[str, Any]:
    """One packet; with `fields` what its wire says, decoded now: `values`, `fields`, `english` and
    what in it is `sensitive`, the tokens of the task content that came beside it, and every step of
    its review.
    """
    record = records([packet])[0]
    if not fields:
        return record
    steps = [review.as_json(step) for step in review.find_steps([packet])]
    more = {"content_tokens": _content_tokens(packet), "review_steps": steps}
    return record | _decode_fields(packet) | more


def _content_tokens(packet: Packet) -> dict[str, Any] | None:
    """Tokens of the task content beside a packet, which are none of the packet's own; None without
    content.
    """
    if packet.content is None:
        return None
    counted = tokens.count(bytes(packet.content).decode(), packet.tokenizer)
    return {"count": counted.count, "exact": counted.exact}


def records(packets: Sequence[Packet]) -> list[dict[str, Any]]:
    """Return packets without their decoded fields. They come with log and source; a few
    queries find the rest.
    """
    hashes = _hashes(packets)
    damage.note_leaves(packets, hashes)
    steps = review.list_effective(review.find_steps(packets))
    states, comments = review.find_decisions(steps), review.find_comments(steps)
    same = replays.count_all(packets)
    findings = position.find_stored(packets)
    return [
        _record(
            packet,
            hashes.get((packet.log_id, packet.leaf)),
            states.get(packet.pk),
            same.get(packet.pk),
        )
        | {
            "comments": [review.as_json(step) for step in comments.get(packet.pk, ())],
            "findings": msgspec.to_builtins(findings.get(packet.pk)),
        }
        for packet in packets
    ]


def exported(packets: Sequence[Packet]) -> Iterator[dict[str, Any]]:
    """Yield the record of each packet with its English description as `sentence`."""
    for packet, record in zip(packets, records(packets), strict=True):
        yield record | {"sentence": text.whole(describe(read(packet)))}


def _hashes(packets: Sequence[Packet]) -> dict[tuple[int, int], bytes]:
    found: dict[tuple[int, int], bytes] = {}
    for log_id in {packet.log_id for packet in packets}:
        places = [packet.leaf for packet in packets if packet.log_id == log_id]
        rows = Leaf.objects.filter(log_id=log_id, index__in=places).values_list("index", "hash")
        found |= {(log_id, index): bytes(digest) for index, digest in rows}
    return found


def _record(
    packet: Packet, leaf_hash: bytes | None, latest: Review | None, same: replays.Count | None
) -> dict[str, Any]:
    raw = bytes(packet.wire)
    supplied = text.from_json(packet.supplied)
    if packet.content is not None:
        supplied["content"] = bytes(packet.content).decode()
    return {
        "id": packet.uid,
        "log": packet.log.slug,
        "leaf": packet.leaf,
        "leaf_hash": None if leaf_hash is None else leaf_hash.hex(),
        "received": leaf.format_time(packet.received),
        "sent_at": packet.sent_at,
        "event_id": packet.event_id,
        "source": packet.source.name,
        "protocol": packet.protocol,
        "version": packet.dialect,
        "wire": wire(packet),
        **({} if text.is_utf8(raw) else {"wire_base64": b64encode(raw).decode()}),
        "valid": packet.valid,
        "canonical": None
        if packet.canonical is None
        else (bytes(packet.canonical) or raw).decode(),
        "meaning": text.from_json(packet.meaning),
        "supplied": supplied,
        # Up to megabytes, and seldom read.
        "diagnostics": msgspec.Raw(packet.diagnostics.encode()),
        "tokens": {
            "tokenizer": packet.tokenizer,
            "count": packet.tokens,
            "json": packet.tokens_json,
        },
        "review": None if latest is None else review.as_json(latest),
        "repeats": None
        if same is None
        else {"count": same.number, "exact": same.exact, "first": same.first},
        "damaged": list(packet.damage),
    }


def _decode_fields(packet: Packet) -> dict[str, Any]:
    message = read(packet)
    fields = {
        "values": message.values,
        "fields": message.fields,
        "english": _describe(message),
        "sensitive": sensitive.find(message),
    }
    return dict(text.whole(msgspec.to_builtins(fields)))
