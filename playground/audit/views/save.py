from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from auditlog import access
from auditlog.database.unavailable import Unavailable
from auditlog.ingest.receive import Receipt, Rejection, keep
from auditlog.log.draft import Known
from cablese import amount
from playground.audit import saving
from playground.audit.forms import LineFactsForm
from playground.audit.pending import Batch
from playground.health import failures
from playground.workbench.document import Reading


@never_cache
@require_POST
def preview(request: HttpRequest) -> HttpResponse:
    """Show what will be stored, before anything is. Everyone may look; signed-in people may save.

    With a zone it is the page itself that sends, with what was typed there.
    """
    given = saving.read_forms(request.POST if "shown_zone" in request.POST else None)
    return _page(request, saving.preview(request.POST, given))


@never_cache
@require_POST
def save(request: HttpRequest) -> HttpResponse:
    """Store every message of the text, valid or not, and show them in the log.

    Whoever has been signed out keeps the page, with the text and the metadata, to sign in and save.
    """
    given = saving.read_forms(request.POST)
    context = saving.preview(request.POST, given)
    if not request.user.is_authenticated:
        return _page(request, context, 403)
    document: Reading | Batch | None = context["reading"]
    lines: LineFactsForm = context["lines"]
    if document is None or not 0 < document.total <= saving.SAVED_AT_ONCE:
        return _page(request, context, 422)
    if not all(form.is_valid() for form in (*given, lines)):
        return _page(request, context, 422)
    log = given.where.cleaned_data["log"].slug
    items = saving.complete(lines.corrected(), log, given.facts.cleaned_data)
    known: Known = {}
    if isinstance(document, Reading):
        known = {(message.protocol, message.wire): message for message in document.messages}
    try:
        receipts = keep(items, sender=access.person(request.user), known=known)
    except Unavailable as error:
        failures.note(request, error)
        messages.error(request, str(error))
        return _page(request, context, 503)
    query = _tell(request, log, receipts)
    return redirect(f"{reverse('audit')}?{urlencode({'log': log, 'q': query})}")


def _tell(request: HttpRequest, log: str, receipts: list[Receipt | Rejection]) -> str:
    """Tell what was stored and what was not. Return the query that finds the stored packets."""
    stored = [receipt for receipt in receipts if isinstance(receipt, Receipt)]
    count = amount.count(len(stored), "packet")
    messages.success(request, _offer(f"{count} saved to log {log}.", log, stored))
    for receipt in receipts:
        if isinstance(receipt, Rejection):
            messages.error(
                request, f"Message {receipt.item + 1} was not stored: {receipt.error.detail}"
            )
    return f"leaf:{stored[0].leaf}..{stored[-1].leaf}" if stored else ""


def _offer(told: str, log: str, stored: list[Receipt]) -> str:
    """Add a link to the receipts of what was stored."""
    if not stored:
        return told
    query = urlencode({"log": log, "first": stored[0].leaf, "last": stored[-1].leaf})
    address = f"{reverse('receipts-file')}?{query}"
    return format_html('{} <a href="{}" download>Download receipts</a>', told, address)


def _page(request: HttpRequest, context: dict[str, Any], status: int = 200) -> HttpResponse:
    return render(request, "audit/save.html", context, status=status)
