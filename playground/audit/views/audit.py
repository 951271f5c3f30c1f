from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AbstractBaseUser
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from auditlog import review, text
from auditlog.database.unavailable import Unavailable
from auditlog.log import packet as packets
from auditlog.log import replays
from auditlog.models import Conflict, Packet
from auditlog.search.find import DECODED, Count, find, find_beside
from auditlog.search.language.written import join, write_term
from auditlog.search.query import QueryError
from auditlog.search.saved.pin import BadPin
from cablese import tokens
from cablese.message import Message
from playground.accounts.rights import is_administrator
from playground.audit import metadata, packet_rows
from playground.audit.conversations import LogThreads
from playground.audit.forms import EntryForm, ReviewForm
from playground.audit.searches import pinned
from playground.display.message import FullMessage
from playground.display.threads import FINDINGS
from playground.erasure import erased
from playground.review import history
from playground.workbench.forms import VIEWS
from playground.workbench.panels import show

RELATED = 8
CONFLICTS = 20
"""The limit of refused conflicts that a page shows."""
NEIGHBORS = 200
"""Packets that are searched for the conversation of an entry."""
Relation = tuple[str, str, list[packet_rows.PacketRow], Count]
"""A shared value, the query that finds the packets with it, the newest of them, and their count."""


@never_cache
@require_safe
@login_required
def entry(request: HttpRequest, log: str, uid: UUID) -> HttpResponse:
    """Show one packet: its fields, its metadata, its review, and its neighbors."""
    try:
        packet = packets.find(str(uid), log=log)
    except packets.NoSuchPacket:
        erasures = erased.find_or_404(str(uid), log)
        return render(request, "erasure/erased.html", erased.show(request, erasures))
    context = _entry(request, packet, ReviewForm())
    status = 422 if "bad_pin" in context else 200
    return render(request, "audit/entry.html", context, status=status)


@never_cache
@require_safe
@login_required
def entry_in_any_log(_request: HttpRequest, uid: UUID) -> HttpResponse:
    """Redirect a packet's ID without its log to the packet."""
    try:
        log = packets.find(str(uid)).log
    except packets.NoSuchPacket:
        log = erased.find_or_404(str(uid))[0].log
    return redirect("entry", log=log.slug, uid=uid)


@require_POST
@login_required
def mark(request: HttpRequest, log: str, uid: UUID) -> HttpResponse:
    """Append a step to a packet's review."""
    assert request.user.is_authenticated
    form = ReviewForm(request.POST)
    packet = packet_or_404(uid, log)
    if not form.is_valid():
        return render(request, "audit/entry.html", _entry(request, packet, form), status=422)
    try:
        did = _mark(packet, request.user, **form.cleaned_data)
    except (review.BadReview, Unavailable) as error:
        form.add_error("note", str(error))
        return render(
            request,
            "audit/entry.html",
            _entry(request, packet, form),
            status=503 if isinstance(error, Unavailable) else 422,
        )
    messages.success(request, f"Packet {did}." if did != review.UNDONE else "Undone.")
    kept = f"?{request.GET.urlencode()}" if request.GET else ""
    return redirect(f"{reverse('entry', args=[log, uid])}{kept}")


def _mark(
    packet: Packet, who: AbstractBaseUser, *, state: str, note: str, undoes: int | None
) -> str:
    """Append a step, and return what it did. Raises BadReview and Unavailable."""
    if undoes is None:
        return review.mark(packet=packet, state=state, note=note, who=who).state
    steps = [step for step in review.find_steps([packet]) if step.leaf == undoes]
    if not steps:
        raise review.BadReview("There is nothing to undo.")
    return review.undo(steps=steps, who=who)[0].state


def packet_or_404(uid: UUID, log: str | None = None) -> Packet:
    """Return the packet with this ID in a log, or in any. Raises Http404."""
    try:
        return packets.find(str(uid), log=log)
    except packets.NoSuchPacket:
        raise Http404(uid) from None


