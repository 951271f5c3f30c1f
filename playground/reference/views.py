from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from cablese import registry
from playground.reference.pages import get_check, get_page, quote_tests, shared_rules

TOOLS = {
    "aacp": (("aacp", "Packets by rule and from English"), ("claims", "Claims and counts")),
    "nlip": (
        ("nlip", "This server’s own agent"),
        ("nlip-talk", "Send a message"),
        ("nlip-exchange", "Check an exchange"),
    ),
    "nslip": (("nslip-training", "Training examples"), ("claims", "Claims and counts")),
    "sacp": (("sacp", "Libraries, registry and plans"),),
    "tline": (("claims", "Claims and counts"),),
}
"""What else there is for a protocol: pages by name, with their titles."""


@require_safe
def listing(request: HttpRequest) -> HttpResponse:
    """Every protocol in plain words, with an example."""
    pages = [get_page(name) for name in registry.get_names()]
    return render(
        request,
        "reference/protocols.html",
        {"section": "protocols", "pages": pages, "shared": shared_rules()},
    )


@require_safe
def page(request: HttpRequest, name: str) -> HttpResponse:
    """One protocol in full."""
    try:
        found = get_page(name)
    except registry.UnknownProtocol:
        raise Http404(name) from None
    return render(
        request,
        "reference/protocol.html",
        {"section": "protocols", "page": found, "tools": TOOLS.get(name, ())},
    )


@require_safe
def proof(request: HttpRequest, name: str, requirement: str) -> HttpResponse:
    """One requirement, and the tests that prove it, to read."""
    try:
        check = get_check(name, requirement)
    except LookupError:
        raise Http404(requirement) from None
    shown = {
        "section": "protocols",
        "codec": registry.get(name),
        "check": check,
        "tests": quote_tests(check),
    }
    return render(request, "reference/proof.html", shown)
