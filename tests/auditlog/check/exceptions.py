"""What no self-check can find, as docs/design/evidence.md lists it, so that it is not tried."""

from typing import Any

from auditlog.findings import flow
from tests.auditlog.check.tables import run


def is_excepted(act: str, table: str, row: dict[str, Any]) -> bool:
    """Return whether nothing tells this change of a row from what may be there."""
    if table == "source":
        return act == "insert"
    if table == "searchkey":
        return act == "insert" and bool(_list_erased(row["log_id"]))
    if table == "finding" and row["detector"] == "flow":
        first = row["leaf"] - flow.HORIZON
        return any(first <= leaf <= row["leaf"] for leaf in _list_erased(row["log_id"]))
    if table == "finding" and row["detector"] == "repeated":
        return row["other"] in _list_erased(row["log_id"])
    return False


def _list_erased(log_id: int) -> set[int]:
    rows = run("SELECT packet_leaf FROM auditlog_erasure WHERE log_id = %s", log_id)
    return {leaf for (leaf,) in rows}
