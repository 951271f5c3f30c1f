"""Random queries over random packets, answered by the database and by reading every packet with no
index at all.
"""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone

import pytest

from auditlog.findings.finding import DETECTORS
from auditlog.ingest.item import Item
from auditlog.search import table
from auditlog.search.facets.count import count
from auditlog.search.find import find
from auditlog.search.language import columns
from auditlog.search.query import QueryError
from cablese import registry
from cablese.message import Diagnostic, Severity, Span
from tests import fuzz
from tests.auditlog.search.facets.reading import counts, read
from tests.auditlog.search.packets import START, put, put_findings

pytestmark = pytest.mark.django_db


PARTITIONS = (3, 25, table.PARTITION)
"""Leaves in a partition of the index of SQLite, so that a log is in many, in few, or in one."""
ACTS = {"REQ": "request", "PRO": "propose", "REJ": "reject", "INF": "inform"}
CODES = ("nslip.leading-zero", "nslip.long-value", "aacp.leading-zero", "nslip.bad-act")
TAGS = ("auth", "auth_refactor", "auth_health", "Deploy.v2", "a-b")
REASONS = (
    "scope too large",
    "too large",
    "scope",
    "auth, refactor!",
    "large 42 too",
    "O'Neil \\ x",
)
WORDS = (
    "req",
    "tsk",
    "auth",
    "refactor",
    "auth_refactor",
    "scope",
    "large",
    "42",
    "deploy.v2",
    "v2",
    "a-b",
    "neil",
    "gone",
)


@dataclass
class Fact:
    """A packet as the oracle reads it."""

    leaf: int
    texts: list[str]
    said: list[tuple[str, str]] = field(default_factory=list)
    supplied: list[tuple[str, str]] = field(default_factory=list)
    wire: list[tuple[str, str]] = field(default_factory=list)
    attributes: list[tuple[str, str]] = field(default_factory=list)
    found: frozenset[str] = frozenset()
    """The detectors that found something."""
    sent: datetime | None = None
    tokens: int = 0
    event: str | None = None
    codes: tuple[str, ...] = ()
    warns: bool = False

    def columns(self, dice: random.Random) -> str:
        """The tokens of these facts; the sender is in any time zone."""
        zone = timezone(timedelta(minutes=15 * dice.randrange(-48, 56)))
        severity: Severity = "warning" if self.warns else "error"
        return columns.write(
            self.tokens,
            Item(
                "",
                sent_at=None if self.sent is None else self.sent.astimezone(zone).isoformat(),
                event_id=self.event,
            ),
            [Diagnostic(code, severity, Span(0, 0), "", "") for code in self.codes],
        )


Test = Callable[[Fact], bool]
Query = tuple[str, Test]


def make(dice: random.Random, leaf: int) -> tuple[str, dict[str, object], Fact]:
    act = dice.choice(list(ACTS))
    slots = {"g": str(dice.choice((4, 42, 43, 420))), "t": str(dice.randrange(3))}
    if dice.random() < 0.5:
        slots["p"] = str(dice.randrange(1, 4))
    if dice.random() < 0.5:
        slots["@"] = dice.choice(TAGS)
    if dice.random() < 0.5:
        slots["!"] = dice.choice(REASONS).replace(",", "")
    wire = f"{act}/TSK|{','.join(f'{key}={value}' for key, value in slots.items())}"
    supplied: dict[str, object] = {}
    if dice.random() < 0.3:
        supplied = {
            "goal": dice.choice(("42", "q4")),
            "tags": dice.sample(TAGS, 2),
            "note": dice.choice(REASONS),
        }
    names = {"g": "goal", "t": "task", "p": "prio", "@": "tag", "!": "reason"}
    facts = Fact(leaf, [wire])
    facts.said = [("act", ACTS[act]), *((names[key], value) for key, value in slots.items())]
    facts.wire = list(slots.items())
    for key, value in list(supplied.items()):
        for one in value if isinstance(value, list) else [str(value)]:
            facts.texts.append(one)
            if key != "note":
                facts.supplied.append(("tag" if key == "tags" else key, one))
    if dice.random() < 0.4:
        one, two, number = dice.choice(TAGS), dice.choice(REASONS), dice.choice((1, 4, 42, 420))
        supplied["attributes"] = {"run": {"tag": [one, two], "goal": number}, "ok": True}
        facts.attributes = [
            ("run.tag", one),
            ("run.tag", two),
            ("run.goal", str(number)),
            ("ok", "true"),
        ]
        facts.texts += [text for _, text in facts.attributes]
    facts.found = frozenset(name for name in DETECTORS if dice.random() < 0.2)
    state_columns(dice, facts)
    return wire, supplied, facts


