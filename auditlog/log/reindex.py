"""Make the search index again from the packets, while the log is in use.

Terms depend on nothing but columns that are stored with a packet, so a new version of the terms, or
a damaged index, costs no packet. Each piece is one transaction, which also notes the version of its
packets: after a kill, the next run continues with the packets that are left.
"""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec
from django.db import connection, transaction

from auditlog import text
from auditlog.database import damage
from auditlog.log import log_end
from auditlog.log import packet as packets
from auditlog.models import Packet
from auditlog.search import index, terms
from auditlog.search.completion import counts
from auditlog.search.language import columns
from cablese import detection, registry

PIECE = 500
"""Packets in one transaction: a writer waits for one."""
FIRST_COUNTED = 2
"""The first version of the terms whose packets were counted for completion when stored. One that
gives a packet other values must be the first, and count all packets again: a self-check compares
the counts with the terms.
"""
_OTHER = "SELECT log_id, leaf FROM auditlog_packet WHERE terms_version <> %s"
_AFTER = " AND (log_id, leaf) > (%s, %s) ORDER BY log_id, leaf LIMIT %s"


class Coded(msgspec.Struct):
    """What the index has of a stored diagnostic."""

    code: str
    severity: str


class Progress(NamedTuple):
    """How many packets are indexed again, of how many."""

    done: int
    total: int


def terms_of(packet: Packet) -> terms.Terms:
    """Return the terms of a stored packet, which comes with its log and source."""
    message = packets.read(packet)
    known = message.protocol != detection.UNKNOWN
    supplied = text.from_json(packet.supplied)
    if packet.content is not None:
        supplied["content"] = bytes(packet.content).decode()
    return terms.stream(
        log=packet.log.slug,
        protocol=packet.protocol,
        valid=packet.valid,
        wire=text.from_bytes(bytes(packet.wire)),
        fields=terms.find_fields(message),
        meaning=registry.get(message.protocol).meaning(message) if known else None,
        supplied=supplied,
        source=packet.source.name,
        columns=columns.write(packet.tokens, packet, _codes(packet)),
    )


def _codes(packet: Packet) -> list[Coded]:
    return msgspec.convert(text.from_json(packet.diagnostics), list[Coded])


def forget() -> None:
    """Let the next run make the terms of every packet again, with the values and the names of
    fields that completion offers.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        Packet.objects.update(terms_version=0)
        counts.clear(cursor)
        index.clear_keys(cursor)


def run() -> Iterator[Progress]:
    """Index the packets whose terms are of another version again, piece by piece."""
    total = Packet.objects.exclude(terms_version=terms.VERSION).count()
    done, last = 0, (0, -1)
    while piece := _find(last):
        _write(piece)
        done, last = done + len(piece), piece[-1]
        yield Progress(done, max(done, total))


def _find(last: damage.Key) -> list[damage.Key]:
    with connection.cursor() as cursor:
        cursor.execute(_OTHER + _AFTER, (terms.VERSION, *last, PIECE))
        return [(log_id, leaf) for log_id, leaf in cursor.fetchall()]


def _write(keys: list[damage.Key]) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        # What is counted for completion has one writer a log.
        log_end.hold(cursor, {log_id for log_id, _ in keys}, refuse=False)
        found = damage.load(keys)  # in the transaction: a packet may have been erased since
        entries = [
            index.Entry(
                *key,
                packet.protocol,
                terms_of(packet),
                terms.same(packet.log_id, bytes(packet.wire)),
                counted=packet.terms_version >= FIRST_COUNTED,
            )
            for key, packet in sorted(found.items())
        ]
        index.erase(cursor, found)
        index.write(cursor, entries)
        for log_id in {log_id for log_id, _ in found}:
            leaves = [leaf for owner, leaf in found if owner == log_id]
            stored = Packet.objects.filter(log_id=log_id, leaf__in=leaves)
            stored.update(terms_version=terms.VERSION)
