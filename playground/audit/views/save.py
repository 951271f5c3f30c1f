from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST
from msgspec import structs

from auditlog import access
from auditlog.database.unavailable import Unavailable
from auditlog.ingest import zones
from auditlog.ingest.item import Item
from auditlog.ingest.logged import move, to_item
from auditlog.ingest.receive import Receipt, keep
from auditlog.log.draft import Known
from playground.audit import metadata, pending
from playground.audit.line_facts import LineFactsForm, ZoneForm, count_left
from playground.audit.metadata import Fact
from playground.audit.pending import Batch, BatchRow
from playground.health import failures
from playground.workbench.document import Reading
from playground.workbench.forms import DecodeForm, FactsForm, LogForm
from playground.workbench.parts.rows import Row

SAVED_AT_ONCE = 5_000


@dataclass(frozen=True, slots=True)
class SavedRow:
    """A message, the facts that will be stored with it, and the field of its time if there
    is one.
    """

    message: Row | BatchRow
    facts: list[Fact]
    left: int
    """Facts beyond those that are shown."""
    time: forms.BoundField | None


@never_cache
@require_POST
def preview(request: HttpRequest) -> HttpResponse:
    """What will be stored, before anything is: everyone may look, a signed-in person may go on.

    With a zone it is the page itself that asks, with what was typed there.
    """
    data = request.POST if "shown_zone" in request.POST else None
    return render(
        request,
        "audit/save.html",
        _preview(request, FactsForm(data), LogForm(data), ZoneForm(data)),
    )


@never_cache
@require_POST
@login_required
def save(request: HttpRequest) -> HttpResponse:
    """Keep every message of the text, valid or not, and show them in the log."""
    assert request.user.is_authenticated
    facts, where, zone = FactsForm(request.POST), LogForm(request.POST), ZoneForm(request.POST)
    context = _preview(request, facts, where, zone)
    found: Reading | Batch | None = context["reading"]
    lines: LineFactsForm = context["lines"]
    if found is None or not found.total or found.total > SAVED_AT_ONCE:
        return render(request, "audit/save.html", context, status=422)
    if not all(form.is_valid() for form in (facts, where, zone, lines)):
        return render(request, "audit/save.html", context, status=422)
    log = where.cleaned_data["log"]
    items = [_with(one, log.slug, _beside(facts.cleaned_data)) for one in lines.corrected()]
    try:
        known: Known = (
            {(one.protocol, one.wire): one for one in found.messages}
            if isinstance(found, Reading)
            else {}
        )
        receipts = keep(items, sender=access.person(request.user), known=known)
    except Unavailable as error:
        failures.note(request, error)
        messages.error(request, str(error))
        return render(request, "audit/save.html", context, status=503)
    kept = [receipt for receipt in receipts if isinstance(receipt, Receipt)]
    words = f"{len(kept):,} packet{'' if len(kept) == 1 else 's'} saved to log {log.slug}."
    messages.success(request, words)
    for refused in receipts:
        if not isinstance(refused, Receipt):
            messages.error(
                request, f"Message {refused.item + 1} was not stored: {refused.error.detail}"
            )
    span = f"leaf:{kept[0].leaf}..{kept[-1].leaf}" if kept else ""
    return redirect(f"{reverse('audit')}?{urlencode({'log': log.slug, 'q': span})}")


def preview_items(request: HttpRequest, items: Sequence[Item], *, back: str) -> HttpResponse:
    """The same page for messages at hand, with a way back to where they came from."""
    return render(
        request, "audit/save.html", _of_items(items, back, FactsForm(), LogForm(), ZoneForm())
    )


def _preview(
    request: HttpRequest, facts: FactsForm, where: LogForm, zone: ZoneForm
) -> dict[str, Any]:
    if "items_json" in request.POST:
        try:
            items = pending.read(request.POST["items_json"])
        except pending.Unreadable:
            raise BadRequest from None
        back = request.POST.get("back_to", "")
        return _of_items(
            items, back if back.startswith("/stream/") else reverse("stream"), facts, where, zone
        )
    form = DecodeForm(request.POST)
    text = form.fields["text"].to_python(form["text"].data)
    context = {
        "form": form,
        "facts": facts,
        "where": where,
        "section": "workbench",
        "reading": None,
        "text": text,
    }
    if not form.is_valid():
        return context | {"lines": LineFactsForm(())}
    sent = form.cleaned_data
    found = Reading(sent["text"], protocol=sent["protocol"], tokenizer=sent["tokenizer"])
    received = datetime.now(UTC)
    items = [to_item(cut, received=received, zone=zones.UTC) for cut in found.cuts[:SAVED_AT_ONCE]]
    left = count_left(sent["text"], found.cuts, found.ignored)
    return context | {"reading": found, "left_out": left} | _lines(found.rows, items, facts, zone)


def _of_items(
    items: Sequence[Item], back: str, facts: FactsForm, where: LogForm, zone: ZoneForm
) -> dict[str, Any]:
    found = Batch(items)
    context = {"facts": facts, "where": where, "section": "stream", "back": back, "reading": found}
    return context | _lines(found.rows, items, facts, zone)


def _lines(
    rows: Sequence[Row | BatchRow], items: Sequence[Item], facts: FactsForm, zone: ZoneForm
) -> dict[str, Any]:
    """The facts of the messages in the chosen zone, and the rows that show them."""
    chosen, shown = zone.both()
    moved = [move(item, chosen) for item in items]
    lines = LineFactsForm(moved, facts.data if facts.is_bound else None, shown=shown)
    stored = lines.corrected() if lines.is_valid() else moved
    drawn = [
        SavedRow(row, *metadata.brief(item), lines.time(at))
        for at, (row, item) in enumerate(zip(rows, stored, strict=False))
    ]
    more = {
        "rows": drawn,
        "zones": zones.names(),
        "zone": zone,
        "shown_zone": chosen.key,
        "limit": SAVED_AT_ONCE,
    }
    return {"lines": lines} | more


def _with(item: Item, log: str, beside: dict[str, Any]) -> Item:
    """The item with what the person says beside it, where its sender said nothing of the kind."""
    said = {name: value for name, value in beside.items() if getattr(item, name) is None}
    return structs.replace(item, log=log, **said)


def _beside(facts: dict[str, Any]) -> dict[str, Any]:
    said = {
        "goal": facts["goal"],
        "task": facts["task"],
        "from_": facts["sender"],
        "to": facts["recipient"],
        "thread": facts["thread"],
        "tags": facts["tags"],
    }
    return {name: value for name, value in said.items() if value}