def state_columns(dice: random.Random, facts: Fact) -> None:
    if dice.random() < 0.8:
        facts.sent = moment(dice)
    facts.tokens = dice.choice((1, 9, 10, 11, 19, 20, 99, 100, 101, 120, 1000, 1234, 12345))
    if dice.random() < 0.8:
        facts.event = dice.choice(("run-17-4", "run-17-42", "Run-18", "42", "4", "420", "a 42"))
    facts.codes = tuple(dice.sample(CODES, dice.choice((0, 0, 1, 2))))
    facts.warns = bool(facts.codes) and dice.random() < 0.5


def moment(dice: random.Random) -> datetime:
    """A time near another one, from microseconds to years apart."""
    apart = dice.choice((1, 500_000, 10**6, 10**7, 6 * 10**7, 6 * 10**8, 10**11, 3 * 10**13))
    return datetime(2026, 11, 20, 23, 50, tzinfo=UTC) + timedelta(
        microseconds=apart * dice.randrange(-9, 10)
    )


def atoms(text: str) -> list[str]:
    return re.findall("[a-z0-9]+", text.lower())


def follows(wanted: list[str], among: list[str], *, prefix: bool) -> bool:
    """Whether the words stand together in this order; of the last one only the beginning, with a
    star.
    """
    for at in range(len(among) - len(wanted) + 1):
        *head, last = among[at : at + len(wanted)]
        if head == wanted[:-1] and (last.startswith(wanted[-1]) if prefix else last == wanted[-1]):
            return True
    return False


def value_words(text: str) -> list[str]:
    return [word.strip(".,;:!?()[]{}\"'") or word for word in text.lower().split()]


NAMES = ("log=", "proto=nslip", "is=", "src=", "state=", "p.goal=", "s.tag=", "f.g=", ".run.tag=")
"""Terms of every kind, as they are named: no word with a star finds them."""


def free_word(dice: random.Random) -> Query:
    word, star = dice.choice((*WORDS, *NAMES)), dice.random() < 0.3
    if word in NAMES:
        word, star = word.strip(".").partition("=")[0], True
    if star:
        word = word[: dice.randrange(1, len(word) + 1)]

    def test(fact: Fact) -> bool:
        names = {
            run
            for text in fact.texts
            for run in re.findall(r"[a-z0-9]+(?:[_.\-]+[a-z0-9]+)*", text.lower())
        }
        names |= {part for text in fact.texts for part in atoms(text)}
        return any(name.startswith(word) for name in names) if star else word in names

    return word + "*" * star, test


def phrase(dice: random.Random) -> Query:
    words = dice.choice(REASONS).split()
    start = dice.randrange(len(words))
    text = " ".join(words[start : start + dice.randrange(1, 4)])
    wanted, star = atoms(text), dice.random() < 0.3
    quoted = text.replace("\\", "\\\\")
    if not wanted:
        return free_word(dice)
    return f'"{quoted}"' + "*" * star, lambda fact: any(
        follows(wanted, atoms(each), prefix=star) for each in fact.texts
    )


def named(key: str) -> tuple[str, str]:
    """The owner of a key, and its name there."""
    owner, _, name = key.rpartition(".")
    return owner, "tag" if name == "@" else name


def held(fact: Fact, key: str) -> list[list[str]]:
    """The words of every value that a packet has under a key."""
    if key.startswith("attr."):
        return [value_words(value) for known, value in fact.attributes if f"attr.{known}" == key]
    owner, name = named(key)
    groups = {"packet": [fact.said], "supplied": [fact.supplied], "nslip": [fact.wire]}
    found = groups.get(owner, [fact.wire] if name in ("g", "!") else [fact.said, fact.supplied])
    return [value_words(value) for group in found for known, value in group if known == name]


