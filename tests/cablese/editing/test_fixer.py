"""Safe fixes are applied together, except where they do not go together."""

from collections import Counter

import msgspec
import pytest

from cablese import registry
from cablese.editing import fixes
from cablese.editing.fixes import Fixer
from cablese.message import Diagnostic, Fix, Message, Span
from cablese.protocols.slip.vocabulary import PAYLOAD_LIMIT


def _with(wire: str, protocol: str, *offered: Fix) -> Message:
    """A message with these fixes and no others."""
    found = tuple(Diagnostic("test", "warning", fix.span, "", "", fix) for fix in offered)
    return msgspec.structs.replace(registry.get(protocol).decode(wire), diagnostics=found)


def test_fixes_that_do_not_go_together_are_parted() -> None:
    codec = registry.get("nslip")
    wire = "req/TSK|g=01,t=02"
    message = codec.decode(wire)
    bad = msgspec.structs.replace(message.diagnostics[1], fix=Fix(Span(10, 12), "x", safe=True))
    other = msgspec.structs.replace(message.diagnostics[1], fix=Fix(Span(13, 14), "g", safe=True))
    held = msgspec.structs.replace(
        message, diagnostics=(message.diagnostics[0], bad, message.diagnostics[2])
    )
    renames = msgspec.structs.replace(message, diagnostics=(message.diagnostics[0], other))

    assert Fixer().fix(held).message.wire == "REQ/TSK|g=1,t=2"
    assert Fixer().fix(renames).message.wire == "REQ/TSK|g=1,t=2"


def test_a_fix_is_left_out_where_it_brings_an_error() -> None:
    message = registry.get("nslip").decode("req/TSK|g=1,t=2")
    adds = msgspec.structs.replace(message.diagnostics[0], fix=Fix(Span(15, 15), ",p=9", safe=True))
    held = msgspec.structs.replace(message, diagnostics=(*message.diagnostics, adds))

    assert not registry.get("nslip").decode("REQ/TSK|g=1,t=2,p=9").valid
    assert Fixer().fix(held).message.wire == "REQ/TSK|g=1,t=2"


def test_fixes_that_are_safe_alone_bring_no_error_together() -> None:
    """Either adds a token to the payload; both would add one too many."""
    slip, start = registry.get("slip"), "SLIP v3 a b Request Task"
    tokens = [f"t{number}" for number in range(PAYLOAD_LIMIT - 1)]
    wire = " ".join((start, *tokens))
    end = Span(len(wire), len(wire))
    held = _with(wire, "slip", *(Fix(end, text, safe=True) for text in (" more", " new")))

    fixed = Fixer().fix(held).message

    assert slip.decode(wire).valid
    assert not slip.decode(f"{wire} new new").valid
    assert fixed.wire == f"{wire} more"


def test_a_fix_is_left_out_where_it_changes_a_field_that_it_does_not_touch() -> None:
    """A slot added at the end would take the place of the first."""
    wire = "REQ/TSK|g=1,t=2"
    held = _with(wire, "nslip", Fix(Span(15, 15), ",g=9", safe=True))

    assert registry.get("nslip").decode(f"{wire},g=9").valid
    assert Fixer().fix(held).message.wire == wire


@pytest.mark.parametrize(("text", "after"), [("", "xy"), ("z ", "xz y"), (" z", "x zy")])
def test_a_fix_between_two_fields_is_left_out_where_it_changes_one(text: str, after: str) -> None:
    start = "SLIP v3 a b Inform Result"
    held = _with(f"{start} x y", "slip", Fix(Span(27, 28), text, safe=True))

    assert registry.get("slip").decode(f"{start} {after}").valid
    assert Fixer().fix(held).message.wire == held.wire


@pytest.mark.parametrize(("at", "fixed"), [(10, "REQ/TSK|g=91,t=2"), (11, "REQ/TSK|g=19,t=2")])
def test_what_is_inserted_before_or_after_a_value_may_change_it(at: int, fixed: str) -> None:
    held = _with("REQ/TSK|g=1,t=2", "nslip", Fix(Span(at, at), "9", safe=True))

    assert Fixer().fix(held).message.wire == fixed


def test_of_fixes_that_overlap_the_first_is_applied() -> None:
    either = (Fix(Span(28, 29), text, safe=True) for text in ("u", "w"))
    held = _with("SLIP v3 a b Inform Result x y", "slip", *either)

    assert Fixer().fix(held).message.wire == "SLIP v3 a b Inform Result x u"


def test_a_fix_that_two_diagnostics_offer_is_applied_once() -> None:
    fix = Fix(Span(29, 29), " z", safe=True)
    held = _with("SLIP v3 a b Inform Result x y", "slip", fix, fix)

    assert Fixer().fix(held).message.wire == "SLIP v3 a b Inform Result x y z"


def test_all_fixes_of_a_message_take_one_reading() -> None:
    message = registry.get("nslip").decode("req/TSK|g=01,t=02")

    assert Fixer(len(message.wire)).fix(message).message.wire == "REQ/TSK|g=1,t=2"


def test_the_budget_ends_it() -> None:
    message = registry.get("nslip").decode("req/TSK|g=01")

    assert Fixer(0).fix(message) == (message, Counter())
    assert fixes.apply("abc", [Fix(Span(0, 1), "x"), Fix(Span(2, 2), "y")]) == "xbyc"
