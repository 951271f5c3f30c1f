"""Which packets of an export may have the same bytes as others of the log.

To look that up for every packet takes as long as to write it. The detector `repeated` has done so:
it found each packet that repeats an earlier one, and the first of those with the same bytes.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence

from django.db import connection

from auditlog.findings.finding import StoredFinding
from auditlog.findings.following import position
from auditlog.models import Log

MOST = 200_000
"""Repeated packets that are remembered. In a log with more, every packet is looked up."""
_FIRSTS = """\
SELECT DISTINCT other FROM auditlog_finding
WHERE log_id = %s AND detector = 'repeated' AND other IS NOT NULL ORDER BY other LIMIT %s"""


class Repeats:
    """The packets of a log that others repeat, as known when an export begins."""

    def __init__(self, firsts: Sequence[int] | None) -> None:
        self._firsts = firsts

    def may_have(self, leaf: int, findings: Iterable[StoredFinding]) -> bool:
        """Return whether other packets may have the bytes of one with these findings."""
        if self._firsts is None or any(found.detector == "repeated" for found in findings):
            return True
        at = bisect_left(self._firsts, leaf)
        return at < len(self._firsts) and self._firsts[at] == leaf


UNKNOWN = Repeats(None)
"""Every packet may have the bytes of another one."""


def find(log: Log) -> Repeats:
    """Return the repeats of a log; unknown ones while its findings are not all made."""
    if not position.is_complete(log.pk):
        return UNKNOWN
    with connection.cursor() as cursor:
        cursor.execute(_FIRSTS, (log.pk, MOST + 1))
        firsts = array("q", [leaf for (leaf,) in cursor.fetchall()])
    return Repeats(firsts) if len(firsts) <= MOST else UNKNOWN
