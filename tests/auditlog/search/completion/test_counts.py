"""The table against what a plain count of the same packets gives."""

import random
from collections import Counter
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection, transaction

from auditlog.ingest.item import Item
from auditlog.log import logs, reindex
from auditlog.models import Log, Packet
from auditlog.search import terms
from auditlog.search.completion import counts, values
from tests.auditlog.sending import append, make_sender

pytestmark = pytest.mark.django_db(transaction=True)

ACTS = {"REQ": "request", "PRO": "propose", "REJ": "reject", "INF": "inform"}
Table = dict[tuple[str, str, str], int]


def stored(*keys: str) -> Table:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT g.slug, v.key, v.value, v.packets FROM auditlog_searchvalue v "
            "JOIN auditlog_log g ON g.id = v.log_id"
        )
        rows = cursor.fetchall()
    return {(log, key, value): packets for log, key, value, packets in rows if key in keys}


def make(dice: random.Random, log: str) -> tuple[Item, list[tuple[str, str]]]:
    """Return a packet, and the values that a reader would name."""
    act, tag = dice.choice(list(ACTS)), dice.choice(("auth", "Deploy.v2", "a-b"))
    goal, reason = str(dice.randrange(9)), dice.choice(("too large", "Too  LARGE", "no", ""))
    wire = f"{act}/TSK|g={goal},t=1,@={tag}" + (f",!={reason}" if reason else "")
    sender = dice.choice(("HR-Agent", "planner", None))
    tags, model = dice.sample(("auth", "x", "y"), dice.randrange(3)), dice.choice(("m1", "m 2"))
    item = Item(wire, log=log, from_=sender, tags=tags, attributes={"model": model, "n": 7})
    facts = [("act", ACTS[act]), ("goal", goal), ("attr.model", model), ("proto", "nslip")]
    facts += [("tag", one.lower()) for one in {tag, *tags}]
    facts += [("source", "hr-bot")] + ([("from", sender.lower())] if sender else [])
    facts += [("reason", " ".join(reason.lower().split()))] if reason else []
    return item, facts


KEYS = ("act", "goal", "attr.model", "attr.n", "proto", "tag", "source", "from", "reason", "id")


def fill(dice: random.Random, number: int) -> list[tuple[str, list[tuple[str, str]]]]:
    """Store packets in two logs, in batches. Return the log and the values of each."""
    sender = make_sender()
    told: list[tuple[str, list[tuple[str, str]]]] = []
    while len(told) < number:
        items = []
        for _ in range(dice.randrange(1, 20)):
            log = dice.choice(("default", "other"))
            item, facts = make(dice, log)
            items.append(item)
            told.append((log, facts))
        append(*items, sender=sender)
    return told


def count(told: list[tuple[str, list[tuple[str, str]]]]) -> Table:
    """Count as the table should: all of the first packets of a log, and then a few."""
    found: Counter[tuple[str, str, str]] = Counter()
    leaves: Counter[str] = Counter()
    for log, facts in told:
        leaf = leaves[log]
        leaves[log] += 1
        weight = 1 if leaf < counts.FIRST else counts.EVERY * (leaf % counts.EVERY == 0)
        for key, value in set(facts):
            if weight:
                found[log, key, value] += weight
    return dict(found)


@pytest.fixture
def other_log() -> None:
    logs.create(slug="other", title="Other")


@pytest.mark.usefixtures("other_log")
@pytest.mark.parametrize("first", [1_000, 40])
def test_the_table_has_what_a_plain_count_gives(
    monkeypatch: pytest.MonkeyPatch, first: int
) -> None:
    monkeypatch.setattr(counts, "FIRST", first)
    monkeypatch.setattr(counts, "EVERY", 7)

    told = fill(random.Random(first), 300)

    assert stored(*KEYS) == count(told)


@pytest.mark.usefixtures("other_log")
def test_reindexing_counts_all_again_and_an_upgrade_counts_once() -> None:
    told = fill(random.Random(3), 60)
    expected = count(told)

    call_command("reindex", "--all", stdout=StringIO())
    assert stored(*KEYS) == expected

    # As after an update from a version that counted nothing.
    with connection.cursor() as cursor:
        counts.clear(cursor)
    Packet.objects.update(terms_version=1)
    assert len([*reindex.run()]) == 1
    assert stored(*KEYS) == expected

    Packet.objects.update(terms_version=terms.VERSION + 1)
    assert len([*reindex.run()]) == 1
    assert stored(*KEYS) == expected


