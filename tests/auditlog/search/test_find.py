"""Searching on the database: pages, counts, errors, and every kind of key."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from auditlog.models import Log, Packet, Source
from auditlog.search import index, terms
from auditlog.search.find import Count, CursorError, UnknownLog, find
from auditlog.search.query import QueryError
from cablese import registry

pytestmark = pytest.mark.django_db

START = datetime(2026, 11, 1, 12, tzinfo=UTC)
CONVERSATION = (
    "REQ/TSK|g=42,t=1,p=2,@=auth_refactor",
    "PRO/PLN|g=42,t=1,@=auth_refactor",
    "REJ/PLN|g=42,t=1,!=scope too large",
    "ACC/PLN|g=43,t=1",
    "INF/OBS|g=42,t=1,s=done,@=auth_health",
    "EVL/EVL|g=42,t=1,sc=8",
)


def put(
    wires: Iterable[str],
    *,
    log: str = "default",
    every: timedelta = timedelta(hours=1),
    supplied: Mapping[str, Any] | None = None,
) -> None:
    """Store packets an hour apart, with what search reads of them."""
    source = Source.objects.get_or_create(name="HR bot")[0]
    row, _ = Log.objects.get_or_create(
        slug=log, defaults={"origin": f"here/{log}", "title": log, "created": START}
    )
    entries = []
    codec = registry.get("nslip")
    with transaction.atomic(), connection.cursor() as cursor:
        for wire in wires:
            message = codec.decode(wire)
            packet = Packet.objects.create(
                uid=f"{log}-{row.size}", log=row, leaf=row.size, received=START + row.size * every,
                protocol="nslip", dialect="nslip/1", wire=wire.encode(), valid=message.valid,
                diagnostics="[]", meaning="{}", supplied="{}",
                source=source, tokens=1, tokenizer="o200k_base", baseline_version=1,
            )  # fmt: skip
            found = terms.stream(
                log=log, protocol="nslip", valid=message.valid, wire=wire,
                fields=terms.flatten(message.values),
                meaning=codec.meaning(message), supplied=supplied, source=source.name,
            )  # fmt: skip
            entries.append(index.Entry(packet.seq, log, "nslip", found))
            row.size += 1
        row.save(update_fields=["size"])
        index.write(cursor, entries)


ATTRIBUTES = {
    "trace_id": "4BF92F35-aa",
    "llm": {"model": "gpt-4o", "latency": 0.5, "tries": 3},
    "steps": ["plan auth", {"name": "build"}, None],
    "k8s:pod (1)": "pod-1",
    "p50": 1e-7,
}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("attr.trace_id:4bf92f35-aa", [0]),
        ("attr.trace_id:4bf9*", [0]),
        ("attr.trace_id:4bf9", []),
        ('attr.steps:"plan auth"', [0]),
        ('attr.steps:"plan au"*', [0]),
        ("attr.steps:null", [0]),
        ("attr.steps.name:build", [0]),
        ("attr.llm.model:GPT-4o", [0]),
        ("attr.llm.latency:0.5", [0]),
        ("attr.llm.tries:>2", [0]),
        ("attr.llm.tries:>3", []),
        ("attr.k8s_pod__1_:pod-1", [0]),
        ("attr.p50:1e-7", [0]),
        ("has:attr.llm.model", [0]),
        ("-attr.llm.model:other", [0]),
        ("gpt", [0]),
    ],
)
def test_attributes_are_found_by_their_names(text: str, found: list[int]) -> None:
    put(CONVERSATION[:1], supplied={"attributes": ATTRIBUTES})
    assert places(text) == found


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        ("attr.trace:x", "attr.trace_id"),
        ("trace_id:x", "attr.trace_id"),
        ("attr.tracer.id:x", "attr.trace_id"),
    ],
)
def test_an_attribute_that_was_never_seen_is_an_error_with_the_nearest(
    text: str, suggestion: str
) -> None:
    put(CONVERSATION[:1], supplied={"attributes": ATTRIBUTES})
    with pytest.raises(QueryError) as caught:
        find(["default"], text, now=START)
    assert caught.value.suggestion == f"Did you mean {suggestion}:?"
    with pytest.raises(QueryError):
        places("attr.:x")


def test_the_start_of_a_word_is_not_the_start_of_an_attribute() -> None:
    put(CONVERSATION[:1], supplied={"attributes": {"zebra": 1}})
    assert places("zeb*") == []


def test_what_is_said_of_a_time_is_not_searched() -> None:
    put(
        CONVERSATION[:1],
        supplied={"sent_text": "yesterday", "sent_zone": "UTC", "from_line": ["sent_at"]},
    )
    assert [places(word) for word in ("yesterday", "utc", "sent")] == [[], [], []]


def test_attributes_beyond_those_that_are_remembered_can_be_searched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(index, "MAX_KEYS", 2)
    monkeypatch.setattr("auditlog.search.find.MAX_KEYS", 2)
    put(CONVERSATION[:1], supplied={"attributes": {"a": 1, "b": 1}})
    put(CONVERSATION[:1], supplied={"attributes": {"c": 1}})
    assert places("attr.c:1") == [1]
    with pytest.raises(QueryError):
        places("nowhere:1")


def places(text: str, *, logs: tuple[str, ...] = ("default",), now: datetime = START) -> list[int]:
    """The leaves that a query finds."""
    return [packet.leaf for packet in find(logs, text, now=now).rows]


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
        ("log:other", []),
    ],
)
def test_a_query_finds(text: str, expected: list[int]) -> None:
    put(CONVERSATION)

    assert places(text) == expected


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
        ("default", 0), ("other", 1), ("other", 0),
    ]  # fmt: skip
    assert places("leaf:3", logs=both) == [3, 3]
    assert places("-leaf:1..5", logs=both) == [0, 0]
    assert places("log:other goal:43", logs=both) == [3]
    assert places("goal:43", logs=("other",)) == [3]


def test_pages_follow_each_other_without_gap_or_overlap() -> None:
    put([f"REQ/TSK|g={n},@=all" for n in range(25)])

    seen: list[int] = []
    cursor = None
    while True:
        page = find(["default"], "@all", limit=10, cursor=cursor, now=START)
        assert page.count == Count(25, exact=True)
        seen += [packet.leaf for packet in page.rows]
        put(["REQ/TSK|g=99,@=all"])
        if not (cursor := page.next):
            break

    assert seen == list(range(24, -1, -1))


def test_since_means_the_same_moment_on_every_page() -> None:
    put(CONVERSATION)

    page = find(["default"], "since:6h", limit=3, now=START + timedelta(hours=6))
    rest = find(["default"], "since:6h", limit=3, cursor=page.next, now=START + timedelta(days=9))

    assert [packet.leaf for packet in rest.rows] == [2, 1, 0]


def test_counts_are_capped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("auditlog.search.find.COUNTED", 5)
    put(CONVERSATION)

    assert find(["default"], "", now=START).count == Count(5, exact=False)
    assert find(["default"], "-goal:43", now=START).count == Count(5, exact=True)


def test_a_cursor_is_ours_and_for_this_query() -> None:
    put(CONVERSATION)
    cursor = find(["default"], "goal:42", limit=1, now=START).next
    assert cursor

    for text, given in (
        ("goal:43", cursor),
        ("goal:42", cursor[:-1]),
        ("goal:42", "x"),
        ("goal:42", "\ud800"),
    ):
        with pytest.raises(CursorError):
            find(["default"], text, cursor=given, now=START)


def test_an_unknown_log_is_an_error() -> None:
    with pytest.raises(UnknownLog):
        find(["default", "nowhere"], "", now=START)


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
        ("goal:9..1", (5, 9), None),
        ("since:soon", (6, 10), "7d"),
        ("since:9999999d", (6, 14), "7d"),
        ("since:2026-13-01", (6, 16), "7d"),
        ("since:0001-01-01T00:00+01:00", (6, 28), "7d"),
        ("ts:7d", (3, 5), "since:7d"),
        ("ts:2026-11-02..2026-11-01", (3, 25), None),
        ("leaf:x", (5, 6), "leaf:812"),
        ("has:gaol", (4, 8), "goal:"),
        ("is:valid*", (3, 9), "is:valid"),
        ("a !!! b", (2, 5), "Remove"),
        ("- a", (0, 1), "Remove"),
    ],
)
def test_what_cannot_be_answered_says_where_and_what_could_stand_there(
    text: str, span: tuple[int, int], hint: str | None
) -> None:
    put(CONVERSATION)

    with pytest.raises(QueryError) as caught:
        places(text)

    assert caught.value.span == span
    if hint is None:
        assert caught.value.suggestion is None
    else:
        assert hint in (caught.value.suggestion or "")


def test_a_key_is_known_once_it_was_seen_in_the_log() -> None:
    put(["REQ/TSK|g=42"], log="other")
    with pytest.raises(QueryError):
        places("g:42")

    put(["REQ/TSK|g=42"])

    assert places("g:42") == [0]


def test_hostile_text_finds_itself_and_nothing_else() -> None:
    odd = [
        "auth-health",
        "HR-Agent",
        "goal:42 OR",
        'a"b',
        "x*",
        "nul\x00nul",
        "O'Brien\\",
        "日本語",
        "🔥fire",
        "İstanbul",
        "a=b",
    ]
    put([f"REQ/TSK|!={text}" for text in odd])

    for leaf, text in enumerate(odd):
        quoted = '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
        assert leaf in places(quoted), text
        assert leaf in places(f"!:{quoted}"), text
    assert places("auth-health") == [0]
    assert places("HR-Agent") == [1]
    assert places("日本*") == [7]
    assert places("🔥") == [8]


def test_the_longest_packets_are_found_by_their_terms_and_their_beginning() -> None:
    put(
        [
            "REQ/TSK|!=" + " ".join(f"{n}{'ж' * 190}" for n in range(5_000)),
            "REQ/TSK|!=" + "spam " * 20_000 + "egg",
        ]
    )

    assert places("is:invalid") == [1, 0]
    assert places("100ж*") == [0]
    assert places('"spam spam spam"') == [1]


def test_a_long_query_is_answered_or_refused() -> None:
    put(CONVERSATION)

    for text in (
        "x" * 100_000,
        "(" * 3_000,
        "a " * 60,
        '"' + "a" * 100_000,
        "@x OR " * 60,
        '"' + "a " * 1_900 + '"',
    ):
        with pytest.raises(QueryError):
            places(text)
    assert places(" OR ".join(f"goal:>={n}" for n in range(50))) == [5, 4, 3, 2, 1, 0]
    assert places("-" * 100 + "goal:43") == [3]
    assert places("(" * 19 + "a -(b OR goal:42)" + ")" * 19) == []


def test_a_phrase_of_as_many_words_as_are_taken_is_found() -> None:
    put(["REQ/TSK|!=" + "spam " * 99 + "egg", "REQ/TSK|!=" + "spam " * 98 + "egg"])

    assert places('"' + "spam " * 99 + 'egg"') == [0]
    assert places('!:"' + "spam " * 99 + 'egg"') == [0]
    assert places('"' + "spam " * 98 + 'egg"') == [1, 0]


@pytest.mark.parametrize(
    ("text", "number", "span"),
    [
        ('"' + "spam " * 101 + '"', 101, (0, 507)),
        ('goal:42 "a b" OR -("' + "x " * 99 + '")', 101, (19, 219)),
        ('!:"' + "spam " * 101 + '"', 101, (0, 509)),
        ('"' + "日" * 101 + '"', 101, (0, 103)),
    ],
)
def test_phrases_of_more_words_are_refused_at_their_place(
    text: str, number: int, span: tuple[int, int]
) -> None:
    put(["REQ/TSK|g=42,!=x"])

    with pytest.raises(QueryError) as caught:
        places(text)
    assert (
        caught.value.message == f"The phrases of this query have {number} words. The limit is 100."
    )
    assert caught.value.span == span


def test_names_of_several_parts_are_words_of_their_own() -> None:
    name = "0199c2d1-7d5e-7000-8000-000000000000"
    put([f"REQ/TSK|!={name}"])

    assert places(" ".join([name] * 50)) == [0]
    assert places(" ".join([f"!:{name}"] * 50)) == [0]


def test_reviewing_changes_what_is_finds() -> None:
    put(CONVERSATION)
    first = Packet.objects.get(leaf=0).seq
    with connection.cursor() as cursor:
        index.review(cursor, first, "flagged")
        assert places("is:flagged") == [0]
        index.review(cursor, first, "reviewed")

    assert places("is:flagged") == []
    assert places("is:reviewed @auth_refactor") == [0]
    assert places("is:unreviewed") == [5, 4, 3, 2, 1]


def test_erased_terms_find_nothing() -> None:
    put(CONVERSATION)
    with connection.cursor() as cursor:
        index.erase(
            cursor, list(Packet.objects.filter(leaf__in=(0, 4)).values_list("seq", flat=True))
        )

    assert places("@auth_*") == [1]
    assert find(["default"], "", now=START).count == Count(4, exact=True)


@pytest.mark.django_db(transaction=True)
def test_purged_terms_are_in_no_file() -> None:
    put(CONVERSATION)
    put(["REQ/TSK|g=42,!=xyzzyplugh"])
    assert connection.vendor != "sqlite" or b"xyzzyplugh" in stored()
    with transaction.atomic(), connection.cursor() as cursor:
        newest = Packet.objects.latest("seq")
        index.erase(cursor, [newest.seq])
        newest.delete()
    with connection.cursor() as cursor:
        index.purge(cursor)

    assert places("xyzzyplugh") == []
    assert places("scope") == [2]
    assert connection.vendor != "sqlite" or b"xyzzyplugh" not in stored()


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
