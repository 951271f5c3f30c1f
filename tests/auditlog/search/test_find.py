"""Searching on the database: every kind of key, and errors."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from auditlog.log import reindex
from auditlog.models import Packet
from auditlog.search import index, keys, merging
from auditlog.search.completion import counts
from auditlog.search.find import Count, find, find_beside
from auditlog.search.query import QueryError
from tests.auditlog.search.packets import CONVERSATION, START, places, put, put_findings

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [5, 4, 3, 2, 1, 0]),
        ("*", [5, 4, 3, 2, 1, 0]),
        ("@auth_refactor goal:42", [1, 0]),
        ("tag:auth_refactor", [1, 0]),
        ("@auth_*", [4, 1, 0]),
        ("@AUTH_Refactor", [1, 0]),
        ("-@auth_*", [5, 3, 2]),
        ("@(auth_refactor OR auth_health)", [4, 1, 0]),
        ("act:request", [0]),
        ("act:REQ", [0]),
        ("act:(request OR reject) -act:reject", [0]),
        ("goal:43", [3]),
        ("goal:4*", [5, 4, 3, 2, 1, 0]),
        ("goal:*", [5, 4, 3, 2, 1, 0]),
        ("reason:*", [2]),
        ("g:43", [3]),
        ("nslip.g:43", [3]),
        ("packet.goal:43", [3]),
        ("supplied.goal:43", []),
        ("goal:>42", [3]),
        ("goal:40..42 has:prio", [0]),
        ("prio:<=2", [0]),
        ("prio:<2", []),
        ("score:>=7", [5]),
        ("sc:..8", [5]),
        ("status:done", [4]),
        ("has:reason", [2]),
        ("has:!", [2]),
        ("has:@", [4, 1, 0]),
        ("reason:large", [2]),
        ('reason:"too large"', [2]),
        ('reason:"large too"', []),
        ('reason:"scope to"*', [2]),
        ('"scope too large"', [2]),
        ('"scope large"', []),
        ("scope", [2]),
        ("auth", [4, 1, 0]),
        ("auth_health", [4]),
        ("auth-health", []),
        ('"auth-health"', [4]),
        ("auth_*", [4, 1, 0]),
        ("auth_h*", [4]),
        ("health OR refactor", [4, 1, 0]),
        ("REQ/TSK", [0]),
        ("proto:nslip", [5, 4, 3, 2, 1, 0]),
        ("proto:ns*", [5, 4, 3, 2, 1, 0]),
        ("proto:aacp", []),
        ("is:invalid", []),
        ("is:valid -scope", [5, 4, 3, 1, 0]),
        ("is:unreviewed goal:43", [3]),
        ("source:bot", [5, 4, 3, 2, 1, 0]),
        ('source:"hr bot" goal:43', [3]),
        ("leaf:2", [2]),
        ("leaf:2..3", [3, 2]),
        ("leaf:>=4", [5, 4]),
        ("leaf:..1 @auth_*", [1, 0]),
        ("-leaf:1..4", [5, 0]),
        ("leaf:0 OR scope OR leaf:5", [5, 2, 0]),
        ("leaf:99", []),
        ("NOT (scope OR goal:43)", [5, 4, 1, 0]),
        ("goal:43 OR -goal:42", [3]),
        ("log:default goal:43", [3]),
        ("log:default OR goal:43", [5, 4, 3, 2, 1, 0]),
        ("-log:other goal:43", [3]),
        ('"log:other"', []),
    ],
)
def test_a_query_finds(text: str, expected: list[int]) -> None:
    put(CONVERSATION)

    assert places(text) == expected


@pytest.mark.parametrize(
    ("text", "span", "message", "suggestion"),
    [
        ("log:other", (0, 9), "of log default.", "Choose log other above, or send log=other."),
        ("goal:42 log:other", (8, 17), "of log default.", None),
        ("goal:43 OR (log:other goal:42)", (12, 21), "of log default.", None),
        ("log:(default OR other)", (16, 21), "of log default.", None),
        ("NOT (goal:42 -log:other)", (14, 23), "of log default.", None),
        ("goal:42 -log:default", (9, 20), "and this term excludes the log.", "Remove the term"),
    ],
)
def test_a_query_that_contradicts_its_log_is_an_error(
    text: str, span: tuple[int, int], message: str, suggestion: str | None
) -> None:
    put(CONVERSATION)

    with pytest.raises(QueryError) as caught:
        places(text)

    assert tuple(caught.value.span) == span
    assert message in caught.value.message
    assert (suggestion or "") in (caught.value.suggestion or "")


def test_a_key_of_one_token_needs_nothing_but_its_term(monkeypatch: pytest.MonkeyPatch) -> None:
    put(CONVERSATION)
    monkeypatch.setitem(keys.TERMS, "sent_by", keys.Term("src", "token", "sent by"))
    monkeypatch.setitem(keys.ALIASES, "by", "sent_by")

    assert places("sent_by:bot goal:43") == places("by:bot goal:43") == places("goal:43") != []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("since:3h", [5, 4, 3]),
        ("since:2h30m OR goal:43", None),
        ("since:2026-11-01T16:00", [5, 4]),
        ("since:2026-11-01T16:00:00.000001", [5]),
        ("since:2026-11-01T17:00+01:00", [5, 4]),
        ("since:2026-11-02", []),
        ("until:2026-11-01T13:59", [1, 0]),
        ("ts:2026-11-01", [5, 4, 3, 2, 1, 0]),
        ("ts:2026-10-31", []),
        ("ts:2026-11-01T13:00..2026-11-01T14:00", [2, 1]),
        ("ts:>2026-11-01T13:00 ts:<2026-11-01T15:00", [2]),
        ("-since:3h", [2, 1, 0]),
        ("since:4h goal:43", [3]),
    ],
)
def test_a_time_finds(text: str, expected: list[int] | None) -> None:
    put(CONVERSATION)

    if expected is None:
        with pytest.raises(QueryError):
            places(text, now=START + timedelta(hours=6))
    else:
        assert places(text, now=START + timedelta(hours=6)) == expected


def test_supplied_facts_are_found_like_what_the_packet_says() -> None:
    facts = {
        "goal": "42",
        "tags": ["Audit"],
        "from": "HR-Agent",
        "to": "bob",
        "thread": "t/1",
        "content": "Prüfe Q4",
    }
    put(["INF/OBS|s=done"], supplied=facts)

    queries = [
        "goal:42",
        "supplied.goal:42",
        "@audit",
        "from:hr-agent",
        "to:bob",
        "thread:t/1",
        "prufe",
        "Q4",
        "bob",
    ]
    assert [places(text) for text in queries] == [[0]] * len(queries)
    assert places("packet.goal:42") == []


def test_time_and_leaves_are_those_of_each_log() -> None:
    put(CONVERSATION, log="other", every=timedelta(minutes=1))
    put(CONVERSATION)
    now = START + timedelta(hours=6)
    both = ("default", "other")

    assert [(p.log.slug, p.leaf) for p in find(both, "since:2h", now=now).rows] == [
        ("default", 5),
        ("default", 4),
    ]
    assert [(p.log.slug, p.leaf) for p in find(both, "ts:..2026-11-01T12:01", now=now).rows] == [
        ("other", 1), ("other", 0), ("default", 0),
    ]  # fmt: skip
    assert places("leaf:3", logs=both) == [3, 3]
    assert places("-leaf:1..5", logs=both) == [0, 0]
    assert places("log:other goal:43", logs=both) == [3]
    assert places("goal:43 -log:other", logs=both) == [3]
    assert places("goal:43", logs=("other",)) == [3]


@pytest.mark.parametrize("limit", [1, 2, 5, 11])
def test_pages_over_several_logs_are_merged_by_time(limit: int) -> None:
    put(CONVERSATION, log="other", every=timedelta(minutes=25))
    put(CONVERSATION)
    stored = sorted(Packet.objects.all(), key=lambda one: (one.received, one.pk), reverse=True)

    found: list[Packet] = []
    cursor = None
    while cursor or not found:
        page = find(("default", "other"), "", limit=limit, cursor=cursor, now=START)
        assert page.count == Count(len(stored), exact=True)
        found += page.rows
        cursor = page.next

    assert [one.pk for one in found] == [one.pk for one in stored]


@pytest.mark.parametrize(
    ("text", "span", "hint"),
    [
        ("@x gaol:42", (3, 7), "goal:"),
        ("http://x", (0, 4), "quotes"),
        ("nslip.zz:1", (0, 8), "quotes"),
        ("nslip.fram:1", (0, 10), "nslip.frame:"),
        ("packet.gaol:1", (0, 11), "packet.goal:"),
        ("supplied.score:1", (0, 14), "quotes"),
        ("is:vald", (3, 7), "is:valid"),
        ("proto:nslp", (6, 10), "proto:nslip"),
        ("goal:a..b", (5, 9), "quotes"),
        ("goal:9..1", (5, 9), "1..9"),
        ("since:soon", (6, 10), "7d"),
        ("since:9999999d", (6, 14), "7d"),
        ("since:2026-13-01", (6, 16), "7d"),
        ("since:0001-01-01T00:00+01:00", (6, 28), "7d"),
        ("ts:7d", (3, 5), "ts:>=7d"),
        ("ts:2026-11-02..2026-11-01", (3, 25), "2026-11-01..2026-11-02"),
        ("leaf:x", (5, 6), "leaf:812"),
        ("has:gaol", (4, 8), "goal:"),
        ("is:valid*", (3, 9), "is:valid"),
        ("finding:sensitve", (8, 16), "finding:sensitive"),
        ("finding:warning", (8, 15), "flow, injection, repeated, sensitive"),
        ("finding:flow*", (8, 13), "finding:flow"),
        ("a !!! b", (2, 5), "Remove"),
        ("- a", (0, 1), "Remove"),
    ],
)
def test_what_cannot_be_answered_says_where_and_what_could_stand_there(
    text: str, span: tuple[int, int], hint: str
) -> None:
    put(CONVERSATION)

    with pytest.raises(QueryError) as caught:
        places(text)

    assert caught.value.span == span
    assert hint in (caught.value.suggestion or "")


def test_a_key_is_known_once_it_was_seen_in_the_log() -> None:
    put(["REQ/TSK|g=42"], log="other")
    with pytest.raises(QueryError):
        places("g:42")

    put(["REQ/TSK|g=42"])

    assert places("g:42") == [0]


@pytest.mark.parametrize("few", [0, 50])
def test_findings_are_found_by_their_detector(monkeypatch: pytest.MonkeyPatch, few: int) -> None:
    monkeypatch.setattr("auditlog.search.engine.sqlite._FEW", few)
    put(CONVERSATION)
    put(CONVERSATION, log="other")
    put_findings(1, "sensitive", "flow")
    put_findings(3, "sensitive")
    put_findings(2, "sensitive", log="other")

    assert places("finding:sensitive") == [3, 1]
    assert places("finding:Flow") == places("finding:sensitive goal:42") == [1]
    assert places("finding:(flow OR sensitive) -leaf:1") == [3]
    assert places("-finding:sensitive") == [5, 4, 2, 0]
    assert places("finding:flow OR leaf:5") == [5, 1]
    assert places("finding:repeated") == places("sensitive") == places("finding*") == []
    assert find(["default", "other"], "finding:sensitive", now=START).count.value == 3


def test_a_search_for_findings_goes_on_from_page_to_page() -> None:
    put(CONVERSATION)
    for leaf in range(6):
        put_findings(leaf, "repeated")

    first = find(["default"], "finding:repeated", limit=4, now=START)
    second = find(["default"], "finding:repeated", limit=4, cursor=first.next, now=START)

    assert [packet.leaf for packet in (*first.rows, *second.rows)] == [5, 4, 3, 2, 1, 0]
    assert (second.next, second.count.value) == (None, 6)


def test_a_page_with_room_for_more_bytes_still_ends_at_its_limit() -> None:
    put(CONVERSATION)

    page = find(["default"], "", limit=2, size=1_000_000, now=START)

    assert [packet.leaf for packet in page.rows] == [5, 4]
    assert page.next is not None


def test_erased_terms_find_nothing() -> None:
    put(CONVERSATION)
    with connection.cursor() as cursor:
        index.erase(cursor, [one.pk for one in Packet.objects.filter(leaf__in=(0, 4))])

    assert places("@auth_*") == [1]
    assert find(["default"], "", now=START).count == Count(4, exact=True)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("purged_before", [False, True])
def test_purged_terms_are_in_no_file(*, purged_before: bool) -> None:
    for _ in range(10):
        put(CONVERSATION)
    put(["REQ/TSK|g=42,!=xyzzyplugh"])
    for _ in range(10):
        put(CONVERSATION)
    if purged_before:  # Its terms are then in the one part that the index has.
        with connection.cursor() as cursor:
            merging.purge(cursor)
    assert connection.vendor != "sqlite" or "xyzzyplugh" in pieces_stored("xyzzyplugh")
    with transaction.atomic(), connection.cursor() as cursor:
        erased = Packet.objects.get(leaf=60)
        tokens = reindex.terms_of(erased).tokens
        counts.subtract(cursor, [(erased.log_id, erased.leaf, tokens)])
        index.erase(cursor, [erased.pk])
        erased.delete()
    with connection.cursor() as cursor:
        merging.purge(cursor)

    assert places("xyzzyplugh") == []
    assert len(places("scope")) == 20
    assert connection.vendor != "sqlite" or pieces_stored("xyzzyplugh") == []


def pieces_stored(word: str) -> list[str]:
    """Return the word and its ends that are in the files: an index may store only an end."""
    files = stored()
    return [word[at:] for at in range(len(word) - 4) if word[at:].encode() in files]


def stored() -> bytes:
    """Everything in the files of the SQLite database."""
    database = Path(connection.settings_dict["NAME"])
    return b"".join(path.read_bytes() for path in database.parent.glob(f"{database.name}*"))


def test_a_time_is_found_in_as_many_queries_in_a_long_log_as_in_a_short_one() -> None:
    put(CONVERSATION)
    put(CONVERSATION * 20, log="long", every=timedelta(minutes=1))

    asked = {}
    for log in ("default", "long"):
        with CaptureQueriesContext(connection) as queries:
            assert find([log], "since:2026-11-01T12:03", now=START).rows
        asked[log] = len(queries)

    assert asked["default"] == asked["long"]


@pytest.mark.parametrize(
    "query", ["goal:42", "is:valid", "finding:flow OR goal:42", "-goal:43", ""]
)
def test_what_is_beside_a_packet_is_what_a_search_has_before_and_after_it(query: str) -> None:
    put(CONVERSATION)
    now = datetime.now(UTC)
    found = [packet.leaf for packet in find(["default"], query, now=now).rows]

    for packet in Packet.objects.filter(log__slug="default"):
        newer, older = find_beside(packet, query, now=now)
        assert (newer and newer.leaf) == min((at for at in found if at > packet.leaf), default=None)
        assert (older and older.leaf) == max((at for at in found if at < packet.leaf), default=None)