def keyed(dice: random.Random) -> Query:
    key = dice.choice(
        (
            "goal", "task", "prio", "tag", "@", "reason", "act", "g", "!", "nslip.g", "packet.goal",
            "supplied.tag",
            "attr.run.tag", "attr.run.goal", "attr.ok",
        )
    )  # fmt: skip
    _, name = named(key)
    if name in ("goal", "task", "prio", "g") and dice.random() < 0.4:
        low, high = sorted((dice.choice((0, 2, 4, 42, 43, 99)), dice.choice((1, 4, 42, 420))))
        form = dice.choice(("{0}..{1}", ">={0}", "<={1}", ">{0}", "<{1}", "{0}.."))
        if high == 0:
            return free_word(dice)
        inside: Callable[[int], bool] = {
            "{0}..{1}": lambda n: low <= n <= high, ">={0}": lambda n: n >= low,
            "<={1}": lambda n: n <= high,
            ">{0}": lambda n: n > low, "<{1}": lambda n: n < high, "{0}..": lambda n: n >= low,
        }[form]  # fmt: skip
        return f"{key}:{form.format(low, high)}", lambda fact: any(
            word.isdecimal() and inside(int(word)) for words in held(fact, key) for word in words
        )
    values = {"tag": TAGS, "reason": REASONS, "!": REASONS, "act": (*ACTS.values(), "query")}.get(
        name, ("4", "42", "q4", "1")
    )
    value = dice.choice(values)
    star = dice.random() < 0.3
    if star:
        value = value[: dice.randrange(1, len(value) + 1)].rstrip(" ,!\\")
    wanted = value_words(value)
    quoted = value.replace("\\", "\\\\")
    colon = "" if key == "@" else ":"
    return f'{key}{colon}"{quoted}"' + "*" * star, lambda fact: any(
        follows(wanted, words, prefix=star) for words in held(fact, key)
    )


def detected(dice: random.Random) -> Query:
    name = dice.choice(DETECTORS)
    key = dice.choice(("finding", "is"))
    return f"{key}:{name}", lambda fact: name in fact.found


def sent(dice: random.Random) -> Query:
    low, high = sorted((moment(dice), moment(dice)))
    first, last = low.isoformat(), high.isoformat()
    low_end = low + timedelta(microseconds=1 if low.microsecond else 10**6)
    high_end = high + timedelta(microseconds=1 if high.microsecond else 10**6)
    day, zone = low.date(), timezone(timedelta(hours=dice.randrange(-9, 10)))
    inside: dict[str, Callable[[datetime], bool]] = {
        f"{first}..{last}": lambda at: low <= at < high_end,
        f">={low.astimezone(zone).isoformat()}": lambda at: at >= low,
        f">{first}": lambda at: at >= low_end,
        f"<{last}": lambda at: at < high,
        f"<={last}": lambda at: at < high_end,
        f"{day}": lambda at: at.date() == day,
        f"{day}..": lambda at: at.date() >= day,
        f">={low:%Y-%m-%dT%H:%M}": lambda at: at >= low.replace(second=0, microsecond=0),
        f">={60 - day.day}h": lambda at: at >= START + timedelta(hours=day.day),
    }
    text = dice.choice(list(inside))
    return f"sent:{text}", lambda fact: fact.sent is not None and inside[text](fact.sent)


def counted(dice: random.Random) -> Query:
    low, high = sorted((dice.randrange(130), dice.choice((1, 10, 19, 100, 999, 1234, 20_000))))
    inside: dict[str, Callable[[int], bool]] = {
        f"{low}": lambda n: n == low,
        f"{high}": lambda n: n == high,
        f"{low}..{high}": lambda n: low <= n <= high,
        f">={low}": lambda n: n >= low,
        f">{high}": lambda n: n > high,
        f"<={high}": lambda n: n <= high,
        f"<{low + 1}": lambda n: n <= low,
    }
    text = dice.choice(list(inside))
    return f"tokens:{text}", lambda fact: inside[text](fact.tokens)