@pytest.mark.usefixtures("other_log")
def test_what_was_added_can_be_subtracted() -> None:
    told = fill(random.Random(5), 80)
    erased = [one for one in Packet.objects.select_related("log", "source") if one.leaf % 3 == 0]
    found = [(one.log_id, one.leaf, reindex.terms_of(one).tokens) for one in erased]
    before = stored(*KEYS)

    with transaction.atomic(), connection.cursor() as cursor:
        counts.subtract(cursor, found)

    leaves: Counter[str] = Counter()
    left = []
    for log, facts in told:
        left += [(log, facts)] if leaves[log] % 3 else []
        leaves[log] += 1
    assert stored(*KEYS) == count(left) != before
    with transaction.atomic(), connection.cursor() as cursor:
        counts.add(cursor, found)
    assert stored(*KEYS) == before


def put(leaf: int, *pairs: str) -> None:
    """Count a packet with these terms."""
    log = Log.objects.get(slug="default")
    with transaction.atomic(), connection.cursor() as cursor:
        counts.add(cursor, [(log.pk, leaf, " ".join(f"!{pair}" for pair in pairs))])


def test_a_key_of_ids_is_full_and_keeps_what_comes_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counts, "MAX_VALUES", 20)
    for n in range(60):
        put(n, f"f.run=r{n}x", "f.kind=plain", *(["f.run=main"] if n % 9 == 0 else []))

    table = stored("run", "kind")
    assert table.pop(("default", "run", counts.MARK)) == 0
    assert table["default", "kind", "plain"] == 60
    assert ("default", "run", "r59x") not in table
    assert len(table) < 20


def test_a_key_of_goals_forgets_the_rare_half(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counts, "MAX_VALUES", 20)
    for n in range(200):
        put(n, f"p.goal=#c{100 + n // 3}", "p.topic=x")

    table = stored("goal")
    assert len(table) <= 20
    assert max(table.values()) <= 3
    assert ("default", "goal", "166") in table


def test_the_number_of_keys_is_bounded_but_not_for_our_terms(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(counts, "MAX_KEYS", 5)
    for n in range(20):
        put(n, f"f.k{n}x=v", "p.topic=plan")

    assert {key for _, key, _ in stored("topic", *(f"k{n}x" for n in range(20)))} == {
        "topic", *(f"k{n}x" for n in range(5)),
    }  # fmt: skip


def test_nothing_is_remembered_of_a_batch_that_was_rolled_back() -> None:
    with transaction.atomic():
        put(0, "p.topic=plan")
        transaction.set_rollback(True)

    put(0, "p.topic=plan")

    assert stored("topic") == {("default", "topic", "plan"): 1}


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        ("!proto=nslip !is=valid !src=bot word", ("proto:nslip", "source:bot")),
        ("!p.reason=too !p.reason=large !s.reason=no x", ("reason:too large", "reason:no")),
        ("!p.tag=a !p.tag=b !s.tag=a", ("tag:a", "tag:b")),
        ("!p.goal=#b42 !f.g=#b42 !p.topic=##1", ("goal:42", "topic:#1")),
        ("!f.ctx.loc=paris !f.loc=paris", ("ctx.loc:paris", "loc:paris")),
        ("!f.plan.0.n=a !.model=gpt !f.from=x", ("n:a", "attr.model:gpt")[1:]),
        ("!p.id=x !f.trace_id=x !f.password=x !.token=x !f.a:b=x", ()),
        ("!f.h=0123456789abcdef !f.u=3f2b8c1a-1111-x !f.n=1.5 !f.e= = !f.o=k", ("o:k",)),
        (f"!f.long={'y' * 61} !f.o=k", ("o:k",)),
        (f"!f.{'k' * 60}=v !f.{'k' * 61}=v", (f"{'k' * 60}:v",)),
        (" ".join([f"!p.tag=t{n}" for n in range(60)]), tuple([f"tag:t{n}" for n in range(50)])),
        (" ".join([*["!f.n=1"] * 498, "!p.goal=#a1", "!f.o=k", "!f.o2=k"]), ("goal:1", "o:k")),
        ("", ()),
    ],
)
def test_it_reads_the_values_of_tokens(tokens: str, expected: tuple[str, ...]) -> None:
    assert values.read(tokens) == expected
