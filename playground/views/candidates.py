from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from auditlog import candidates
from playground import router
from playground.forms import EnglishForm
from playground.router import Unroutable

SHOWN = 100


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def english(request: HttpRequest) -> HttpResponse:
    """A packet from an English instruction: by a rule for everyone, by the model for a signed-in person."""
    if request.method != "POST":
        return render(request, "english.html", _context(EnglishForm()))
    form = EnglishForm(request.POST)
    person = request.user.pk if request.user.is_authenticated else None
    if not form.is_valid():
        return render(request, "english.html", _context(form), status=422)
    try:
        written = router.write(form.cleaned_data["english"], may_ask=person is not None, user=person)
    except Unroutable as unroutable:
        return render(request, "english.html", _context(form) | {"problem": unroutable}, status=422)
    return render(request, "english.html", _context(form) | {"written": written})


@never_cache
@require_safe
@login_required
def listed(request: HttpRequest) -> HttpResponse:
    """What models wrote, with its cost, to be reviewed."""
    return render(request, "candidates.html", {"section": "protocols", "candidates": candidates.recent(SHOWN)})


@require_POST
@login_required
def decide(request: HttpRequest, number: int) -> HttpResponse:
    """Promote a candidate to a rule, reject it, or take that back."""
    assert request.user.is_authenticated
    try:
        chosen = candidates.decide(candidate=number, state=request.POST.get("state", ""), who=request.user)
    except candidates.BadDecision as bad:
        messages.error(request, str(bad))
    else:
        said = {"promoted": "is a rule now", "rejected": "is rejected", "candidate": "is a candidate again"}
        messages.success(request, f"Candidate {chosen.pk} {said[chosen.state]}.")
    return redirect("aacp-candidates")


def _context(form: EnglishForm) -> dict[str, Any]:
    endpoint = settings.LLM
    return {"section": "protocols", "form": form, "model": endpoint.model if endpoint else None}
