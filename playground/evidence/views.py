"""The page that prepares evidence, the two files, and their progress."""

import secrets
from datetime import UTC, datetime
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from auditlog.evidence import selection
from auditlog.evidence.pack import Pack
from auditlog.evidence.selection import Selection
from auditlog.evidence.signed import NoCheckpoint, NoCheckpointYet, find_signed
from auditlog.search.find import find
from auditlog.search.query import QueryError
from auditlog.search.saved.pin import BadPin, Pin
from auditlog.tree import keys
from cablese.tlog.note import format_verifier
from playground.audit.proofs import unsigned
from playground.audit.searches import problem
from playground.evidence import progress, report
from playground.evidence.forms import TITLES, EvidenceForm, ProgressForm
from playground.http import streaming

_FORMS = ("zip", "html")
_REFRESH = "2"
"""Seconds after which the page of progress loads again, for browsers without scripts."""


@never_cache
@require_safe
@login_required
def page(request: HttpRequest) -> HttpResponse:
    """Show what a pack of a search has and what it does not have, before it is downloaded."""
    form = EvidenceForm(request.GET)
    context: dict[str, Any] = {"section": "audit", "form": form, "query": "", "titles": TITLES}
    if not form.is_valid():
        wrong = " ".join(str(error) for errors in form.errors.values() for error in errors)
        return render(request, "evidence/evidence.html", context | {"refused": wrong}, status=400)
    query = form.cleaned_data["q"].strip()
    context |= {"log": form.cleaned_data["log"], "query": query}
    try:
        chosen = _choose(request, form)
        held = Pin(chosen.at, chosen.now)
        count = find([chosen.log], query, limit=1, now=chosen.now, pin=held).count
    except QueryError as error:
        context["problem"] = problem.point(query, error)
        return render(request, "evidence/evidence.html", context, status=422)
    except BadPin as error:
        return render(
            request, "evidence/evidence.html", context | {"refused": str(error)}, status=422
        )
    context |= {
        "selection": chosen,
        "count": count,
        "erased": chosen.count_erased(),
        "has_report": count.exact and count.value <= report.LIMIT,
        "report_limit": report.LIMIT,
        "token": secrets.token_hex(16),
        "keys": [format_verifier(key) for key in keys.verifiers(chosen.log)],
    }
    return render(request, "evidence/evidence.html", context)


@never_cache
@require_safe
@login_required
@streaming.sends_file
def download(request: HttpRequest, form: str) -> HttpResponseBase:
    """Stream the pack of a search, or its report."""
    sent = EvidenceForm(request.GET)
    if form not in _FORMS or not sent.is_valid():
        raise Http404
    assert request.user.is_authenticated
    try:
        chosen = _choose(request, sent)
        if form == "html":
            report.check_size(chosen)
        made_by = request.user.get_username()
        pack = Pack(chosen, find_signed(chosen), datetime.now(UTC), made_by)
    except (QueryError, BadPin, report.TooLarge) as error:
        return HttpResponse(str(error), status=422, content_type="text/plain; charset=utf-8")
    except NoCheckpoint as error:
        return unsigned.refuse(request, error, soon=isinstance(error, NoCheckpointYet))
    progress.remember(request.user.pk, sent.cleaned_data["token"], pack)
    if form == "zip":
        return streaming.respond(request, pack.write(), "application/zip", name=pack.name)
    made = report.Report(pack)
    return streaming.respond(request, made.write(), "text/html; charset=utf-8", name=made.name)


@never_cache
@require_safe
@login_required
def show_progress(request: HttpRequest) -> HttpResponse:
    """Show how far a download is, as a page that loads again, or as a part of the page."""
    token = ProgressForm(request.GET).read()
    found = progress.find(request.user.pk or 0, token)
    context = {"section": "audit", "progress": found, "token": token}
    if request.headers.get("HX-Request"):
        return render(request, "evidence/_progress.html", context | {"is_polling": True})
    answer = render(request, "evidence/progress.html", context)
    if found is not None and not found.is_finished:
        answer.headers["Refresh"] = _REFRESH
    return answer


def _choose(request: HttpRequest, form: EvidenceForm) -> Selection:
    """Return the selection of a form. Raises QueryError and BadPin."""
    return selection.begin(
        form.cleaned_data["log"],
        form.cleaned_data["q"].strip(),
        at=request.GET.get("at", "").strip() or None,
        withheld=form.cleaned_data["withhold"],
    )
