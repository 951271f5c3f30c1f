"""Why a packet is in a queue, in words."""

from typing import Any

from playground.review.reasons import MOST, QUOTED, Reason, list_reasons

WIRE = "REQ/TSK|g=1," + "x" * 500


def record(*findings: dict[str, Any], repeats: dict[str, Any] | None = None) -> dict[str, Any]:
    made = [{"span": None, "part": "wire", "other": None, **one} for one in findings]
    return {"wire": WIRE, "findings": made, "repeats": repeats}


def test_the_first_of_many_reasons_are_listed_each_once() -> None:
    odd = [{"detector": "flow", "code": "odd", "other": at // 2} for at in range(2 * MOST + 6)]

    assert list_reasons(record(*odd)) == [Reason("odd", other=at) for at in range(MOST)]


def test_a_finding_of_a_conversation_has_the_severity_that_it_has_there() -> None:
    codes = ("tline.repeated-id", "tline.id-skipped", "thread.reply-to-nothing")
    found = [{"detector": "flow", "code": code, "other": 3} for code in codes]

    assert list_reasons(record(*found)) == [
        Reason("Duplicate ID.", other=3, severity="error"),
        Reason("Gap in the ID sequence.", other=3, severity="warning"),
        Reason("A reply to an unknown message.", other=3, severity="warning"),
    ]


def test_a_long_part_of_a_packet_is_quoted_in_part() -> None:
    found = {"detector": "injection", "code": "odd", "span": (8, 400)}

    assert list_reasons(record(found)) == [Reason("odd.", WIRE[8 : 8 + QUOTED])]


def test_a_repeated_packet_says_how_often_it_came() -> None:
    again = {"detector": "repeated", "code": "repeated"}

    assert list_reasons(record(again)) == []
    assert list_reasons(record(again, repeats={"exact": False, "count": 1_000})) == [
        Reason("Received 1,000 or more times with the same bytes.")
    ]
