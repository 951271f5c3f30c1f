"""What stopped the signing of a log: its tree shrank, differs from what was signed, or has faults.

An incident is a leaf of the log, so it is never forgotten, and the log goes on storing. It is over
when an operator accepts it: that retires the keys that signed before and adds a new one. So no key
ever signs two trees that differ, and what was signed before goes on verifying as it was.
"""

import logging
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from auditlog.log import leaf
from auditlog.log.leaf.event_leaf import Incident as Kind
from auditlog.log.logs import DEFAULT
from auditlog.models import Log, TreeLeaf
from auditlog.tree import events, keys, published
from auditlog.tree.events import Event

logger = logging.getLogger(__name__)


class Incident(NamedTuple):
    """An incident that is not accepted."""

    log: str
    leaf: int
    kind: Kind | Literal["unreadable"]
    size: int
    """The size that was signed or checked."""
    found: int
    """The size of the log then."""
    received: str

    @property
    def message(self) -> str:
        words = _MESSAGES.get(self.kind, _MESSAGES["unreadable"]).format(self)
        return f"{words} No checkpoints have been signed since."

    @property
    def advice(self) -> str:
        return advise([self])

    @property
    def command(self) -> str:
        """Return the command that accepts it, which without a name is about the default log."""
        name = "" if self.log == DEFAULT else f" --log {self.log}"
        return f"manage.py checkpoint --accept-incident{name}"


_MESSAGES: dict[str, str] = {
    "shrank": 'The log "{0.log}" had {0.found:,} leaves, after {0.size:,} were signed.',
    "differs": 'The first {0.size:,} leaves of the log "{0.log}" are not those that were signed.',
    "unreadable": 'The incident at leaf {0.leaf:,} of the log "{0.log}" was changed.',
    "faults": 'A self-check of {0.size:,} leaves of the log "{0.log}" found faults.',
}


def current(log: Log) -> Incident | None:
    """Return the newest incident of a log, unless it was accepted since."""
    found = events.read(log.pk, "incident")
    if not found:
        return None
    index, said = found[-1]
    if any(key.added > index for key in keys.history(log)):
        return None
    return _read(log, index, said)


def _read(log: Log, index: int, said: dict[str, Any]) -> Incident:
    """Return the incident of a leaf, which stops signing even if somebody changed the leaf."""
    try:
        kind, size, known = said["incident"], int(said["size"]), int(said["found"])
        return Incident(log.slug, index, kind, size, known, str(said["recv"]))
    except (KeyError, TypeError, ValueError):
        return Incident(log.slug, index, "unreadable", 0, 0, "")


def advise(stopped: Sequence[Incident]) -> str:
    """Return what to do about some incidents. Each is accepted by a command of its own."""
    commands = " and ".join(incident.command for incident in stopped)
    return f"Find out what changed the database, then run: {commands}"


def find_current() -> list[Incident]:
    """Return the incidents of all logs that are not accepted."""
    had = TreeLeaf.objects.filter(kind="incident").values("log")
    logs = Log.objects.filter(pk__in=had).order_by("slug")
    return [found for log in logs if (found := current(log))]


def record(log: Log, kind: Kind, *, size: int, found: int) -> Incident:
    """Add an incident to its log, which stops signing. One that is not accepted stays as it is."""
    known = current(log)
    if known is not None:
        return known
    events.append([Event(log.pk, "incident", _format(kind, size, found))])
    recorded = current(log)
    assert recorded is not None, "it was just added"
    logger.error("%s %s", recorded.message, recorded.advice)
    return recorded


def accept(log: Log) -> keys.Key:
    """Go on signing a log, with a new key alone, and with the checkpoints that are left of those
    that were published. Raises keys.Unsound, and OSError.
    """
    key = keys.add(log, instead=True)
    published.forget(log.slug)
    return key


def _format(kind: Kind, size: int, found: int) -> events.Format:
    def write(slug: str, received: str, _seed: bytes) -> bytes:
        return leaf.format_incident(
            log=slug, received=received, incident=kind, size=size, found=found
        )

    return write
