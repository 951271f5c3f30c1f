from django.http import HttpRequest, JsonResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from cablese import registry
from playground.workbench.examples import EXAMPLES

PAGES = (
    ("workbench", "Workbench"),
    ("examples", "Examples"),
    ("stream", "Live session"),
    ("import", "Import a file"),
    ("protocols", "Protocols"),
    ("nslip-training", "Training examples for nSLIP"),
    ("aacp", "AACP workflows"),
    ("aacp-english", "AACP from English"),
    ("aacp-candidates", "AACP rule candidates"),
    ("sacp", "SACP registry"),
    ("sacp-plan", "Check SACP plan"),
    ("sacp-assemble", "Assemble SACP message"),
    ("sacp-history", "Track SACP tasks"),
    ("nlip", "This server’s NLIP agent"),
    ("nlip-talk", "Send NLIP message"),
    ("nlip-exchange", "Check NLIP exchange"),
    ("claims", "Token claims, re-counted"),
    ("audit", "Audit trail"),
    ("conversations", "Audit trail conversations"),
    ("api:openapi-view", "API"),
    ("signin", "Sign in"),
)
"""Pages by the name of their address, with the words that find them."""


@require_safe
def places(request: HttpRequest) -> JsonResponse:
    """Where the palette can go: ``[words, address]`` of each page, protocol and example."""
    return JsonResponse(
        {
            "pages": [(title, reverse(name)) for name, title in PAGES],
            "protocols": [
                (f"{one.title} reference", reverse("protocol", args=[one.name]))
                for one in registry.all_codecs()
            ],
            "examples": [
                (one.title, f"{reverse('workbench')}?example={one.slug}") for one in EXAMPLES
            ],
        }
    )
