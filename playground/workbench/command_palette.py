"""The destinations of the command palette (Ctrl+K)."""

from django.urls import reverse

from cablese import registry
from playground.workbench.examples import EXAMPLES

PAGES = (
    ("workbench", "Workbench"),
    ("examples", "Examples"),
    ("autopilot", "Autopilot: cheapest format"),
    ("diff", "Compare two texts"),
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
"""Pages by the name of their URL, with their titles."""


def list_places() -> dict[str, list[tuple[str, str]]]:
    """Return ``[title, address]`` of each page, protocol, and example."""
    return {
        "pages": [(title, reverse(name)) for name, title in PAGES],
        "protocols": [
            (f"{codec.title} reference", reverse("protocol", args=[codec.name]))
            for codec in registry.all_codecs()
        ],
        "examples": [
            (example.title, f"{reverse('workbench')}?example={example.slug}")
            for example in EXAMPLES
        ],
    }
