"""Headers of the workbench that browsers and the service worker go by, and refused texts."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin

from playground.http import csp
from playground.offline import mode

MARK = "Cablese-Page"
ANONYMOUS = "anonymous"
"""The service worker stores a page with this mark only."""
POLICY = csp.POLICY.replace("connect-src 'self'", "connect-src 'none'").replace(
    "form-action 'self'", "form-action 'none'"
)
"""No script of the page can send anything, and no form can be sent."""
WORKBENCH = "workbench"
SENDING = frozenset(
    (
        "aacp-english", "autopilot", "autopilot-panel", "diff", "edit", "examine",
        "export-reading", "fixes", "import", "import-earlier", "import-piece", "import-preview",
        "marks", "nlip-exchange", "nlip-talk", "pad-save", "reading", "redacted", "rows",
        "sacp-assemble", "sacp-plan", "sacp-spawn", "save", "save-confirm", "spending", "whole",
    )
)  # fmt: skip
"""Pages and fragments to which a browser sends a text."""
REFUSAL = "This page is off because this installation decodes in the browser only."
OWN_REFUSAL = (
    "This page is off because you decode in this browser only. "
    "To use it, turn off “Decode in this browser only” in the workbench."
)


class Offline(MiddlewareMixin):
    def process_view(
        self, request: HttpRequest, _view: Callable[..., Any], _args: Any, _named: Any
    ) -> HttpResponse | None:
        assert request.resolver_match is not None
        name = request.resolver_match.url_name
        sends = name in SENDING or (name == WORKBENCH and request.method == "POST")
        if not sends or not mode.is_only(request):
            return None
        words = REFUSAL if mode.is_enforced() else OWN_REFUSAL
        # Scripts of pages ask for anything, and show the detail; a browser asks for a page.
        if "text/html" not in request.headers.get("Accept", ""):
            return JsonResponse({"detail": words}, status=403)
        context = {"status": 403, "title": "Decoding in the browser only", "words": words}
        return render(request, "error.html", context, status=403)

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        match = request.resolver_match
        if match is None or match.url_name != WORKBENCH or mode.offered() is None:
            return response
        if mode.is_only(request):
            response.headers["Content-Security-Policy"] = POLICY
        if not request.user.is_authenticated and request.method == "GET":
            response.headers[MARK] = ANONYMOUS
        return response
