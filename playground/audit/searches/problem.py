"""What a page says of an invalid query: its error, and the place of it."""

from typing import Any

from auditlog.search.query import QueryError


def point(query: str, error: QueryError) -> dict[str, Any]:
    before, at, after = error.cut(query)
    return {
        "message": error.message,
        "suggestion": error.suggestion,
        "before": before,
        "at": at,
        "after": after,
    }
