"""How early a receiver knows what a message is about."""

from random import Random

import pytest

from cablese import detection, registry, tokens
from playground.examine import routability
from playground.examine.routability import Routability, Term, Way
from tests.cablese.hostile import mutate, wires

REQUEST = "REQ/TSK|g=42,t=1,p=2,@=auth_refactor"


def measured(wire: str) -> Routability:
    return routability.measure(detection.decode(wire), "o200k_base")


def own(wire: str) -> Way:
    way = measured(wire).message
    assert way is not None
    return way


def term(way: Way, name: str) -> Term:
    return next(term for term in way.terms if term.name == name)


def beginning(wire: str, count: int) -> str:
    """The first ``count`` tokens of a wire."""
    return "".join(piece.text for piece in tokens.pieces(wire)[:count])


def test_a_term_is_known_when_what_follows_ends_it() -> None:
    way = own(REQUEST)

    assert way.tokens == 19
    assert beginning(REQUEST, term(way, "goal").after) == "REQ/TSK|g=42,t"
    assert beginning(REQUEST, term(way, "goal").read) == "REQ/TSK|g=42"
    assert {name: way.after(name) for name in ("act", "topic", "task", "tags")} == {
        "act": 2, "topic": 5, "task": 12, "tags": 19,
    }  # fmt: skip
    assert max(term.after for term in way.terms) == 19


def test_a_beginning_that_reads_otherwise_is_not_known_yet() -> None:
    """With ``t=1`` alone task 1 is read, and the next token makes it 17."""
    wire = "REQ/TSK|g=42,t=1234567,p=2"
    found = term(own(wire), "task")

    assert beginning(wire, found.read).endswith("t=1234567")
    assert beginning(wire, found.read - 1).endswith("t=123456") or beginning(
        wire, found.read - 1
    ).endswith("t=123")


def test_the_protocol_is_known_when_no_other_claims_any_further_beginning() -> None:
    way = own(REQUEST)
    at = way.after("protocol")
    assert at is not None

    assert detection.first(beginning(REQUEST, at)) == "nslip"
    assert detection.first(beginning(REQUEST, at - 1)) != "nslip"


def test_what_comes_last_is_known_last() -> None:
    """SACP's state, from which its act follows, may stand at the end: a default before it is no
    knowledge.
    """
    way = own('{"g":"FIND_HOTEL","plan":[["s","H_API",{}]],"msg_id":"m1","state":"PENDING"}')

    assert term(way, "act").read == 1
    assert term(way, "act").after == way.tokens
    assert term(way, "goal").after < way.tokens // 2


def test_json_is_measured_as_by_a_parser_that_reads_while_it_comes() -> None:
    plain = measured(REQUEST).others[0]
    written = (
        '{"act":"REQUEST","frame":"TASK","goal":42,"task":1,"priority":2,"tag":"auth_refactor"}'
    )

    assert (plain.key, plain.tokens) == ("json", 27)
    at = plain.after("goal")
    assert at is not None
    assert beginning(written, at).startswith('{"act":"REQUEST","frame":"TASK","goal":42,')
    assert "42," not in beginning(written, at - 1)


def test_every_protocol_that_can_say_it_is_measured_by_what_it_says_exactly() -> None:
    others = {other.key: other for other in measured(REQUEST).others}

    assert set(others) == {"json", *registry.get_names()} - {"nslip"}
    assert others["aacp"].after("goal") == 30
    assert others["slip"].after("goal") is None
    assert others["slip"].words == "lossy"
    assert all(0 < term.after <= value.tokens for value in others.values() for term in value.terms)


def test_a_term_that_a_translation_only_comes_near_is_not_known_from_it() -> None:
    """SLIP informs where AACP confirms."""
    others = {other.key: other for other in measured("ACK|FIN|return:HR-Agent|p:1|aacp:1.1").others}

    assert others["slip"].after("act") is None
    assert others["slip"].after("topic") is not None
    assert others["nslip"].after("act") is not None


def test_of_a_broken_message_it_is_told_what_is_read_and_nothing_is_compared() -> None:
    found = measured("RJE/PLN|g=42,t=1")

    assert found.others == ()
    assert found.message is not None
    assert term(found.message, "goal").known is None


def test_it_says_why_it_does_not_measure() -> None:
    assert "No protocol detected" in measured("hello there").refused
    assert "The limit is 400 tokens" in measured("REQ/TSK|g=1,@=" + "word_" * 900).refused


@pytest.mark.parametrize("name", registry.get_names())
def test_it_never_raises_and_no_term_is_known_outside_the_message(name: str) -> None:
    random = Random(9)
    for wire in random.sample([wire for wire in wires(name) if len(wire) < 300], 12):
        for text in (wire, mutate(wire, random)):
            found = routability.measure(detection.decode(text, name), "o200k_base")
            for way in filter(None, (found.message, *found.others)):
                assert all(0 < term.read <= way.tokens for term in way.terms)
                assert all(0 < term.after <= way.tokens for term in way.terms)
            if found.message is not None:
                assert all(0 <= term.end <= len(text) for term in found.message.terms)


@pytest.mark.parametrize(
    ("limits", "limit"),
    [
        ({"MOST": 19, "WORK": 19 * 36}, ""),
        ({"MOST": 18}, "The limit is 18 tokens, and 400,000 characters"),
        ({"WORK": 19 * 36 - 1}, "The limit is 400 tokens, and 683 characters"),
    ],
)
def test_each_limit_is_one_that_a_message_may_reach(
    monkeypatch: pytest.MonkeyPatch, limits: dict[str, int], limit: str
) -> None:
    for name, value in limits.items():
        monkeypatch.setattr(routability, name, value)
    found = measured(REQUEST)

    assert (found.message is None) is bool(limit)
    assert limit in found.refused
    assert found.refused.startswith("The message has 19 tokens and 36 characters.") is bool(limit)
