"""Refused requests: titles of error pages, and a refusal that the page explains."""

from django.conf import settings
from django.core.exceptions import PermissionDenied

TITLES = {
    400: "Invalid request",
    401: "Not signed in",
    403: "Not allowed",
    404: "Page not found",
    405: "No form was sent",
    408: "Too slow",
    413: "Too large",
    429: "Too many requests",
    500: "Server error",
    503: "Temporarily unavailable",
}
"""The title of a page by its status."""


TOO_MANY_PARAMETERS = (
    f"The address has more parameters than the limit of {settings.DATA_UPLOAD_MAX_NUMBER_FIELDS:,}."
)
ONLY_ADMINISTRATORS = "Only administrators can do this."


class Explained(PermissionDenied):
    """A request that is refused with a sentence for people."""


class NotAdministrator(Explained):
    """A signed-in person tried something that is only for administrators."""

    def __init__(self) -> None:
        super().__init__(ONLY_ADMINISTRATORS)


class NotOwner(Explained):
    """A signed-in person tried to change another person's saved search."""

    def __init__(self) -> None:
        super().__init__("Only the owner and administrators can change a saved search.")
