"""Packets that came more than once with the very same bytes."""

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from auditlog.ingest.item import Item
from auditlog.log import logs, replays
from auditlog.log.replays import Count
from auditlog.models import Packet
from auditlog.search.find import find
from auditlog.search.terms import same
from tests.auditlog.sending import append, make_sender

pytestmark = pytest.mark.django_db

WIRE = "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:emp_salary"


def kept(*wires: str, protocol: str = "auto") -> list[Packet]:
    outcomes = append(*(Item(wire, protocol=protocol) for wire in wires), sender=make_sender())
    return [Packet.objects.select_related("log").get(uid=outcome.packet) for outcome in outcomes]


def count(packet: Packet) -> Count | None:
    return replays.count(packet)


@pytest.mark.requirement("AACP-43")
def test_the_same_bytes_are_counted_and_found() -> None:
    first, _, again, other = kept(WIRE, f"{WIRE}|period:2024-08", WIRE, WIRE.replace("HR-", "hr-"))

    found = count(first)

    assert found == count(again)
    assert found is not None
    assert (found.number, found.exact) == (2, True)
    assert found.query is not None
    page = find(["default"], found.query, now=datetime.now(UTC))
    assert {first.pk, again.pk} <= {packet.pk for packet in page.rows}
    assert count(other) is None


@pytest.mark.requirement("AACP-43")
def test_each_has_its_own_place_and_time() -> None:
    first, again = kept(WIRE, WIRE)

    assert first.leaf < again.leaf
    assert first.received <= again.received


@pytest.mark.parametrize(
    "wire",
    [
        'SEND|HR|return:a|p:1|aacp:1.1|subj:say "hi" \\ and -go (now) OR @x',
        "SEND|HR|return:a|p:1|aacp:1.1|subj:línea %0A две 給与",
        "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|\nres:emp_salary",
        "SEND|HR|return:a|p:1|aacp:1.1|subj:" + "word " * 2000,
        "SEND|HR|return:a|p:1|aacp:1.1|subj:" + "x" * 5000,
        '{"g":"x","plan":[["search","web",{"q":"a"}]]}',
        "plain words of nobody",
    ],
)
def test_any_text_can_be_looked_for(wire: str) -> None:
    first, _ = kept(wire, wire)

    found = count(first)

    assert found is not None
    assert found.number == 2


def test_what_has_no_words_is_counted_and_cannot_be_searched_for() -> None:
    first, _ = kept("|||", "|||", protocol="aacp")

    assert count(first) == Count(2, exact=True, first=first.uid, query=None)


@pytest.mark.requirement("AACP-43")
def test_a_page_of_packets_is_counted_in_one_query(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    same, other, again, _ = packets = kept(WIRE, f"{WIRE}|period:2024-08", WIRE, "ACC/PLN|g=1")

    with django_assert_num_queries(1):
        found = replays.count_all(packets)

    assert found == {
        same.pk: replays.Count(2, exact=True, first=same.uid),
        again.pk: found[same.pk],
    }
    assert other.pk not in found


def test_the_token_of_the_same_bytes_is_the_one_that_databases_hold() -> None:
    assert same(0x0102, b"REQ/TSK|g=42,t=1") == "=31189788c1064c5b70478567fa68cce4"


def test_the_same_bytes_in_another_log_are_no_repeat() -> None:
    logs.create(slug="other")
    (here,) = kept(WIRE)
    append(Item(WIRE, log="other"), sender=make_sender())

    assert replays.count_all([here]) == {}


def test_an_empty_page_asks_nothing(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(0):
        assert replays.count_all([]) == {}


@pytest.mark.skipif(connection.vendor != "sqlite", reason="the plan is read as SQLite words it")
def test_counting_reads_the_index_and_not_the_table() -> None:
    """However often a packet came, a page costs no scan."""
    packets = kept(WIRE, WIRE)
    with CaptureQueriesContext(connection) as queries:
        replays.count_all(packets)
    (asked,) = queries.captured_queries

    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {asked['sql']}")
        plan = [row[3] for row in cursor.fetchall()]
    assert not [step for step in plan if "SCAN p" in step]
    assert [step for step in plan if "SCAN s VIRTUAL TABLE INDEX" in step]


@pytest.mark.skipif(
    connection.vendor != "postgresql", reason="SQLite has a token instead of an index"
)
def test_counting_reads_the_index_on_postgresql() -> None:
    packets = kept(WIRE, *[f"REQ/TSK|g={n},t=1" for n in range(100)])[:1]
    with CaptureQueriesContext(connection) as queries:
        replays.count_all(packets)
    (asked,) = queries.captured_queries

    with connection.cursor() as cursor:
        # A small table is otherwise read whole, or by another index if nothing is known of it.
        cursor.execute("ANALYZE auditlog_packet")
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"EXPLAIN {asked['sql']}")
        plan = [row[0] for row in cursor.fetchall()]
    assert len([step for step in plan if "Index Cond" in step and "sha256(wire)" in step]) == 2
    assert not [step for step in plan if "Seq Scan on auditlog_packet" in step]


def test_many_are_counted_up_to_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "COUNTED", 3)
    first, *_ = kept(*[WIRE] * 5)

    assert count(first) == Count(3, exact=False, first=first.uid, query=f'proto:aacp "{WIRE}"')


def test_a_packet_of_many_words_is_found_by_the_first_of_them() -> None:
    first, again = kept(*[f"SEND|HR|return:a|p:1|aacp:1.1|subj:{'to be ' * 80}or not"] * 2)

    found = count(first)

    assert found is not None
    assert found.query is not None
    page = find(["default"], found.query, now=datetime.now(UTC))
    assert [packet.pk for packet in page.rows] == [again.pk, first.pk]
