"""Odd fields of an item."""

from typing import Any

from tests.playground.server.front.hot.odd.steps import PACKETS, Case, case, item, post

BROKEN = "RJE/PLN|g=1,t=1"
LATER = "2026-11-20T10:00:01+01:00"


def given(name: str, status: int, wire: Any = "REQ/TSK|g=42,t=1", **fields: Any) -> Case:
    return case(name, status, post(item(wire, **fields)))


WIRES = (
    given("an empty wire", 201, ""),
    given("a wire of spaces", 201, "  \n "),
    given("a wire with NUL", 201, "REQ/TSK|g=1\0,t=1"),
    given("a wire of NUL", 201, "\0"),
    given("a wire that no protocol knows", 201, "good morning"),
    given("a wire that breaks its protocol", 201, BROKEN),
    given("a wire with every kind of line end", 201, "REQ/TSK|g=1,t=1\r\n\u2028\x85"),
    given("a wire in other letters", 201, "REQ/TSK|g=1,t=1,@=名前"),
    given("a wire that is null", 422, None),
    given("a wire that is a number", 422, 17),
    given("a wire that is an object", 422, {"g": 1}),
    case("a broken wire that must not be kept", 422,
        post(item(BROKEN), path=f"{PACKETS}?strict=true")),
    case("an unknown wire that must not be kept", 422,
        post(item("good morning"), path=f"{PACKETS}?strict=true")),
)  # fmt: skip
NAMES = (
    given("a field that is unknown", 422, wires=1),
    given("a field in capitals", 422, Wire="x"),
    given("an event ID of 200 characters", 201, event_id="e" * 200),
    given("an event ID of 201 characters", 422, event_id="e" * 201),
    given("an empty event ID", 422, event_id=""),
    given("an event ID that is a number", 422, event_id=7),
    given("an event ID with NUL", 422, event_id="a\0b"),
    given("an event ID with a line end", 422, event_id="a\nb"),
    given("an event ID of emoji", 201, event_id="🎉" * 200),
    given("a sender of 1,000 characters", 201, from_="f" * 1_000),
    given("a sender of 1,001 characters", 422, from_="f" * 1_001),
    given("a sender with NUL", 201, from_="a\0b"),
    given("100 tags", 201, tags=["t"] * 100),
    given("101 tags", 422, tags=["t"] * 101),
    given("a tag that is a number", 422, tags=["t", 1]),
    given("a log that has another name", 422, log="Default"),
    given("an empty log", 422, log=""),
    given("an unknown log", 422, log="nowhere"),
    given("another log", 201, log="team"),
    given("an unknown log and an event ID", 422, log="nowhere", event_id="lost"),
)
NUMBERS = (
    given("a goal that is a number", 201, goal=42),
    given("a goal of 19 digits", 201, goal=9_223_372_036_854_775_807),
    given("a goal of 30 digits", 201, goal=10**30),
    case("a goal of 5,000 digits", 422, post(b'{"wire":"x","goal":%b}' % (b"9" * 5_000))),
    case("a goal with an exponent", 422, post(b'{"wire":"x","goal":1e400}')),
    given("a goal with a fraction", 422, goal=1.5),
    given("a goal that is true", 422, goal=True),
    case("a goal that is NaN", 422, post(b'{"wire":"x","goal":NaN}')),
    given("an attribute that a double holds", 201, attributes={"n": 2**53 - 1}),
    given("an attribute that no double holds", 422, attributes={"n": 2**53}),
    case("an attribute of 400 digits", 422,
        post(b'{"wire":"x","attributes":{"n":%b}}' % (b"9" * 400))),
    given("64 attributes", 201, attributes={f"a{n}": n for n in range(64)}),
    given("65 attributes", 422, attributes={f"a{n}": n for n in range(65)}),
    given("attributes of 16 KiB and more", 422, attributes={"a": "x" * (16 << 10)}),
    given("an attribute without a name", 422, attributes={"": 1}),
)  # fmt: skip
MEANT = (
    given("a protocol by name", 201, protocol="nslip"),
    given("any protocol", 201, protocol="auto"),
    given("another protocol", 201, protocol="aacp"),
    given("an unknown protocol", 422, protocol="nslop"),
    given("a protocol of 21 characters", 422, protocol="p" * 21),
    given("a dialect", 201, protocol="nslip", dialect="nslip/1"),
    given("an unknown dialect", 422, protocol="nslip", dialect="nslip/9"),
    given("a dialect of another protocol", 422, protocol="nslip", dialect="slip/3"),
    given("a dialect for nothing", 422, "good morning", dialect="nslip/1"),
    given("a time", 201, sent_at=LATER),
    given("a leap second", 201, sent_at="2016-12-31T23:59:60Z"),
    given("a time without an offset", 422, sent_at="2026-11-20T10:00:01"),
    given("a time that is none", 422, sent_at="2026-02-30T10:00:01Z"),
    given("a time in words", 422, sent_at="yesterday"),
    given("a time of 41 characters", 422, sent_at="2026-11-20T10:00:01." + "0" * 20 + "Z"),
    given("a written time without a time", 422, sent_text="Nov 20"),
    given("a written time", 201, sent_at=LATER, sent_text="Nov 20 10:00:01"),
    given("a zone without a written time", 422, sent_at=LATER, sent_zone="UTC"),
    given("an unknown zone", 422, sent_at=LATER, sent_text="10:00", sent_zone="Mars/Base"),
    given("a fact that is missing", 422, from_line=["from"]),
    given("a fact that is none", 422, from_line=["wire"]),
    given("everything", 201, protocol="nslip", sent_at=LATER, from_="a", to="b", goal=1, task="2",
        thread="t", tags=["x", "y"], content="what was asked", attributes={"k": [1, {"b": None}]},
        sent_text="10:00", sent_zone="Europe/Berlin", from_line=["sent_at", "from"]),
)  # fmt: skip
CASES: tuple[Case, ...] = (*WIRES, *NAMES, *NUMBERS, *MEANT)
