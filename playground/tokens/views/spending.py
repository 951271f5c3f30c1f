from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from playground.tokens.forms import SECTIONS
from playground.workbench.forms import DecodeForm
from playground.workbench.page import describe

STRIP = "strip"
PARTS = {
    name: f"tokens/_{name.replace('-', '_')}.html" for name in (STRIP, *SECTIONS) if name != "costs"
}
PARTS["costs"] = "tokens/_costs.html"


@never_cache
@require_POST
def part(request: HttpRequest, name: str) -> HttpResponse:
    """One part of the Tokens panel: by itself, or in all of the workbench without JavaScript."""
    if name not in PARTS:
        raise Http404
    whole = request.headers.get("HX-Request") != "true"
    return render(
        request,
        "workbench/workbench.html" if whole else PARTS[name],
        describe(DecodeForm(request.POST)),
    )