def _entry(request: HttpRequest, packet: Packet, form: ReviewForm) -> dict[str, Any]:
    assert request.user.is_authenticated
    message = packets.read(packet)
    (row,) = packet_rows.draw([packet], [message])
    record = row.record
    view, query = EntryForm(request.GET).read()
    shown = FullMessage(message, packet.tokenizer)
    content = record["supplied"].pop("content", None)
    facts = metadata.of_supplied(record["supplied"], record["sent_at"])
    return (
        show(request, shown)
        | {
            "section": "audit",
            "packet": packet,
            "record": record,
            "marks": row.marks,
            "query": query,
            "view": view,
            "field_views": VIEWS,
            "content": content,
            "facts": facts,
            "content_count": None if content is None else tokens.count(content, packet.tokenizer),
            "repeats": replays.count(packet),
            "steps": history.list_steps(packet, request.user),
            "conflicts": _read_conflicts(packet),
            "relations": list(_relations(packet, record)),
            "conversation": _conversation(packet, record, message),
            "form": form,
            "may_erase": is_administrator(request),
        }
        | _beside(packet, query, request.GET)
    )


def _read_conflicts(packet: Packet) -> dict[str, Any]:
    """Return how often the event ID of a packet was refused with other content, and the newest."""
    found = Conflict.objects.filter(log_id=packet.log_id, leaf=packet.leaf)
    newest = found.order_by("-received", "-uid")[:CONFLICTS]
    return {"number": found.count(), "newest": [_read_conflict(one) for one in newest]}


def _read_conflict(conflict: Conflict) -> dict[str, Any]:
    try:
        beside = text.whole(text.from_json(bytes(conflict.facts)))
        facts = metadata.of_supplied(beside["supplied"], beside.get("sent_at"))
    except (ValueError, TypeError, KeyError, AttributeError):
        beside, facts = {}, []  # The database is damaged.
    return {
        "received": conflict.received,
        "wire": text.whole(text.from_bytes(bytes(conflict.wire))),
        "content": beside.get("content"),
        "facts": facts,
        "tags": beside.get("supplied", {}).get("tags", []),
    }


def _beside(packet: Packet, query: str, sent: QueryDict) -> dict[str, Any]:
    """Return the next newer and the next older packet of a query, pinned if the address says so."""
    try:
        held = pinned.read(sent, packet.log)
        newer, older = find_beside(packet, query, now=datetime.now(UTC), pin=held)
    except QueryError:
        return {}
    except BadPin as error:
        return {"bad_pin": str(error)}
    return {"newer": newer, "older": older, "at": held.size if held else None}


def _conversation(
    packet: Packet, record: dict[str, Any], message: Message
) -> dict[str, Any] | None:
    """Return the position of a packet in its conversation, by thread or by goal and task, if it has
    one. ``query`` finds the whole conversation, and ``findings`` concern the packet itself.

    Only the newest packets are searched: one entry is not worth reading a whole log.
    """
    meaning, supplied = record["meaning"], record["supplied"]
    terms = {name: meaning.get(name) or supplied.get(name) for name in ("thread", "goal", "task")}
    names = ("thread",) if terms["thread"] else ("goal", "task") if terms["goal"] else ()
    query = join([write_term(name, str(terms[name])) for name in names if terms[name]])
    if not query:
        return None
    query = f"{query} proto:{packet.protocol}"
    try:
        rows = find([packet.log], query, limit=NEIGHBORS, size=DECODED, now=datetime.now(UTC)).rows
    except QueryError:
        return None
    thread = LogThreads(rows, {packet.pk: message}).with_packet(packet) if len(rows) > 1 else None
    if thread is None or thread.total < 2:
        return None
    at = next(at for at, other in enumerate(thread.packets) if other.pk == packet.pk)
    before, after = ([None, *thread.packets][at], [*thread.packets, None][at + 1])
    return {
        "thread": thread,
        "query": query,
        "number": at + 1,
        "before": before,
        "after": after,
        "findings": thread.concerning(packet)[:FINDINGS],
    }


def _relations(packet: Packet, record: dict[str, Any]) -> Iterator[Relation]:
    meaning, supplied = record["meaning"], record["supplied"]
    goal, task = (
        meaning.get("goal") or supplied.get("goal"),
        meaning.get("task") or supplied.get("task"),
    )
    queries = []
    if goal and task:
        both = join([write_term("goal", goal), write_term("task", task)])
        queries.append((f"Task {task} of goal {goal}", both))
    elif goal:
        queries.append((f"Goal {goal}", write_term("goal", goal)))
    tags = dict.fromkeys([*meaning.get("tags", ()), *supplied.get("tags", ())])
    queries += [(f"@{tag}", write_term("tag", tag)) for tag in list(tags)[:5]]
    for title, query in queries:
        try:
            page = find(
                [packet.log], query, limit=RELATED, size=DECODED // RELATED, now=datetime.now(UTC)
            )
        except QueryError:
            continue
        others = [other for other in page.rows if other.pk != packet.pk]
        yield title, query, packet_rows.draw(others), page.count
