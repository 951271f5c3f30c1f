"""The sender of a request, for limits only. Django checks what it may do.

A key or a session is looked up and remembered for a few seconds, so that a revoked one soon loses
its places. Other requests count by their address, or by the /64 network of an IPv6 address, because
one customer has all of its addresses.
"""

import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from http.cookies import CookieError, SimpleCookie
from importlib import import_module
from wsgiref.types import WSGIEnvironment

from django.conf import settings
from django.contrib.auth import SESSION_KEY

from auditlog import access
from auditlog.sender import Sender
from playground.http.proxy import caller_of, network_of
from playground.server.environment import Network

REMEMBERED = 10.0
"""Seconds for which a key or a session counts as valid without another check."""
MEMORY = 10_000
_BEARER = "bearer "


@dataclass(frozen=True, slots=True)
class Caller:
    """A key, a signed-in person, or an address."""

    name: str
    key_id: str | None = None
    member: bool = False
    """Whether it is a key or a person."""
    sender: Sender | None = None
    """What the key granted when it was looked up."""


@dataclass(frozen=True, slots=True)
class Token:
    """A key or the ID of a session that a request sends."""

    text: str
    is_key: bool

    @property
    def digest(self) -> bytes:
        return sha256(self.text.encode("utf-8", "surrogatepass")).digest()


class Callers:
    """Recent callers. Only `look_up` is called on other threads."""

    def __init__(self, trusted: Sequence[Network]) -> None:
        self._trusted = trusted
        self._seen: OrderedDict[bytes, tuple[Caller | None, float]] = OrderedDict()

    def address(self, environ: WSGIEnvironment) -> Caller:
        direct = environ["REMOTE_ADDR"]
        if not self._trusted:
            return _at(direct)
        return _at(caller_of(direct, environ.get("HTTP_X_FORWARDED_FOR", ""), self._trusted))

    def recall(self, token: Token) -> tuple[Caller | None, bool]:
        """Return the caller of a token, and whether the token is known."""
        found = self._seen.get(token.digest)
        if found is None or found[1] < time.monotonic():
            return None, False
        return found[0], True

    def remember(self, token: Token, caller: Caller | None) -> None:
        digest = token.digest
        self._seen[digest] = (caller, time.monotonic() + REMEMBERED)
        self._seen.move_to_end(digest)
        while len(self._seen) > MEMORY:
            self._seen.popitem(last=False)

    def forget(self) -> None:
        """Forget all callers."""
        self._seen.clear()


def token_of(environ: WSGIEnvironment) -> Token | None:
    """Return the key or session of a request, if it has the right form."""
    shown = environ.get("HTTP_AUTHORIZATION", "")
    if shown[: len(_BEARER)].lower() == _BEARER:
        text = shown[len(_BEARER) :].strip()
        return Token(text, is_key=True) if text.startswith(access.PREFIX) else None
    cookies = environ.get("HTTP_COOKIE", "")
    if settings.SESSION_COOKIE_NAME not in cookies:
        return None
    try:
        morsel = SimpleCookie(cookies).get(settings.SESSION_COOKIE_NAME)
    except CookieError:
        return None
    return Token(morsel.value, is_key=False) if morsel and 8 <= len(morsel.value) <= 64 else None


def look_up(token: Token) -> Caller | None:
    """Ask the database for the owner of a token. Return None for an invalid one."""
    if token.is_key:
        sender = access.authenticate(token.text)
        name = f"key:{sender.key_id}" if sender else ""
        return Caller(name, sender.key_id, member=True, sender=sender) if sender else None
    engine = import_module(settings.SESSION_ENGINE)
    person = engine.SessionStore(token.text).get(SESSION_KEY)
    return Caller(f"person:{person}", member=True) if person else None


@lru_cache(maxsize=1024)
def _at(address: str) -> Caller:
    return Caller(f"address:{network_of(address)}")
