"""FTS5 is asked for no more than a query needs: a range of rows already is the log."""

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from auditlog import review
from auditlog.models import Packet
from auditlog.search.engine import sqlite
from tests.auditlog.search.packets import CONVERSATION, places, put

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif("connection.vendor != 'sqlite'", reason="FTS5 is a part of SQLite"),
]


@pytest.mark.parametrize(
    ("text", "names_log"),
    [
        ("goal:43", False),
        ("goal:40..43 -goal:42", False),
        ("-goal:42", True),
        ("leaf:3", True),
        ("goal:43 OR -goal:42", True),
    ],
)
def test_the_token_of_a_log_is_matched_only_where_something_is_taken_from_it(
    text: str, *, names_log: bool
) -> None:
    put(CONVERSATION)
    put(CONVERSATION, log="other")

    for log in ("default", "other"):
        with CaptureQueriesContext(connection) as queries:
            found = places(text, logs=(log,))

        (match,) = [each["sql"] for each in queries if "MATCH" in each["sql"]]
        assert (f"!log={log}" in match) is names_log
        assert found == [3]


@pytest.mark.parametrize(
    ("text", "is_kept_apart"),
    [("is:flagged (leaf:0 OR leaf:3)", False), ("goal:42 is:flagged", True)],
)
def test_many_reviews_lead_to_their_rows_where_no_match_reads_them(
    text: str, *, is_kept_apart: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "_FEW", 0)
    put(CONVERSATION)
    ada = User.objects.create_user("ada")
    review.mark(packet=Packet.objects.get(leaf=0), state="flagged", note="", who=ada)

    with CaptureQueriesContext(connection) as queries:
        assert places(text) == [0]

    (asked,) = [each["sql"] for each in queries if "auditlog_search" in each["sql"]]
    assert ("+rowid IN" in asked) is is_kept_apart
