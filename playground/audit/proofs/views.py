from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import content_disposition_header
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from auditlog.log.packet import NoSuchPacket
from auditlog.models import Log
from auditlog.proofs import inclusion, place
from auditlog.proofs.place import Place
from playground.accounts.rights import administrators_only, is_administrator
from playground.audit.proofs import receipts_file, shown, unsigned
from playground.audit.proofs.forms import LeavesForm, SizeForm
from playground.audit.proofs.shown import File
from playground.http import streaming


@never_cache
@require_safe
@login_required
def page(request: HttpRequest, log: str, uid: UUID) -> HttpResponse:
    """Show the proof of a packet: as a part of its page, or as a page of its own."""
    size = SizeForm(request.GET).read()
    context = shown.show(_find_or_404(log, uid), size) | {
        "section": "audit",
        "uid": uid,
        "may_sign": is_administrator(request),
    }
    template = "_proof.html" if request.headers.get("HX-Request") else "proof.html"
    return render(request, f"audit/proofs/{template}", context)


@require_POST
@administrators_only
def sign(request: HttpRequest, log: str, uid: UUID) -> HttpResponse:
    """Sign a checkpoint that covers a packet."""
    found = _find_or_404(log, uid)
    try:
        inclusion.prove_now(found.log, found.leaf)
    except inclusion.Unproven as reason:
        messages.error(request, str(reason))
    return redirect("packet-proof", log=log, uid=uid)


@never_cache
@require_safe
@login_required
def download(request: HttpRequest, log: str, uid: UUID, form: str) -> HttpResponse:
    """Send the proof of a packet as a file, or the bytes of its leaf."""
    found = _find_or_404(log, uid)
    try:
        file = shown.write(form, inclusion.prove(found.log, found.leaf))
    except inclusion.Unproven as reason:
        return _refuse(request, reason)
    if file is None:
        raise Http404(form)
    return _send(file)


@never_cache
@require_safe
@login_required
def growth(request: HttpRequest, log: str, size: int) -> HttpResponse:
    """Send the proof that a log only grew since its checkpoint of a size."""
    try:
        return _send(shown.write_growth(get_object_or_404(Log, slug=log), size))
    except inclusion.NotSigned as reason:
        raise Http404(str(reason)) from None
    except inclusion.Unproven as reason:
        return _refuse(request, reason)


@never_cache
@require_safe
@login_required
def receipts(request: HttpRequest) -> HttpResponseBase:
    """Send the receipts of the packets that a person stored, among some leaves of a log."""
    form = LeavesForm(request.GET)
    if not form.is_valid():
        raise Http404
    log, first, last = (form.cleaned_data[name] for name in ("log", "first", "last"))
    assert request.user.pk is not None
    blocks = receipts_file.write(log, first, last, request.user.pk)
    name = f"{log.slug}-{first}-{last}.receipts.ndjson"
    return streaming.respond(request, blocks, streaming.NDJSON, name=name)


def _find_or_404(log: str, uid: UUID) -> Place:
    try:
        return place.find(str(uid), log=log)
    except NoSuchPacket:
        raise Http404(uid) from None


def _send(file: File) -> HttpResponse:
    answer = HttpResponse(file.data, content_type=file.media)
    disposition = content_disposition_header(as_attachment=True, filename=file.name)
    answer.headers["Content-Disposition"] = disposition or "attachment"
    return answer


def _refuse(request: HttpRequest, reason: inclusion.Unproven) -> HttpResponse:
    if isinstance(reason, inclusion.NotSigned):
        soon = isinstance(reason, inclusion.NotYetSigned)
        return unsigned.refuse(request, reason, soon=soon)
    return HttpResponse(f"{reason}\n", status=409, content_type="text/plain; charset=utf-8")
