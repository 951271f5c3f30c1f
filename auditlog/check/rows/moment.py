"""Times of rows, as text that leaves have."""

SELECT = {
    "sqlite": "CAST({} AS text)",
    "postgresql": """to_char({} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')""",
}
"""A time in SQL, for `spell`."""
_SECONDS = len("2026-11-20 10:00:01")


def spell(at: str) -> str:
    """Return the text of a time as leaves have it: SQLite omits six zeros."""
    if at[-1] == "Z":
        return at
    return f"{at[:10]}T{at[11:]}{'' if len(at) > _SECONDS else '.000000'}Z"
