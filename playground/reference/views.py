from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from cablese import registry
from playground.reference.pages import get_check, get_page, shared_rules

TOOLS = {
    "aacp": (("aacp", "Generate packets"), ("claims", "Token claims")),
    "nlip": (
        ("nlip", "This server’s agent"),
        ("nlip-talk", "Send message"),
        ("nlip-exchange", "Check exchange"),
    ),
    "nslip": (("nslip-training", "nSLIP training data"), ("claims", "Token claims")),
    "sacp": (("sacp", "Registry and plans"),),
    "tline": (("claims", "Token claims"),),
}
"""Tools for a protocol: page names and titles."""


@require_safe
def listing(request: HttpRequest) -> HttpResponse:
    """List all protocols with an example each."""
    pages = [get_page(name) for name in registry.get_names()]
    return render(
        request,
        "reference/protocols.html",
        {"section": "protocols", "pages": pages, "shared": shared_rules()},
    )


@require_safe
def page(request: HttpRequest, name: str) -> HttpResponse:
    """Show the reference of one protocol."""
    try:
        reference = get_page(name)
    except registry.UnknownProtocol:
        raise Http404(name) from None
    return render(
        request,
        "reference/protocol.html",
        {"section": "protocols", "page": reference, "tools": TOOLS.get(name, ())},
    )


@require_safe
def proof(request: HttpRequest, name: str, requirement: str) -> HttpResponse:
    """Show a requirement and the source of its tests."""
    try:
        check = get_check(name, requirement)
    except LookupError:
        raise Http404(requirement) from None
    context = {"section": "protocols", "codec": registry.get(name), "check": check}
    return render(request, "reference/proof.html", context)
