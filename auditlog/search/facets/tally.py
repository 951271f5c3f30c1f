"""Add up the values of packets, piece by piece."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from django.db import connection

from auditlog.database import spread
from auditlog.models import Log, Source
from auditlog.search.facets import rows
from auditlog.search.facets.edit import fold
from auditlog.search.facets.histogram import Received
from auditlog.search.facets.shapes import Facet, Value
from auditlog.search.keys import VALIDITY

KEYS = ("proto", "is", "act", "from", "to", "source", "tag", "finding")
"""The search fields that are counted, in the order of their facets."""
MOST = 100
"""Values of a facet."""
LONGEST = 1_000
"""Characters of a value. A longer one is counted by its beginning, which finds it."""
_FINDINGS = "SELECT DISTINCT leaf, detector FROM auditlog_finding WHERE log_id = %s AND leaf "


class Tally:
    """The values of the packets that were added, and when each was received."""

    def __init__(self) -> None:
        self.received: list[Received] = []
        self._protocols: Counter[str] = Counter()
        self._sources: Counter[int] = Counter()
        self._acts: Counter[str] = Counter()
        self._senders: Counter[str] = Counter()
        self._recipients: Counter[str] = Counter()
        self._tags: Counter[str] = Counter()
        self._findings: Counter[str] = Counter()

    def add(self, log: Log, leaves: Sequence[int]) -> None:
        """Add the packets at some leaves."""
        found = list(rows.read(log, leaves))
        if not found:
            return
        received, protocols, valid, sources, acts, senders, recipients, tags = zip(
            *found, strict=True
        )
        self.received += zip(received, valid, strict=True)
        self._protocols.update(protocols)
        self._sources.update(sources)
        self._acts.update(filter(None, acts))
        for counts, several in (
            (self._senders, senders), (self._recipients, recipients), (self._tags, tags),
        ):  # fmt: skip
            # Most packets have none, or one that is not there twice.
            counts.update([values[0] for values in several if len(values) == 1])
            counts.update([one for values in several if len(values) > 1 for one in _once(values)])
        self._findings.update(_count_findings(log, leaves))

    def facets(self) -> Iterator[Facet]:
        """Yield every facet; the values that search does not tell apart are one."""
        valid = sum(valid for _, valid in self.received)
        validity = dict(zip(VALIDITY, (valid, len(self.received) - valid), strict=True))
        names = dict(Source.objects.filter(pk__in=self._sources).values_list("pk", "name"))
        sources = {names[pk]: number for pk, number in self._sources.items() if pk in names}
        counts = (
            self._protocols, validity, self._acts, self._senders, self._recipients, sources,
            self._tags, self._findings,
        )  # fmt: skip
        for key, numbers in zip(KEYS, counts, strict=True):
            yield _facet(key, numbers)


def _once(values: Sequence[str]) -> list[str]:
    return list({fold(_shorten(value)): value for value in values}.values())


def _shorten(value: str) -> str:
    """Return a value, or whole words from its beginning."""
    if len(value) <= LONGEST:
        return value
    head = value[:LONGEST]
    return head.rsplit(maxsplit=1)[0] if len(head.split()) > 1 else head


def _facet(key: str, numbers: Mapping[str, int]) -> Facet:
    """Return the facet of how many packets have each value. Of the spellings of a value, the most
    frequent is shown.
    """
    groups: dict[str, tuple[str, int]] = {}
    for value, number in sorted(numbers.items(), key=lambda one: (-one[1], one[0])):
        if number:
            text = _shorten(value)
            shown, before = groups.get(fold(text), (text, 0))
            groups[fold(text)] = shown, before + number
    ordered = sorted(groups.values(), key=lambda one: (-one[1], one[0]))
    return Facet(key, tuple([Value(*one) for one in ordered[:MOST]]), len(ordered))


def _count_findings(log: Log, leaves: Sequence[int]) -> Counter[str]:
    """Return the number of packets in which each detector found something."""
    with connection.cursor() as cursor:
        cursor.execute(_FINDINGS + spread.among(sorted(leaves)), [log.pk])
        wanted = frozenset(leaves)
        return Counter([detector for leaf, detector in cursor.fetchall() if leaf in wanted])