def event(dice: random.Random) -> Query:
    value = dice.choice(("run-17-42", "RUN-18", "42", "a 42", "gone"))
    star = dice.random() < 0.5
    value = value[: dice.randrange(1, len(value) + 1)].rstrip() if star else value
    wanted = value_words(value)
    return (
        f'event:"{value}"' + "*" * star,
        lambda fact: (
            fact.event is not None and follows(wanted, value_words(fact.event), prefix=star)
        ),
    )


def code(dice: random.Random) -> Query:
    value = dice.choice((*CODES, *(each.partition(".")[2] for each in CODES), "gone"))
    star = dice.random() < 0.5
    value = value[: dice.randrange(1, len(value) + 1)] if star else value

    def test(fact: Fact) -> bool:
        names = {name for each in fact.codes for name in (each, each.partition(".")[2])}
        return any(name.startswith(value) if star else name == value for name in names)

    return f"code:{value}" + "*" * star, test


def other(dice: random.Random) -> Query:
    low, high = sorted((dice.randrange(60), dice.randrange(60)))
    return dice.choice((
        (f"leaf:{low}..{high}", lambda fact: low <= fact.leaf <= high),
        (f"since:{60 - low}h", lambda fact: fact.leaf >= low),
        ("has:prio", lambda fact: any(name == "prio" for name, _ in fact.said)),
        ("has:attr.run.tag", lambda fact: any(fact.attributes)),
        ("has:@", lambda fact: any(name == "tag" for name, _ in fact.said + fact.supplied)),
        ("is:warning", lambda fact: fact.warns),
        ("has:sent", lambda fact: fact.sent is not None),
        ("has:event", lambda fact: fact.event is not None),
        ("has:code", lambda fact: bool(fact.codes)),
        ("has:finding", lambda fact: bool(fact.found)),
        ("is:valid", lambda _fact: True),
        ("is:invalid", lambda _fact: False),
        ("proto:nslip", lambda _fact: True),
        ("*", lambda _fact: True),
    ))  # fmt: skip


def query(dice: random.Random, depth: int) -> Query:
    kind = dice.random()
    if depth == 0 or kind < 0.3:
        kinds = (free_word, phrase, keyed, keyed, detected, other, sent, counted, event, code)
        return dice.choice(kinds)(dice)
    if kind < 0.5:
        text, test = query(dice, depth - 1)
        return f"-({text})", lambda fact: not test(fact)
    parts = [query(dice, depth - 1) for _ in range(dice.randrange(2, 4))]
    if kind < 0.75:
        return f"({' '.join(text for text, _ in parts)})", lambda fact: all(
            test(fact) for _, test in parts
        )
    return f"({' OR '.join(text for text, _ in parts)})", lambda fact: any(
        test(fact) for _, test in parts
    )


@fuzz.mark
@pytest.mark.parametrize("seed", range(fuzz.many(8)))
def test_the_index_finds_what_reading_everything_finds(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "PARTITION", PARTITIONS[seed % len(PARTITIONS)])
    dice = random.Random(seed)
    registry.get("nslip")
    now = START + timedelta(hours=60)
    facts: list[Fact] = []
    for leaf in range(60):
        wire, supplied, fact = make(dice, leaf)
        put([wire], supplied=supplied, columns=fact.columns(dice))
        put_findings(leaf, *fact.found)
        facts.append(fact)

    for number in range(60):
        text, test = query(dice, 3)
        try:
            page = find(["default"], text, limit=100, now=now)
        except QueryError as error:  # three ranges or more may be too many searches of the index
            if "searches of the index" not in str(error):
                raise
            continue

        assert [packet.leaf for packet in page.rows] == [
            fact.leaf for fact in reversed(facts) if test(fact)
        ], text
        assert page.count.value == len(page.rows)
        if number % 6 == 0:
            facets = count(page.rows[0].log, text, now=now) if page.rows else None
            assert facets is None or counts(facets) == read(page.rows), text
