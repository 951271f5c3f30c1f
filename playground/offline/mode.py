"""Where texts are decoded: on the server, in the browser if it is away, or in the browser only."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.templatetags.static import static

from playground.offline import built

COOKIE = "browser_only"
"""Set by the page at the switch. Its value is "1"."""


class Offline:
    """What a page says about decoding in the browser."""

    def __init__(self, request: HttpRequest) -> None:
        self._request = request

    @property
    def built(self) -> built.Built | None:
        return offered()

    @property
    def only(self) -> bool:
        return is_only(self._request)

    @property
    def enforced(self) -> bool:
        return is_enforced()

    @property
    def folder(self) -> str:
        return folder()


def offered() -> built.Built | None:
    """Return the files for the browser, if there are any and the administrator offers them."""
    return built.current() if settings.OFFLINE != "off" and not settings.DEBUG else None


def is_enforced() -> bool:
    """Return whether the administrator lets texts be decoded in the browser only."""
    return bool(settings.OFFLINE == "only")


def is_only(request: HttpRequest) -> bool:
    """Return whether this page must send no text."""
    return is_enforced() or (request.COOKIES.get(COOKIE) == "1" and offered() is not None)


def folder() -> str:
    """Return the address of the files of Python."""
    files = offered()
    return f"{settings.STATIC_URL}{files.folder}" if files else static("")


def to_templates(request: HttpRequest) -> dict[str, Any]:
    """Add what every page can say about it."""
    return {"offline": Offline(request)}
