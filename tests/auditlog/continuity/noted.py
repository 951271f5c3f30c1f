"""What the leaves of a log note, and when."""

import json
from datetime import datetime
from typing import Any

from auditlog.log.leaf import format_time
from auditlog.models import Leaf


def said(log: str = "default") -> list[dict[str, Any]]:
    """What each leaf of a log says."""
    rows = Leaf.objects.filter(log__slug=log).order_by("index")
    return [json.loads(bytes(row.bytes)) for row in rows]


def kinds(log: str = "default") -> list[str]:
    return [one.get("state") or one.get("act") or one["kind"] for one in said(log)]


def times(log: str = "default") -> list[str]:
    return [one["recv"] for one in said(log)]


def shown(moment: datetime) -> str:
    return format_time(moment)
