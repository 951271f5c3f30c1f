"""Making logs. `default` is there from the beginning; another is made by name, never in passing."""

import re
from datetime import UTC, datetime

from auditlog.models import Log

SLUG = re.compile(r"[a-z0-9-]{1,40}")
DEFAULT = "default"


class BadLog(ValueError):
    """A log that cannot be made; the words say why."""


def create(*, slug: str, title: str = "", host: str = "") -> Log:
    """A new log, whose slug and origin `<host>/log/<slug>` are fixed from now on. The host is the
    default log's.

    Raises BadLog.
    """
    if not SLUG.fullmatch(slug):
        raise BadLog(
            f"Invalid log name {slug!r}. Expected 1 to 40 of the characters a-z, 0-9, and -."
        )
    host = host or Log.objects.get(slug=DEFAULT).origin.partition("/")[0]
    log, made = Log.objects.get_or_create(
        slug=slug,
        defaults={
            "origin": f"{host}/log/{slug}",
            "title": title or slug,
            "created": datetime.now(UTC),
        },
    )
    if not made:
        raise BadLog(f'The log "{slug}" already exists.')
    return log
