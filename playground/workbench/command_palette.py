"""The destinations of the Tools menu and of the command palette (Ctrl+K)."""

from itertools import chain

from django.urls import reverse

from cablese import registry
from playground.workbench.examples import EXAMPLES

Page = tuple[str, str]
"""The name of a URL, and the title of its page."""

TOOLS: dict[str, tuple[Page, ...]] = {
    "Logs": (
        ("import", "Import a file"),
        ("conversations", "Conversations"),
        ("statistics", "Statistics"),
        ("receipt", "Check a receipt"),
        ("log-health", "Log health"),
    ),
    "Texts": (
        ("examples", "Examples"),
        ("diff", "Compare two texts"),
        ("autopilot", "Autopilot"),
        ("claims", "Token claims"),
    ),
    "AACP": (
        ("aacp", "AACP workflows"),
        ("aacp-english", "AACP from English"),
        ("aacp-candidates", "AACP rule candidates"),
    ),
    "SACP": (
        ("sacp", "SACP registry"),
        ("sacp-plan", "Check SACP plan"),
        ("sacp-assemble", "Assemble SACP message"),
        ("sacp-history", "Track SACP tasks"),
    ),
    "NLIP and nSLIP": (
        ("nlip", "This server’s NLIP agent"),
        ("nlip-talk", "Send NLIP message"),
        ("nlip-exchange", "Check NLIP exchange"),
        ("nslip-training", "nSLIP training data"),
    ),
}
"""The pages of the Tools menu, by group."""
PAGES: tuple[Page, ...] = (
    ("workbench", "Workbench"),
    ("stream", "Live"),
    ("audit", "Trail"),
    ("protocols", "Protocols"),
    *chain.from_iterable(TOOLS.values()),
    ("api:openapi-view", "API"),
    ("signin", "Sign in"),
)
"""The pages of the palette."""


def list_tools() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return each group of the Tools menu with the title and the address of its pages."""
    return [
        (group, [(title, reverse(name)) for name, title in pages]) for group, pages in TOOLS.items()
    ]


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
