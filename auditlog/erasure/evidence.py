"""Whether what is stored of an erasure is what its redaction leaf says and commits to."""

from collections.abc import Iterable

from auditlog.erasure.tables import Erasure
from auditlog.integrity.openings import parse_leaf
from auditlog.log import leaf
from auditlog.models import Leaf, Review

NAMES = {
    "log": "log",
    "leaf": "packet",
    "recv": "time",
    "by": "who erased it",
    "field": "field",
    "reason": "reason",
    "redacted": "redacted copy",
}
"""What a redaction leaf says in clear, and what it commits to."""
MISSING = "redaction leaf"


def find_differences(one: Erasure) -> tuple[str, ...]:
    """Return how an erasure, which comes with its log, differs from its leaf; nothing if it
    matches. A redacted copy that was erased later cannot be compared.
    """
    stored = Leaf.objects.filter(log_id=one.log_id, index=one.leaf, kind="redaction").first()
    parsed = None if stored is None else parse_leaf(bytes(stored.bytes))
    if parsed is None:
        return (MISSING,)
    clear, committed = parsed
    said = {"log": one.log.slug, "leaf": one.packet_leaf, "recv": leaf.format_time(one.at)}
    wrong = [name for name, value in said.items() if clear.get(name) != value]
    by = leaf.by_bytes(key=one.key_id, person=one.who_id, source=one.source)
    opened = list_openings(by=by, field=one.field, reason=one.reason, redacted=one.redacted)
    for name, data in opened.items():
        if name == "redacted" and data is None:
            continue
        if not leaf.opens(committed, bytes(one.seed), name, data):
            wrong.append(name)
    return tuple(NAMES[name] for name in wrong)


def format_steps(steps: Iterable[Review]) -> bytes | None:
    """Return what is left of the steps of a review whose notes were erased: a JSON array of the
    leaf, state, leaf that it undoes, and person of each; None without steps.
    """
    left = [[step.leaf, step.state, step.undoes, step.who_id] for step in steps]
    return leaf.canonical(left) if left else None


def list_openings(
    *, by: bytes, field: str, reason: str, redacted: bytes | memoryview | None
) -> dict[str, bytes | None]:
    """Return the bytes of each commitment of a redaction leaf, from the columns of its erasure."""
    return {
        "by": by,
        "field": leaf.canonical(field) if field else None,
        "reason": leaf.canonical(reason),
        "redacted": None if redacted is None else bytes(redacted),
    }
