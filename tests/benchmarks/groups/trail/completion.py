"""Completion in logs whose tables are as full as they may be: 2,000 values of each of 200 keys, in
each of three logs. The page asks for a fragment at every key; the bar is 30 ms for 95 % of them.

And what counting the values costs the writer, of a log that is young, and of one with many packets.
"""

import random
import statistics
import time
from collections.abc import Iterator
from datetime import UTC, datetime

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.test import Client, override_settings

from auditlog.log import bulk_insert
from auditlog.models import Log, LogEnd
from auditlog.search import terms
from auditlog.search.completion import counts
from cablese import detection, registry
from tests.benchmarks import corpus
from tests.benchmarks.line import Line, duration

LOGS, KEYS, VALUES = 3, 200, 2_000
ASKED = 0.030
ROUNDS = 300
BATCH = 500
MOST = 0.03
"""The share of the time of a batch that counting may take."""
PER_PACKET = 1 / 10_000
"""Seconds of a packet on its way into the log, from the request to the commit."""
WORDS = (
    "", "act:", "act:re", "tag:tag_1", "@tag_12", "k17:", 'k17:"value 1', "k150:lue", "-k1",
    "attr.", "goal:42 k19:9", 'k3:"value 12', "re", "k42:(value1 OR value", "has:k",
)  # fmt: skip
"""What is typed, up to the caret."""


def measure() -> Iterator[Line]:
    """Fills a database of its own, and throws it away."""
    before = str(connection.settings_dict["NAME"])
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        logs = fill()
        yield ask(logs)
        yield count(logs[0], 0, "completion: counting a batch of 500 in a young log", None)
        yield count(logs[0], 10**6, "completion: counting a batch of 500, against 3 %", 1)
    finally:
        connection.creation.destroy_test_db(before, verbosity=0)


def fill() -> list[Log]:
    """Fill the tables of keys and values of a few logs."""
    dice = random.Random(1)
    logs = [Log.objects.get(slug="default")]
    for n in range(1, LOGS):
        logs.append(Log.objects.create(slug=f"log-{n}", origin=f"here/{n}", title="", created=NOW))
        LogEnd.objects.create(log=logs[-1])
    keys = ["tag", "goal", "from", "act", *(f"k{n}" for n in range(KEYS - 4))]
    with transaction.atomic(), connection.cursor() as cursor:
        for log in logs:
            named = [(log.pk, "nslip", key) for key in keys]
            bulk_insert.insert(
                cursor, "auditlog_searchkey", ("log_id", "protocol", "key"), sorted(named)
            )
            rows = [
                (log.pk, key, f"{before}{n}", dice.randrange(1, 10**5))
                for key in keys
                for before in ("tag_" if key == "tag" else "value ",)
                for n in range(VALUES)
            ]
            columns = ("log_id", "key", "value", "packets")
            bulk_insert.insert(cursor, "auditlog_searchvalue", columns, rows)
    return logs


NOW = datetime(2026, 11, 20, tzinfo=UTC)


def ask(logs: list[Log]) -> Line:
    """Ask for the fragment as the box does while somebody types."""
    client = Client()
    client.force_login(User.objects.create_user("ada"))
    times = []
    with override_settings(ALLOWED_HOSTS=["*"]):
        for n in range(ROUNDS):
            word = WORDS[n % len(WORDS)]
            fields = {"log": logs[n % LOGS].slug, "q": word, "caret": str(len(word))}
            begin = time.perf_counter()
            answer = client.get("/audit/complete", fields)
            times.append(time.perf_counter() - begin)
            assert answer.status_code == 200, answer.content
            found = b"data-insert" in answer.content
            assert found or not word.startswith(("@", "k17", "act")), word
    took = sorted(times[ROUNDS // 10 :])
    p95 = took[int(len(took) * 0.95)]
    return Line(
        what=f"completion: a fragment, p95 (middle {duration(statistics.median(took))})",
        ours=duration(p95), baseline=duration(ASKED), ratio=ASKED / p95, target=1,
    )  # fmt: skip


def count(log: Log, first: int, what: str, target: float | None) -> Line:
    """Count batches of mixed packets from a leaf on."""
    batches = list(_batches(12))
    times = []
    for number, tokens in enumerate(batches):
        start = first + number * BATCH
        leaves = [leaf for leaf in range(start, start + BATCH) if counts.is_counted(leaf)]
        with transaction.atomic(), connection.cursor() as cursor:
            begin = time.perf_counter()
            counts.add(cursor, [(log.pk, leaf, tokens[leaf - start]) for leaf in leaves])
            times.append(time.perf_counter() - begin)
    took = statistics.median(times[2:4] if first < counts.FIRST else times[2:])
    allowed = MOST * PER_PACKET * BATCH
    return Line(
        what=what, ours=duration(took), baseline=duration(allowed), ratio=allowed / took,
        target=target,
    )  # fmt: skip


def _batches(number: int) -> Iterator[list[str]]:
    """Yield the tokens of mixed packets."""
    sent = corpus.mixed(number * BATCH)
    for _ in range(number):
        tokens = []
        for _ in range(BATCH):
            one = next(sent)
            message = detection.decode(one.wire, None)
            known = message.protocol != detection.UNKNOWN
            stream = terms.stream(
                log="default", protocol=message.protocol, valid=message.valid, wire=one.wire,
                fields=terms.find_fields(message),
                meaning=registry.get(message.protocol).meaning(message) if known else None,
                supplied={"from": one.sender}, source="bench",
            )  # fmt: skip
            tokens.append(stream.tokens)
        yield tokens
