"""Packets that came more than once with the very same bytes."""

from datetime import UTC, datetime

import pytest

from auditlog import repeats
from auditlog.ingest.item import Item
from auditlog.models import Packet
from auditlog.repeats import Repeats
from auditlog.search.find import find
from tests.auditlog.sending import append, make_sender

pytestmark = pytest.mark.django_db

WIRE = "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:emp_salary"


def kept(*wires: str, protocol: str = "auto") -> list[Packet]:
    outcomes = append(*(Item(wire, protocol=protocol) for wire in wires), sender=make_sender())
    return [Packet.objects.select_related("log").get(uid=outcome.packet) for outcome in outcomes]


def count(packet: Packet) -> Repeats | None:
    return repeats.count(packet, now=datetime.now(UTC))


@pytest.mark.requirement("AACP-43")
def test_the_same_bytes_are_counted_and_found() -> None:
    first, _, again, other = kept(WIRE, f"{WIRE}|period:2024-08", WIRE, WIRE.replace("HR-", "hr-"))

    found = count(first)

    assert found == count(again)
    assert found is not None
    assert (found.number, found.exact) == (2, True)
    page = find(["default"], found.query, now=datetime.now(UTC))
    assert {first.seq, again.seq} <= {packet.seq for packet in page.rows}
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


def test_what_has_no_words_is_not_looked_for() -> None:
    first, _ = kept("|||", "|||", protocol="aacp")

    assert count(first) is None


def test_many_are_counted_up_to_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeats, "LOOKED_AT", 3)
    first, *_ = kept(*[WIRE] * 5)

    assert count(first) == Repeats(3, exact=False, query=f'proto:aacp "{WIRE}"')
