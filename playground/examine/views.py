from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from playground.examine.panel import COPY, SECTIONS
from playground.workbench.forms import DecodeForm
from playground.workbench.page import describe

PARTS = {name: f"examine/_{name}.html" for name in (*SECTIONS, COPY)}


@never_cache
@require_POST
def part(request: HttpRequest, name: str) -> HttpResponse:
    """One part of the Examine panel, or what can be copied: by itself, or without JavaScript in the
    whole page.
    """
    if name not in PARTS:
        raise Http404
    whole = request.headers.get("HX-Request") != "true"
    return render(
        request,
        "workbench/workbench.html" if whole else PARTS[name],
        describe(DecodeForm(request.POST)),
    )
