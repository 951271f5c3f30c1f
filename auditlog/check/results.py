"""What a self-check leaves behind: a leaf of its result and, with faults, an incident."""

import logging

from auditlog.check.table import SelfCheck
from auditlog.database import faults
from auditlog.log import leaf
from auditlog.models import LogEnd
from auditlog.tree import events, hashes, incidents
from cablese.tlog.tile import BadTile

logger = logging.getLogger(__name__)


def record(row: SelfCheck) -> int | None:
    """Add the result to the log, and stop its signing if there are faults. Returns the leaf of the
    result; None if the log is too damaged to take one.
    """
    try:
        (index,) = events.append([events.Event(row.log_id, "check", _format(row))])
        if row.faults:
            found = LogEnd.objects.get(pk=row.log_id).size
            incidents.record(row.log, "faults", size=row.size, found=found)
    except Exception as error:  # noqa: BLE001 - the faults are stored whatever the log can take
        logger.error(
            'The result of the self-check of the log "%s" cannot be added to it: %s',
            row.log.slug, faults.describe(error),
        )  # fmt: skip
        return None
    return index


def _format(row: SelfCheck) -> events.Format:
    root = _read_root(row)

    def write(slug: str, received: str, _seed: bytes) -> bytes:
        return leaf.format_check(
            log=slug, received=received, size=row.size, faults=row.faults, root=root
        )

    return write


def _read_root(row: SelfCheck) -> bytes | None:
    try:
        return hashes.root(row.log_id, row.size)
    except BadTile:
        return None
