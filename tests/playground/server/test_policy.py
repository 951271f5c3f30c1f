"""What guards an installation, written out: settings, middleware, and the limits of a request.

A value that is compared with itself would change unnoticed. Whoever changes one of these on purpose
changes it here too.
"""

from datetime import timedelta
from typing import Any

import pytest

from auditlog import review
from auditlog.ingest import body, item
from auditlog.ingest.repeats import idempotency
from auditlog.search import find
from playground import settings
from playground.accounts import sessions
from playground.audit import importing, receipts
from playground.http import throttle
from playground.nlip import server_agent
from playground.stream import pad, pads

HOUR = 60 * 60
MIB = 1024 * 1024
GUARDS = {
    "SESSION_COOKIE_HTTPONLY": True,
    "CSRF_COOKIE_HTTPONLY": True,
    "SESSION_COOKIE_SAMESITE": "Lax",
    "CSRF_COOKIE_SAMESITE": "Lax",
    "SESSION_COOKIE_AGE": 14 * 24 * HOUR,
    "PASSWORD_RESET_TIMEOUT": 24 * HOUR,
    "SECURE_CONTENT_TYPE_NOSNIFF": True,
    "SECURE_REFERRER_POLICY": "same-origin",
    "X_FRAME_OPTIONS": "DENY",
    "DATA_UPLOAD_MAX_MEMORY_SIZE": 10 * MIB,
    "DATA_UPLOAD_MAX_NUMBER_FIELDS": 1_000,
    "FILE_UPLOAD_HANDLERS": ["playground.http.uploads.NoFiles"],
    "NINJA_NUM_PROXIES": 0,
    "NINJA_PAGINATION_MAX_LIMIT": 1_000,
    "SECURE_REDIRECT_EXEMPT": [
        r"^api/(?!docs)", r"^nlip/?$", r"^nlip/(upload|via)/", r"^(healthz|readyz)$",
    ],
}  # fmt: skip
PROTECTIONS = [
    "django.middleware.security.SecurityMiddleware",
    "playground.http.transport.Transport",
    "playground.http.csp.ContentSecurityPolicy",
    "playground.accounts.session_middleware.Sessions",
    "playground.http.pages.Forms",
    "playground.http.pages.Persons",
    "playground.http.pages.Frames",
]
LIMITS = [
    (body, "STREAM_LIMIT", 64 * MIB),
    (body, "ARRAY_LIMIT", 8 * MIB),
    (body, "LINE_LIMIT", 8 * MIB),
    (body, "ITEM_LIMIT", 20_000),
    (item, "WIRE_LIMIT", 4 * MIB),
    (item, "CONTENT_LIMIT", MIB),
    (idempotency, "LIFE", timedelta(hours=24)),
    (idempotency, "LEASE", timedelta(seconds=10)),
    (review, "NOTE_LIMIT", 10_000),
    (find, "MAX_LIMIT", 1_000),
    (importing, "CHUNK_LIMIT", 8 * MIB),
    (receipts, "NEWEST", 100_000),
    (sessions, "IDLE", timedelta(hours=8)),
    (throttle, "BURST", 60),
    (throttle, "PACE", 1.0),
    (throttle, "CALLERS", 10_000),
    (server_agent, "UPLOAD_LIFE", HOUR // 4),
    (server_agent, "UPLOAD_LIMIT", 4 * MIB),
    (pad, "LIFE", HOUR),
    (pads, "PADS", 32),
    (pads, "PADS_PER_CALLER", 8),
]


@pytest.mark.parametrize(("name", "value"), GUARDS.items())
def test_a_setting_guards_every_installation(name: str, value: object) -> None:
    assert getattr(settings, name) == value


def test_every_protection_meets_a_request_in_this_order() -> None:
    assert [name for name in settings.MIDDLEWARE if name in PROTECTIONS] == PROTECTIONS


@pytest.mark.parametrize(("module", "name", "value"), LIMITS)
def test_a_limit_has_its_value(module: Any, name: str, value: object) -> None:
    assert getattr(module, name) == value
