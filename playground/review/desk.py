"""What the review desk shows: a page of the queue, one packet, and what can be undone."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from auditlog import review
from auditlog.database import damage
from auditlog.database.unavailable import Unavailable
from auditlog.erasure import find as erasures
from auditlog.log import packet as packets
from auditlog.models import Packet
from auditlog.search.explain import explain
from playground.audit import metadata
from playground.audit.marks import Mark, find_state
from playground.audit.packet_rows import sent_time
from playground.display.message import FullMessage
from playground.review import addresses, history, ranges
from playground.review.forms import write_moment
from playground.review.queue import Queue
from playground.review.reasons import list_reasons

AHEAD = 3
"""Packets that a browser fetches before they are asked for."""


class NoPacket(LookupError):
    """The packet is not in this queue."""


def is_erased(queue: Queue, leaf: int | None) -> bool:
    """Return whether a packet was erased, perhaps since the queue was shown."""
    return leaf is not None and bool(erasures.find_of(queue.log.pk, leaf))


@dataclass(frozen=True)
class Row:
    """A packet in the list."""

    leaf: int
    position: int
    packet: Packet
    sent: datetime
    """When it was sent, in UTC, or received if no time is stated."""
    mark: Mark
    english: str
    state: str


def answer(
    request: HttpRequest,
    queue: Queue,
    leaf: int | None,
    selected: Sequence[int],
    *,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    """Answer with the page of a queue and one of its packets, if it has any."""
    assert request.user.is_authenticated
    context = show_queue(queue, selected) | show_undo(queue, request.user)
    number = queue.page_of(leaf) if leaf in queue.positions else 1
    context |= show_list(queue, number, selected) | {"leaf": leaf}
    if leaf is not None:
        try:
            context |= show_packet(queue, leaf, request.user)
        except NoPacket:
            raise Http404 from None
    return render(request, "review/desk.html", context | more, status=status)


def status_of(error: review.BadReview | Unavailable) -> int:
    """Return the status of a response that a step was not stored."""
    if isinstance(error, Unavailable):
        return 503
    return 409 if isinstance(error, review.Overtaken | review.Repeated) else 422


def show_queue(queue: Queue, selected: Sequence[int]) -> dict[str, Any]:
    """Return what every page and fragment of a queue needs."""
    return {
        "section": "audit",
        "queue": queue,
        "log": queue.log,
        "query": queue.query,
        "moment": write_moment(queue.now),
        "explained": "".join(piece.text for piece in explain(queue.query)) if queue.query else "",
        "progress": queue.progress,
        "address": addresses.write(queue),
        "kept": addresses.write(queue, selected=ranges.write(selected)),
        "selected": ranges.write(selected),
        "all_kept": addresses.write(queue, selected=ranges.write(queue.positions.values())),
        "bulk_limit": review.LIMIT,
    }


def show_undo(queue: Queue, who: AbstractBaseUser) -> dict[str, Any]:
    """Return what a person can undo."""
    # The size comes first, as in `show_packet`.
    seen = addresses.find_size(queue.log)
    last = review.find_last(log=queue.log, who=who, since=queue.size, leaves=queue.positions)
    return {
        "last": last,
        "last_steps": ranges.write(step.leaf for step in last),
        "last_seen": seen,
        "is_older": bool(last) and last[-1].leaf < queue.size,
    }


def show_list(queue: Queue, page: int, selected: Iterable[int]) -> dict[str, Any]:
    """Return a page of the list."""
    rows = draw_rows(queue, queue.rows(page))
    checked = set(selected)
    return {
        "page": page,
        "rows": rows,
        "checked": checked,
        "elsewhere": ranges.write(checked - {row.position for row in rows}),
    }


def draw_rows(queue: Queue, leaves: Iterable[int]) -> list[Row]:
    return [
        Row(
            packet.leaf,
            queue.positions[packet.leaf],
            packet,
            sent_time(packet),
            find_state(valid=packet.valid, diagnostics=packet.diagnostics),
            FullMessage(packets.read(packet), packet.tokenizer).sentence,
            queue.states.get(packet.leaf, ""),
        )
        for packet in find_packets(queue, leaves)
    ]


def find_packets(queue: Queue, leaves: Iterable[int]) -> list[Packet]:
    """Return packets of the queue, as far as they are there."""
    keys = [(queue.log.pk, leaf) for leaf in leaves if leaf in queue.positions]
    stored = damage.load(keys)
    return [stored[key] for key in keys if key in stored]


def find_packet(queue: Queue, leaf: int | None) -> Packet:
    """Return a packet of the queue. Raises NoPacket."""
    found = [] if leaf is None else find_packets(queue, [leaf])
    if not found:
        raise NoPacket(leaf)
    return found[0]


def show_packet(queue: Queue, leaf: int | None, who: AbstractBaseUser) -> dict[str, Any]:
    """Return one packet with its review. Raises NoPacket."""
    # The size comes first: a step that is taken from here on was not seen.
    seen = addresses.find_size(queue.log)
    packet = find_packet(queue, leaf)
    leaf = packet.leaf
    record = packets.as_json(packet, fields=False)
    record["supplied"].pop("content", None)
    shown = FullMessage(packets.read(packet), packet.tokenizer)
    place = f"Packet {leaf:,}, {queue.positions[leaf]:,} of {len(queue.leaves):,}"
    return {
        "packet": packet,
        "record": record,
        "shown": shown,
        "label": f"{place}, {'valid' if packet.valid else 'invalid'}: {shown.sentence}",
        "reasons": list_reasons(record),
        "facts": metadata.of_supplied(record["supplied"], record["sent_at"]),
        "position": queue.positions[leaf],
        "list_page": queue.page_of(leaf),
        "steps": history.list_steps(packet, who),
        "seen": seen,
        "previous": queue.neighbor(leaf, -1),
        "following": queue.neighbor(leaf, 1),
        "ahead": queue.list_open(leaf, AHEAD),
        "shown_address": addresses.write(queue, leaf=leaf),
    }
