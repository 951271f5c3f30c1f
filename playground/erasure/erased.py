"""What a page says of a packet that was erased."""

from typing import Any

from django.http import Http404, HttpRequest

from auditlog import review
from auditlog.erasure import evidence, find
from auditlog.erasure.find import NotErased
from auditlog.erasure.tables import Erasure
from playground.accounts.rights import is_administrator


def find_or_404(uid: str, log: str | None = None) -> list[Erasure]:
    """Return the erasures of a packet. Raises Http404."""
    try:
        return find.find(uid, log=log)
    except NotErased:
        raise Http404(uid) from None


def show(request: HttpRequest, erasures: list[Erasure]) -> dict[str, Any]:
    """Return the context of `erasure/erased.html`."""
    one = erasures[0]
    packet = find.read(erasures)
    steps = review.find_steps([(one.log_id, one.packet_leaf)])
    return {
        "section": "audit",
        "packet": packet,
        "erasures": erasures,
        "copy": packet.redacted,
        "steps": list(steps),
        "differences": [
            (made.leaf, names) for made in erasures if (names := evidence.find_differences(made))
        ],
        "pending": any(erasure.purged is None for erasure in erasures),
        "may_erase": is_administrator(request) and packet.redacted is not None,
    }
