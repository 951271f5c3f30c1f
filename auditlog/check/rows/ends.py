"""Where a log ends: its own row, the files beside the database, and rows that no leaf is for."""

from typing import Any

import msgspec
from django.db import connection

from auditlog.check.facts import Facts
from auditlog.check.fault import Faults
from auditlog.check.rows import moment
from auditlog.check.rows.form import BadLeaf, parse
from auditlog.continuity import high_water
from cablese.amount import leaves

_READ = """\
SELECT e.size, {received}, {behind}, e.head, l.hash, l.kind, l.bytes,
    (SELECT MAX("index") FROM auditlog_leaf WHERE log_id = e.log_id),
    (SELECT MIN("index") FROM auditlog_leaf WHERE log_id = e.log_id)
FROM auditlog_logend e
LEFT JOIN auditlog_leaf l ON l.log_id = e.log_id AND l."index" = e.size - 1
WHERE e.log_id = %s"""
_CLOCK = """\
SELECT bytes FROM auditlog_leaf WHERE log_id = %s AND kind = 'clock' AND "index" < %s
ORDER BY "index" DESC LIMIT 1"""
_STRAYS = """\
SELECT leaf FROM auditlog_{} t WHERE log_id = %s AND (leaf < 0
    OR leaf > (SELECT MAX("index") FROM auditlog_leaf WHERE log_id = t.log_id)
    OR NOT EXISTS (SELECT 1 FROM auditlog_leaf l WHERE l.log_id = t.log_id))
ORDER BY 1 LIMIT 1"""
_KEYED = ("packet", "seed", "review", "segment", "treeleaf", "erasure")
"""Tables whose rows are keyed by a leaf."""
_OWNED = {
    "leaf": '"index"', "logend": "size", "tile": "number", "checkpoint": "size",
    **dict.fromkeys(_KEYED, "leaf"),
}  # fmt: skip
"""Tables whose rows belong to a log, with the column of their place in it."""
_WITHOUT_END = """\
SELECT slug FROM auditlog_log g
WHERE NOT EXISTS (SELECT 1 FROM auditlog_logend e WHERE e.log_id = g.id) ORDER BY 1"""
_UNOWNED = """\
SELECT log_id, {1} FROM auditlog_{0} t
WHERE NOT EXISTS (SELECT 1 FROM auditlog_log g WHERE g.id = t.log_id) ORDER BY 1, 2 LIMIT 1"""


def check(facts: Facts, faults: Faults) -> int:
    """Check the end of a log, and return how many leaves are to be checked: one that was added far
    beyond the others is a fault, and not the end.
    """
    row = _read(facts)
    _check_owners(faults)
    if row is None:
        return _count(facts)
    _check_slug(facts, faults)
    size, received, behind, head, digest, kind, data, last, first = row
    real = 0 if last is None else last + 1
    if first is not None and first < 0:
        faults.add("leaf", first, "index", "The index is negative.")
    if size != real:
        faults.add("logend", facts.slug, "size", f"It is {size:,}, and the leaves are {real:,}.")
        if digest is not None and size < real:
            faults.add("leaf", last, "index", "The leaf is beyond the end of the log.")
        elif size > real:
            part = f"leaves {real:,} to {size - 1:,}"
            faults.add("leaf", real, part, "The log’s end says that there are leaves here.")
    elif size:
        _check_newest(facts, size, (received, behind, head, digest, kind, data), faults)
    _check_mark(facts, real, faults)
    _check_strays(facts, faults)
    return size if digest is not None and size < real else real


def _read(facts: Facts) -> Any:
    form = moment.SELECT[connection.vendor]
    statement = _READ.format(received=form.format("e.received"), behind=form.format("e.behind"))
    with connection.cursor() as cursor:
        cursor.execute(statement, (facts.log_id,))
        return cursor.fetchone()


def _count(facts: Facts) -> int:
    with connection.cursor() as cursor:
        cursor.execute('SELECT MAX("index") FROM auditlog_leaf WHERE log_id = %s', (facts.log_id,))
        last = cursor.fetchone()[0]
    return 0 if last is None else int(last) + 1


