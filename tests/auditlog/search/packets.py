"""Packets an hour apart, and the leaves that a query finds among them."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from django.db import connection, transaction

from auditlog.models import Finding, Leaf, Log, LogEnd, Packet, Source
from auditlog.search import index, terms
from auditlog.search.find import find
from cablese import registry

START = datetime(2026, 11, 1, 12, tzinfo=UTC)
CONVERSATION = (
    "REQ/TSK|g=42,t=1,p=2,@=auth_refactor",
    "PRO/PLN|g=42,t=1,@=auth_refactor",
    "REJ/PLN|g=42,t=1,!=scope too large",
    "ACC/PLN|g=43,t=1",
    "INF/OBS|g=42,t=1,s=done,@=auth_health",
    "EVL/EVL|g=42,t=1,sc=8",
)


def put(
    wires: Iterable[str],
    *,
    log: str = "default",
    every: timedelta = timedelta(hours=1),
    supplied: Mapping[str, Any] | None = None,
    columns: str = "",
) -> None:
    """Store packets an hour apart, with what search reads of them. ``columns`` are the tokens of
    their other facts.
    """
    source = Source.objects.get_or_create(name="HR bot")[0]
    row, _ = Log.objects.get_or_create(
        slug=log, defaults={"origin": f"here/{log}", "title": log, "created": START}
    )
    end, _ = LogEnd.objects.get_or_create(log=row)
    entries = []
    codec = registry.get("nslip")
    with transaction.atomic(), connection.cursor() as cursor:
        for wire in wires:
            message = codec.decode(wire)
            Leaf.objects.create(log=row, index=end.size, kind="packet", bytes=b"", hash=b"")
            Packet.objects.create(
                uid=str(uuid4()), log=row, leaf=end.size, received=START + end.size * every,
                protocol="nslip", dialect="nslip/1", wire=wire.encode(), valid=message.valid,
                diagnostics="[]", meaning="{}", supplied="{}",
                source=source, tokens=1, tokenizer="o200k_base", baseline_version=1,
                codec_version=1, terms_version=1,
            )  # fmt: skip
            found = terms.stream(
                log=log, protocol="nslip", valid=message.valid, wire=wire,
                fields=terms.flatten(message.values),
                meaning=codec.meaning(message), supplied=supplied, source=source.name,
                columns=columns,
            )  # fmt: skip
            entries.append(index.Entry(row.pk, end.size, "nslip", found))
            end.size += 1
        end.save(update_fields=["size"])
        index.write(cursor, entries)


def put_findings(leaf: int, *detectors: str, log: str = "default") -> None:
    """Store two findings of each detector in a packet."""
    row = Log.objects.get(slug=log)
    Finding.objects.bulk_create(
        Finding(log=row, leaf=leaf, detector=name, number=number, version=1, code="a")
        for name in detectors
        for number in range(2)
    )


def places(text: str, *, logs: tuple[str, ...] = ("default",), now: datetime = START) -> list[int]:
    """The leaves that a query finds."""
    return [packet.leaf for packet in find(logs, text, now=now).rows]
