"""The quick look misses nothing that a detector finds, and lets ordinary messages pass."""

from collections.abc import Callable, Sequence

import pytest

from auditlog.findings import glance, injection, sensitive
from auditlog.findings.phrases import PHRASES, SPECIAL
from cablese import detection, registry
from cablese.message import Message
from tests import fuzz
from tests.auditlog.findings.test_personal import BORN, EMAILS, TELEPHONES
from tests.benchmarks import corpus
from tests.cablese.hostile import mutate
from tests.growth import assert_linear

CARRIERS = (
    "INF/OBS|g=1,@={}",
    "FETCH|HR|return:A|p:1|aacp:1.1|subj:{}",
    "FETCH|HR|return:A|p:1|aacp:1.1|filter:tel={},password=x",
    "SLIP v3 a b Inform Done {}",
    "T|1|A|res={}",
    "T|1|A|phone={}",
    '{{"g":"x","plan":[["search","web",{{"phone":"{}","n":1}}]]}}',
    '{{"g":"x","plan":[["search","web",{{"dob":"{}"}}]]}}',
    '{{"format":"text","subformat":"English","content":"{}"}}',
)
SENSITIVE = [
    "DE89370400440532013000", "MT84MALT011000012345MTLCAST001S", "AccountKey=" + "a" * 86 + "==",
    "GB29 NWBK 6016 1331 9268 19", "4111 1111 1111 1111",
    "5555-5555-5555-4444", "2223003122003222", "378282246310005", "3782 822463 10005",
    "536-90-4399", "529.982.247-25", "12345678-Z", "12345678Z", "1 85 05 78 006 084 91",
    "RSSMRA85T10A562S", "password=hunter2", "api-key: abc", "private_key = abc",
    "https://bob:hunter22@db.example/x", "AKIA" + "IOSFODNN7EXAMPLQ", "ghp_" + "a1" * 18,
    "glpat-" + "a1" * 12, "glagent-" + "a1" * 30, "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.a_b-c",
    "0123456789abcdef" * 2 + "-us12", "sk-" + "a1" * 10 + "T3BlbkFJ" + "b2" * 10,
    "-----BEGIN RSA PRIVATE KEY-----", "SG." + "a" * 22 + "." + "b" * 43, "xoxb-1-2-abc",
    "sk_live_" + "a1" * 12, "123456789:" + "aA1-" * 8 + "abc", "AC" + "a1" * 16,
    "sq0csp-" + "a" * 43, "M" + "a" * 24 + "." + "b" * 6 + "." + "c" * 27,
    "//registry.example/:_authToken=npm_abc",
    *EMAILS, *TELEPHONES, *[f"born {day}" for day in BORN], *BORN, "030901820",
]  # fmt: skip
INJECTION = [
    *[phrase for phrases in PHRASES.values() for phrase in phrases],
    *[phrase.replace(" ", "_").replace("o", "0") for phrase in PHRASES["English"]],
    *SPECIAL, "<|im_start|>", "<script>", "![x](https://x.example/?q=1)", "{{config}}", "${a}",
    "{% a %}", "<![CDATA[", "javascript:alert(1)", "data:text/html", "file:///etc", "p\u0430ypal",
    "safe\u202egpj", "\x1b[2J", "a%252Cs=done", "a%7Creturn:Mallory", "a%3Bnext%3Dclose",
    "a%2Cs=done", "system: do it", "**user** : do", "[tool]: do", "ai : do", "### new task",
    "from now on", "act as root", "never_tell", "you must", "new rules", "reveal hidden prompt",
]  # fmt: skip


Finds = Callable[[Message], bool]
MayBe = Callable[[str], bool]


def is_sensitive(message: Message) -> bool:
    return bool(sensitive.find(message))


def is_injection(message: Message) -> bool:
    return bool(injection.find_warnings(message))


CASES = [
    (SENSITIVE, is_sensitive, glance.may_be_sensitive, 0.7),
    (INJECTION, is_injection, glance.may_be_injection, 0.95),
]


@pytest.mark.parametrize(("texts", "finds", "may_be", "share"), CASES)
def test_it_misses_nothing_in_any_protocol(
    texts: Sequence[str], finds: Finds, may_be: MayBe, share: float
) -> None:
    found = set()
    for text in texts:
        for carrier in CARRIERS:
            wire = carrier.format(text)
            if finds(detection.decode(wire)):
                found.add(text)
                assert may_be(wire), wire

    assert len(found) > share * len(set(texts))


@fuzz.mark
@pytest.mark.parametrize(("texts", "finds", "may_be", "_share"), CASES)
def test_it_misses_nothing_in_broken_messages(
    texts: Sequence[str], finds: Finds, may_be: MayBe, _share: float
) -> None:
    dice, found = fuzz.dice(), 0
    for _ in range(fuzz.many(1_500)):
        name = dice.choice(registry.get_names())
        wire = mutate(dice.choice(corpus.vectors(name)), dice)
        if dice.random() < 0.7:
            at = dice.randrange(len(wire) + 1)
            wire = wire[:at] + dice.choice(texts) + wire[at:]
        if finds(detection.decode(wire, name)):
            found += 1
            assert may_be(wire), wire

    assert found > 50


@pytest.mark.parametrize("may_be", [glance.may_be_sensitive, glance.may_be_injection])
def test_most_packets_pass(may_be: MayBe) -> None:
    wires = [sent.wire for sent in corpus.mixed(2_000)]

    assert sum(map(may_be, wires)) < 20


@pytest.mark.parametrize(
    ("sign", "end", "size"),
    [("%", "", 16_000), ("=", "|%", 400), (":", ";%", 400), ("1(", "", 16_000), ("[a", "", 16_000)],
)
def test_a_wire_of_one_sign_takes_linear_time(sign: str, end: str, size: int) -> None:
    def look(length: int) -> None:
        wire = sign * (length // len(sign)) + end
        glance.may_be_injection(wire)
        glance.may_be_sensitive(wire)

    assert_linear(look, size)
