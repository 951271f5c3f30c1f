"""One packet beside the list that it is in."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from auditlog.log import packet as packets
from auditlog.models import Log
from playground.audit import metadata, packet_rows
from playground.audit.packet_rows import PacketRow
from playground.audit.views.audit import packet_or_404
from playground.display.message import FullMessage


@never_cache
@require_safe
@login_required
def fragment(request: HttpRequest, log: str, uid: UUID) -> HttpResponse:
    """Return one packet in short. The parameters are those of the list beside it."""
    (row,) = packet_rows.draw([packet_or_404(uid, log)])
    query, at = request.GET.get("q", "").strip(), request.GET.get("at", "").strip()
    return render(request, "audit/trail/_drawer.html", _context(row) | {"query": query, "at": at})


def open_beside(rows: Iterable[PacketRow], uid: UUID, log: Log) -> dict[str, Any]:
    """Return the context of the open packet of a list; nothing if the log does not have it."""
    row = next((row for row in rows if row.packet.uid == str(uid)), None)
    if row is None:
        try:
            (row,) = packet_rows.draw([packets.find(str(uid), log=log.slug)])
        except packets.NoSuchPacket:
            return {}
    return _context(row)


def _context(row: PacketRow) -> dict[str, Any]:
    return {
        "opened": row,
        "packet": row.packet,
        "record": row.record,
        "shown": FullMessage(row.message, row.packet.tokenizer),
        "facts": metadata.of_supplied(row.record["supplied"], row.record["sent_at"]),
    }
