"""Create logs. `default` exists from the start; another is created by name, never in passing."""

import re
import secrets
from datetime import UTC, datetime

from django.db import transaction

from auditlog.findings.versions import name_versions
from auditlog.models import FindingPosition, Log, LogEnd

SLUG = re.compile(r"[a-z0-9-]{1,40}")
DEFAULT = "default"


class BadLog(ValueError):
    """A log that cannot be created; the text says why."""


def create(*, slug: str, title: str = "", host: str = "") -> Log:
    """Create a log, whose slug is fixed from now on. With a host, the default log's if none is
    given, its origin `<host>/log/<slug>` is too.

    Raises BadLog.
    """
    if not SLUG.fullmatch(slug):
        raise BadLog(
            f"Invalid log name {slug!r}. Expected 1 to 40 of the characters a-z, 0-9, and -."
        )
    with transaction.atomic():
        host = host or _host_of(Log.objects.filter(slug=DEFAULT).first())
        log, made = Log.objects.get_or_create(
            slug=slug,
            defaults={
                "origin": _origin(host, slug) if host else None,
                "title": title or slug,
                "created": datetime.now(UTC),
            },
        )
        if made:
            LogEnd.objects.create(log=log)
            FindingPosition.objects.create(log=log, versions=name_versions())
    if not made:
        raise BadLog(f'The log "{slug}" already exists.')
    return log


def fix_origins(host: str = "") -> None:
    """Give each log without an origin one, which never changes again: checkpoints name it.

    Without a host, it has that of another log here, or a random name: an origin must not be that of
    another installation.
    """
    logs = list(Log.objects.order_by("pk"))
    host = host or next(filter(None, map(_host_of, logs)), "") or _random_host()
    for log in logs:
        Log.objects.filter(pk=log.pk, origin=None).update(origin=_origin(host, log.slug))


def _host_of(log: Log | None) -> str:
    return (log.origin or "").partition("/")[0] if log else ""


def _origin(host: str, slug: str) -> str:
    return f"{host}/log/{slug}"


def _random_host() -> str:
    """Return a name that no host has: `invalid` is reserved (RFC 2606)."""
    return f"cablese-{secrets.token_hex(8)}.invalid"
