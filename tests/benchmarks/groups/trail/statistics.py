"""The statistics page and its API over the rollup of a million packets: 400 days, 20 sources, 300
senders and recipients. Each is asked as a request to Django in this process.

It measures the database that is set: `DATABASE_URL=postgresql://… python -m tests.benchmarks
statistics` measures PostgreSQL. Baseline: the promised 100 ms.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from time import perf_counter

from django.db import connection, transaction
from django.test import Client

from auditlog import access
from auditlog.log import bulk_insert
from auditlog.models import Log, Rollup, Source
from auditlog.rollup import counting
from auditlog.rollup.tally import COUNTERS, Group, Tally, pack, pack_english, unpack
from auditlog.rollup.values import Values
from tests.benchmarks.asked import visitor
from tests.benchmarks.groups.page import percentile, promised
from tests.benchmarks.line import Line

DAYS, SOURCES, NAMES, PACKETS = 400, 20, 300, 125
PROTOCOLS = ("nslip", "aacp", "sacp", "nlip", "tline", "slip", "unknown")
ACTS = ("request", "propose", "inform", "evaluate", "accept", "reject", "query", "confirm")
ROUNDS = 20
LIMIT = 0.100
COLUMNS = ("log_id", "dimension", "source", "period", "start", "value", *COUNTERS)
PAGES = ("days=30", "days=90", "days=all", "days=all&source=bot-3", "days=30&price_model=x")
APIS = ("by=day", "by=from&from={year}", "by=source&from={year}", "by=to&source=bot-3")


def measure() -> Iterator[Line]:
    before = str(connection.settings_dict["NAME"])
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        fill()
        yield from _measure()
    finally:
        connection.creation.destroy_test_db(before, verbosity=0)


def _measure() -> Iterator[Line]:
    _, token = access.create_key(source="reader", scopes=("read",))
    year = f"{datetime.now(UTC) - timedelta(365):%F}"
    with_key = {"Authorization": f"Bearer {token}"}
    rows = f"{Rollup.objects.count():,} rows"
    for query in PAGES:
        times = ask(visitor(signed_in=True), f"/audit/statistics?{query}", {})
        yield promised(f"statistics page, {query}, {rows}, p95", percentile(times), LIMIT)
    for query in APIS:
        times = ask(visitor(), f"/api/v1/statistics?{query.format(year=year)}", with_key)
        yield promised(f"statistics API, {query}, p95", percentile(times), LIMIT)


def fill() -> None:
    """Count a million packets that are not stored: the same ones every day."""
    rows = make_day()
    today = datetime.now(UTC).date()
    days = [today - timedelta(at) for at in range(DAYS)]
    months = Counter(day.replace(day=1) for day in days)
    with transaction.atomic(), connection.cursor() as cursor:
        for period, starts in (("d", dict.fromkeys(days, 1)), ("m", months)):
            for start, times in starts.items():
                filled = [
                    (*owner, period, str(start), value, *(times * count for count in counts))
                    for owner, value, counts in rows
                ]
                bulk_insert.insert(cursor, "auditlog_rollup", COLUMNS, filled)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE auditlog_rollup")


def make_day() -> list[tuple[tuple[int, str, int], str, list[int]]]:
    """Return the rows of a day: log, dimension, and source; value; counters."""
    log = Log.objects.get(slug="default")
    dice, tally = Random(1), Tally(COUNTERS)
    for n in range(SOURCES):
        group = Group(log.pk, "2026-11-20", Source.objects.create(name=f"bot-{n}").pk)
        for _ in range(PACKETS):
            names = ((f"agent-{dice.randrange(NAMES)}",) for _ in range(2))
            values = Values(dice.choice(ACTS), *names)
            counters = pack(valid=dice.random() < 0.95, tokens=30, baseline=40)
            tally.add(group, dice.choice(PROTOCOLS), values, counters + pack_english(30, 25))
    with connection.cursor() as cursor:
        spread = counting._spread(cursor, tally)
    return [
        (owner[:3], value, unpack(packed))
        for owner, sums in spread.items()
        if owner.period == "d"
        for value, packed in sums.items()
    ]


def ask(client: Client, address: str, headers: dict[str, str]) -> list[float]:
    """Return the milliseconds of each answer, without the first."""
    times = []
    for _ in range(ROUNDS + 1):
        begin = perf_counter()
        response = client.get(address, headers=headers)
        times.append(1_000 * (perf_counter() - begin))
        assert response.status_code == 200, response.content[:500]
    return times[1:]
