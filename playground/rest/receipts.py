"""What a request is answered whose items were handled: a status, and JSON."""

from collections.abc import Mapping, Sequence
from typing import Any

from auditlog.ingest.receive import Receipt, Rejection
from playground.rest.body import to_json
from playground.rest.problems import Problem

Result = Receipt | Rejection


def answer_one(results: Sequence[Result]) -> tuple[int, bytes]:
    """Return the answer to a request of one item. Raises Problem if it was not stored."""
    (result,) = results
    if isinstance(result, Rejection):
        raise Problem(
            result.status, result.error.detail, result.error.pointer, event_id=result.event_id
        )
    return result.status, to_json({"results": results})


def answer_many(
    results: Sequence[Result], more: Mapping[str, Any] | None = None
) -> tuple[int, bytes]:
    """Return the answer to a batch, and ``more`` of it. Raises Problem 422 with all errors if no
    item was stored or the text has no message.
    """
    more = more or {}
    if results and all(isinstance(result, Rejection) for result in results):
        detail = (
            "The item was not stored."
            if len(results) == 1
            else f"None of the {len(results):,} items was stored."
        )
        raise Problem(422, detail, results=results, **more)
    if not results and more.get("ignored"):
        raise Problem(422, "The text contains no message.", results=results, **more)
    return _status(results), to_json({"results": results, **more})


def _status(results: Sequence[Result]) -> int:
    """Return 201 if all are new, 200 if all are duplicates, and 207 if mixed."""
    statuses = {result.status for result in results}
    return statuses.pop() if statuses in ({200}, {201}) else 207 if statuses else 200
