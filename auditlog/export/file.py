"""An export as it is sent: what a query finds, as a file of a form."""

from collections.abc import Iterator, Sequence

from auditlog.export import pieces, records, repeats
from auditlog.export.lines import FORMS, Line
from auditlog.export.pieces import Extent

MEDIA = {"ndjson": "application/x-ndjson", "csv": "text/csv"}
"""The forms of an export."""


def write(extent: Extent, form: str) -> Iterator[bytes]:
    """Yield an export in blocks. Raises QueryError before the first."""
    return FORMS[form](_read(extent))


def _read(extent: Extent) -> Iterator[Sequence[Line]]:
    known = repeats.find(extent.log)
    for leaves in extent.leaves():
        for piece in pieces.cut(extent.log, leaves):
            yield list(records.read(extent.log, piece, known))
