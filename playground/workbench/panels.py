"""The panels of one message, wherever a page shows it in full (`workbench/_message.html`)."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest

from playground.display.message import FullMessage
from playground.examine.panel import Examination
from playground.tokens.panel import TokenPanel
from playground.workbench.document import Reading


def show(
    request: HttpRequest,
    shown: FullMessage | None,
    reading: Reading | None = None,
    data: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the context of a message. ``data`` has the choices made in its panels."""
    if shown is None:
        return {"shown": None}
    base = request.build_absolute_uri("/")
    panel, examined = TokenPanel(shown, reading, data), Examination(shown, data, base)
    return {"shown": shown, "panel": panel, "examined": examined}
