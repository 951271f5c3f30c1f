"""API keys in `Authorization: Bearer`, and their rights."""

from collections.abc import Iterable, Iterator
from time import monotonic
from typing import NoReturn

from django.http import HttpRequest
from ninja.security import HttpBearer

from auditlog.access import authenticate, holder
from auditlog.log.draft import DEFAULT_LOG
from auditlog.log.packet import NoSuchPacket
from auditlog.models import Log
from auditlog.proofs import place
from auditlog.proofs.place import Place
from auditlog.search.find import UnknownLog
from auditlog.sender import Sender
from playground.http import security_events, wanted
from playground.rest.problems import Problem

CHECKED = 5.0
"""Seconds between two checks whether the key of a long response is still valid."""


class Key(HttpBearer):
    """A key `cbl_live_…`. A missing, mistyped, expired, or revoked key is answered 401."""

    def authenticate(self, request: HttpRequest, token: str) -> Sender | None:
        return identify(request, token)


def identify(request: HttpRequest, token: str) -> Sender | None:
    """Return the sender of a key. For an invalid key, return None and log a security event."""
    caller = authenticate(token)
    if caller is None:
        security_events.refuse_key(request, token)
    return caller


def read_token(request: HttpRequest) -> str | None:
    """Return the key of a request, valid or not, where a key is optional."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None


def optional(request: HttpRequest) -> Sender | None:
    """Return the sender where a key is optional: None without a valid key."""
    token = read_token(request)
    return None if token is None else identify(request, token)


def sender(request: HttpRequest, scope: str) -> Sender:
    """Return the sender of a request. Raises Problem 403 if its key lacks ``scope``."""
    caller: Sender = vars(request)["auth"]
    require(request, caller, scope)
    return caller


def require(request: HttpRequest, caller: Sender, scope: str) -> None:
    """Raises Problem 403 unless the sender's key has ``scope``."""
    if scope not in caller.scopes:
        _refuse(
            request,
            caller,
            f"scope {scope}",
            f"This key lacks the {scope} scope. It has: {', '.join(sorted(caller.scopes))}.",
        )


def for_installation(request: HttpRequest, scope: str) -> Sender:
    """Return the sender of a request about the whole installation. Raises Problem 403 for a key of
    one log.
    """
    caller = sender(request, scope)
    if caller.log is not None:
        _refuse(
            request,
            caller,
            "a key for all logs",
            f"This key is limited to log {caller.log}. Use a key for all logs.",
        )
    return caller


def readable_log(request: HttpRequest, caller: Sender, slug: str | None) -> str:
    """Return the name of the log to read. Raises Problem 403 if the key is for another log."""
    slug = slug or caller.log or DEFAULT_LOG
    if caller.log not in (None, slug):
        _refuse(
            request, caller, f"the log {slug}", f"This key is limited to log {caller.log}.", "/log"
        )
    return slug


def read_log(request: HttpRequest, caller: Sender, slug: str | None) -> Log:
    """Return the log to read. Raises Problem 403 if the key is for another log, and UnknownLog."""
    slug = readable_log(request, caller, slug)
    log = Log.objects.select_related("end").filter(slug=slug).first()
    if log is None:
        raise UnknownLog(f"Unknown log {slug}.")
    return log


def find_place(caller: Sender, uid: str) -> Place:
    """Return the place of a packet, even of an erased one. Raises Problem 404, also if the key is
    for another log.
    """
    try:
        found = place.find(uid)
    except NoSuchPacket:
        found = None
    if found is None or caller.log not in (None, found.log.slug):
        raise Problem(404, "Packet not found.", "/id")
    return found


def while_valid(by: Sender, blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield blocks, and break the response off once the key is revoked or has expired."""
    checked = monotonic()
    for block in blocks:
        if monotonic() - checked > CHECKED:
            if by.key_id is None or holder(by.key_id) != by:
                raise wanted.Unwanted
            checked = monotonic()
        yield block


def _refuse(
    request: HttpRequest, caller: Sender, needed: str, detail: str, pointer: str = ""
) -> NoReturn:
    security_events.refuse_right(request, needed, key=caller.key_id)
    raise Problem(403, detail, pointer)
