"""What the rollup must have, counted from the stored packets by other means."""

import json
from collections import Counter
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from auditlog.ingest.item import Item
from auditlog.log import draft, packet, writer
from auditlog.log.log_end import find
from auditlog.models import Packet, Rollup
from auditlog.rollup.tally import COUNTERS
from auditlog.rollup.values import NONE, fold
from auditlog.sender import Sender
from cablese import tokens
from tests.benchmarks import corpus

START = datetime(2026, 10, 30, 23, 50, tzinfo=UTC)
NAMES = (
    "planner", "HR-Agent", "hr-agent", "Ünï planner", "a (b)", '"quoted"', "star*", "x" * 150, "",
    " ", "a\\b", "-minus", "OR",
)  # fmt: skip
Key = tuple[int, str, int, str, str, str]


def send(dice: Random, number: int, senders: list[Sender], logs: tuple[str, ...]) -> None:
    """Store batches of random packets over several days."""
    wires = [case["wire"] for name in corpus.WRITERS for case in corpus.cases(name)]
    wires = [wire for wire in wires if "\ud800" not in wire] + ["no protocol", "caf\udce9 =?"]
    for at in range(number):
        items = [
            Item(
                dice.choice(wires),
                log=dice.choice(logs),
                from_=dice.choice([None, None, *NAMES]),
                to=dice.choice([None, None, None, *NAMES]),
            )
            for _ in range(dice.randrange(1, 20))
        ]
        received = START + timedelta(hours=7 * at)
        made = draft.make(
            draft.Submission(items, dice.choice(senders)), received=received, logs=find(set(logs))
        )
        writer.append([one for one in made if isinstance(one, draft.Draft)])


def count() -> dict[Key, list[int]]:
    """Return the counters of every row, from the packets, all of which are described."""
    found: dict[Key, Counter[str]] = {}
    for row in Packet.objects.select_related("log", "source"):
        counters = _count(row)
        for dimension, value in _values(row):
            for source in {row.source_id, 0} if dimension != "source" else {0}:
                for period, start in (
                    ("d", f"{row.received:%F}"),
                    ("m", f"{row.received:%Y-%m}-01"),
                ):
                    key = row.log_id, dimension, source, period, start, value
                    found.setdefault(key, Counter()).update(counters)
    return {key: [counters[name] for name in COUNTERS] for key, counters in found.items()}


def _count(row: Packet) -> dict[str, int]:
    sentence = packet.describe(packet.read(row)).encode(errors="replace").decode()
    english = tokens.count(sentence, "o200k_base").count if sentence else None
    return {
        "packets": 1,
        "invalid": int(not row.valid),
        "tokens": row.tokens,
        "json_packets": int(row.tokens_json is not None),
        "json_sent": 0 if row.tokens_json is None else row.tokens,
        "json_tokens": row.tokens_json or 0,
        "english_read": 1,
        "english_packets": int(english is not None),
        "english_sent": 0 if english is None else row.tokens,
        "english_tokens": english or 0,
    }


def _values(row: Packet) -> list[tuple[str, str]]:
    meaning, supplied = json.loads(row.meaning), json.loads(row.supplied)
    found: list[tuple[str, Any]] = [
        ("all", ""), ("source", str(row.source_id)), ("protocol", row.protocol),
        ("act", meaning.get("act")),
    ]  # fmt: skip
    for dimension, name in (("from", "sender"), ("to", "recipient")):
        names = {
            fold(one) for one in (meaning.get(name), supplied.get(dimension)) if one is not None
        }
        found += [(dimension, one) for one in names or {NONE}]
    return [(dimension, value) for dimension, value in found if value is not None]


def stored() -> dict[Key, list[int]]:
    """Return the rows that count something."""
    rows = Rollup.objects.values_list(
        "log_id", "dimension", "source", "period", "start", "value", *COUNTERS
    )
    return {_key(row): list(row[6:]) for row in rows if any(row[6:])}


def _key(row: tuple[Any, ...]) -> Key:
    log_id, dimension, source, period, start, value = row[:6]
    return log_id, dimension, source, period, f"{start:%F}", value
