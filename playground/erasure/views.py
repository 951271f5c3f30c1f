"""Pages that erase, and the list of what was erased."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from auditlog import review, text
from auditlog.database.unavailable import Unavailable
from auditlog.erasure import erase, purging, redaction, subject
from auditlog.erasure.erase import BadErasure, Order
from auditlog.erasure.redaction import NoSuchField
from auditlog.erasure.tables import Erasure
from auditlog.log import packet as packets
from auditlog.models import Log, Packet
from auditlog.search.query import QueryError
from auditlog.search.saved.pin import BadPin
from playground.accounts.rights import administrators_only
from playground.audit import packet_rows
from playground.erasure import erased
from playground.erasure.forms import EraseForm, ErasuresForm, SubjectForm, SubjectOrderForm
from playground.http import security_events
from playground.templatetags.audit import querystring_for

AT_ONCE = 1_000
"""Packets that one request erases. The page then offers to continue."""
LISTED = 100
NOT_PREVIEWED = (
    "Nothing was erased: you changed what to erase after the preview. Check the new preview, then "
    "erase it."
)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@administrators_only
def packet(request: HttpRequest, log: str, uid: UUID) -> HttpResponse:
    """Preview the erasure of a packet or of one of its fields, or erase what was previewed."""
    sent = request.method == "POST"
    form = EraseForm(request.POST if sent else request.GET)
    field = form["field"].value() or ""
    context = _describe(str(uid), log, field)
    if not sent:
        return render(request, "erasure/packet.html", context)
    if "preview" in request.POST:
        return render(request, "erasure/packet.html", context | _keep(request))
    try:
        if field != request.POST.get("previewed", ""):
            raise BadErasure(NOT_PREVIEWED)
        if not form.is_valid():
            raise BadErasure(_join(form))
        order = form.order(request.user)
        made = erase.erase(log=context["log"], leaves=[context["leaf"]], order=order)
    except (BadErasure, Unavailable) as error:
        return _refuse(request, "erasure/packet.html", context, error)
    _note(request, context["log"], len(made))
    done = "Field erased. A redacted copy stays." if order.field else "Packet erased."
    messages.success(request, done if made else "The packet was already erased.")
    return redirect("entry", log=log, uid=uid)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@administrators_only
def found(request: HttpRequest) -> HttpResponse:
    """Preview the erasure of everything that a search finds, or do it."""
    sent = request.method == "POST"
    form: SubjectForm = SubjectOrderForm(request.POST) if sent else SubjectForm(request.GET)
    if form.errors.keys() - {"reason"}:
        raise Http404
    try:
        context = _preview(form)
    except (BadErasure, QueryError, BadPin) as error:
        return _refuse(request, "erasure/found.html", _context(form), error)
    if not isinstance(form, SubjectOrderForm):
        return render(request, "erasure/found.html", context)
    try:
        if form.errors:
            raise BadErasure(_join(form))
        done, total = _erase_found(context, form, form.order(request.user))
    except (BadErasure, Unavailable) as error:
        return _refuse(request, "erasure/found.html", context, error)
    _note(request, context["log"], done)
    messages.success(request, f"Erased {done:,} of {total:,} packets.")
    if done < total:
        # The rest is erased like the first part, so what the person entered stays on the page. A
        # form sent again from here would be refused, because the number has changed.
        rest = {**_preview(form), **_keep(request), "has_begun": True}
        return render(request, "erasure/found.html", rest)
    return redirect(f"{reverse('erased')}?{querystring_for(log=context['log'].slug)}")


@never_cache
@require_safe
@login_required
def listing(request: HttpRequest) -> HttpResponse:
    """List what was erased from a log, the newest first."""
    form = ErasuresForm(request.GET)
    if not form.is_valid():
        raise Http404
    log, before = form.cleaned_data["log"], form.cleaned_data["before"]
    rows = Erasure.objects.filter(log=log).order_by("-leaf")
    if before is not None:
        rows = rows.filter(leaf__lt=before)
    some = list(rows[: LISTED + 1])
    context = {
        "section": "audit",
        "log": log,
        "rows": some[:LISTED],
        "before": some[LISTED - 1].leaf if len(some) > LISTED else None,
        "pending": purging.is_pending(log),
    }
    return render(request, "erasure/listing.html", context)


def _describe(uid: str, log: str, field: str) -> dict[str, Any]:
    """Return the context of erasing one packet, or what is left of it. Raises Http404."""
    context: dict[str, Any] = {"section": "audit", "uid": uid, "field": ""}
    try:
        stored = packets.find(uid, log=log)
    except packets.NoSuchPacket:
        last = next((one for one in erased.find_or_404(uid, log) if one.redacted), None)
        if last is None:
            raise Http404(uid) from None
        copy = text.from_json(bytes(last.redacted or b""))
        return context | {"log": last.log, "leaf": last.packet_leaf, "is_copy": True, "copy": copy}
    steps = review.find_steps([stored])
    context |= {
        "log": stored.log,
        "leaf": stored.leaf,
        "fields": redaction.list_fields(stored),
        "notes": sum(bool(step.note) for step in steps),
    }
    return context | (_preview_copy(stored, field) if field else {})


def _preview_copy(stored: Packet, field: str) -> dict[str, Any]:
    try:
        return {"field": field, "copy": text.from_json(redaction.redact(stored, field))}
    except NoSuchField as missing:
        return {"problem": str(missing)}


def _context(form: SubjectForm) -> dict[str, Any]:
    given = form.cleaned_data
    query = given["q"].strip()
    return {"section": "audit", "log": given["log"], "query": query, "size": given["at"]}


def _preview(form: SubjectForm) -> dict[str, Any]:
    """Return what would be erased. Raises BadErasure, QueryError, and BadPin."""
    context = _context(form)
    log: Log = context["log"]
    seen = subject.preview(log, context["query"], size=context["size"] or None)
    rows = Packet.objects.filter(log=log, leaf__in=seen.leaves).select_related("log", "source")
    drawn = packet_rows.draw(list(rows.order_by("-leaf")))
    more = seen.number - len(drawn)
    return context | {"size": seen.size, "number": seen.number, "rows": drawn, "more": more}


def _erase_found(context: dict[str, Any], form: SubjectOrderForm, order: Order) -> tuple[int, int]:
    """Erase the packets of a preview, and return how many of how many. Raises BadErasure."""
    *_, last = subject.run(
        log=context["log"],
        query=context["query"],
        size=context["size"],
        order=order,
        expected=form.cleaned_data["number"],
        limit=AT_ONCE,
    )
    return last.done, last.total


def _note(request: HttpRequest, log: Log, number: int) -> None:
    if number:
        purging.start_later()
        security_events.erase(request, log=log.slug, packets=number)


def _refuse(
    request: HttpRequest, template: str, context: dict[str, Any], error: Exception
) -> HttpResponse:
    status = 503 if isinstance(error, Unavailable) else 422
    given = {"problem": str(error), **_keep(request)}
    return render(request, template, context | given, status=status)


def _keep(request: HttpRequest) -> dict[str, Any]:
    """Return what the person typed."""
    return {
        "reason": request.POST.get("reason", ""),
        "keep_notes": "keep_notes" in request.POST,
    }


def _join(form: Form) -> str:
    return " ".join(str(error) for errors in form.errors.values() for error in errors)