def _check_newest(facts: Facts, size: int, row: tuple[Any, ...], faults: Faults) -> None:
    received, behind, head, digest, kind, data = row
    if head is None or bytes(head) != bytes(digest):
        faults.add("logend", facts.slug, "head", "It is not the hash of the newest leaf.")
    try:
        newest = parse(bytes(data), kind=kind, log=facts.slug)["recv"]
    except BadLeaf:
        return  # The leaf has a fault of its own.
    if received is None or moment.spell(received) != newest:
        faults.add("logend", facts.slug, "received", "It is not the time of the newest leaf.")
    noted = None if behind is None else moment.spell(behind)
    if noted != _find_behind(facts, size):
        faults.add("logend", facts.slug, "behind", "No leaf records this time of the clock.")


def _check_slug(facts: Facts, faults: Faults) -> None:
    """Compare the name of the log with that in its first leaf."""
    with connection.cursor() as cursor:
        cursor.execute(
            'SELECT bytes FROM auditlog_leaf WHERE log_id = %s AND "index" = 0',
            (facts.log_id,),
        )
        row = cursor.fetchone()
    data = b"{}" if row is None else row[0]
    try:
        fields = msgspec.json.decode(data if isinstance(data, str) else bytes(data))
    except (msgspec.DecodeError, UnicodeDecodeError):
        return  # The leaf has a fault of its own.
    if isinstance(fields, dict) and fields.get("log", facts.slug) != facts.slug:
        faults.add("log", facts.slug, "slug", "Its first leaf names another log.")


def _find_behind(facts: Facts, size: int) -> str | None:
    """Return since when the clock is behind, as the newest leaf about it says."""
    with connection.cursor() as cursor:
        cursor.execute(_CLOCK, (facts.log_id, size))
        row = cursor.fetchone()
    try:
        fields = parse(bytes(row[0]), kind="clock", log=facts.slug) if row else {}
    except BadLeaf:
        return None
    return fields["clock"] if fields.get("state") == "behind" else None


def _check_mark(facts: Facts, size: int, faults: Faults) -> None:
    """Compare the size with the file beside the database, which may be a commit behind."""
    try:
        marks = high_water.marks().read()
    except high_water.Unreadable:
        faults.add("mark", facts.slug, "file", "The file of the log’s size cannot be read.")
        return
    mark = marks.get(facts.slug)
    if mark is None:
        return
    if size < mark.size:
        part = f"leaves {size:,} to {mark.size - 1:,}"
        faults.add("leaf", size, part, f"The log had {leaves(mark.size)}.")
    if size > mark.bound and mark.bound:
        faults.add("leaf", mark.bound, "row", "No server wrote these leaves.")


def _check_owners(faults: Faults) -> None:
    """Find rows whose log does not exist, and logs without an end."""
    with connection.cursor() as cursor:
        cursor.execute(_WITHOUT_END)
        for (slug,) in cursor.fetchall():
            faults.add("logend", slug, "row", "The row of the log’s end is missing.")
    missing = set()
    for name, column in _OWNED.items():
        with connection.cursor() as cursor:
            cursor.execute(_UNOWNED.format(name, column))
            for log_id, place in cursor.fetchall():
                missing.add(log_id)
                place = f"{log_id}/{place}"
                faults.add(name, place, "log_id", "The log of the row does not exist.")
    for log_id in sorted(missing):
        faults.add("log", log_id, "id", "Rows belong to this log, and it does not exist.")


def _check_strays(facts: Facts, faults: Faults) -> None:
    """Find rows beyond the leaves of the log. Leaves are read last, so that new rows have one."""
    for name in _KEYED:
        with connection.cursor() as cursor:
            cursor.execute(_STRAYS.format(name), (facts.log_id,))
            for (index,) in cursor.fetchall():
                faults.add(name, index, "leaf", "No leaf has this index.")
