"""What the vectors of SLIP v3 cannot say: fixes, places, refusals to encode, and detection."""

from typing import Any

import pytest

from cablese.codec import Unencodable
from cablese.message import Diagnostic, Field, Piece, Span
from cablese.protocols.slip.codec import codec
from cablese.protocols.slip.vocabulary import FORCES, OBJECTS, ODD_PAIRS

VALUES: dict[str, Any] = {
    "version": "v3",
    "src": "planner",
    "dst": "exec",
    "force": "Request",
    "obj": "Plan",
    "payload": ["auth"],
}


def _only(wire: str) -> Diagnostic:
    (found,) = codec.decode(wire).diagnostics
    return found


def _fixed(wire: str) -> str:
    fix = _only(wire).fix
    assert fix is not None
    return wire[: fix.span.start] + fix.text + wire[fix.span.end :]


@pytest.mark.parametrize(
    ("wire", "fixed"),
    [
        ("slip v3 a b Ask Help", "SLIP v3 a b Ask Help"),
        ("SLIPv3 a b Ask Help", "SLIP v3 a b Ask Help"),
        ("v3 a b Ask Help", "SLIP v3 a b Ask Help"),
        ("SLIP a b Ask Help", "SLIP v3 a b Ask Help"),
        ("SLIP V3 a b Ask Help", "SLIP v3 a b Ask Help"),
        ("SLIP 3 a b Ask Help", "SLIP v3 a b Ask Help"),
        ("SLIP v3 a b ask Help", "SLIP v3 a b Ask Help"),
        ("SLIP v3 a b Reqest Help", "SLIP v3 a b Request Help"),
        ("SLIP v3 a b AskHelp me", "SLIP v3 a b Ask Help me"),
        ("SLIP v3 a b \t Ask Help", "SLIP v3 a b Ask Help"),
        ("SLIP v3 a b fallback Generic ref1", "SLIP v3 a b Fallback Generic ref1"),
    ],
)
def test_a_fix_makes_the_message_whole(wire: str, fixed: str) -> None:
    assert _fixed(wire) == fixed
    assert codec.decode(fixed).diagnostics == ()


@pytest.mark.parametrize(
    "wire",
    [
        "SLIP v3 a b fallback Generic",
        "SLIP v3 a b fallback Generic 0123456789abcdefg",
        "SLIP v3 a b Demand Plan",
        "SLIP v2 a b Ask Help",
        "SLIP v3 a b Request Plan goal=42",
        "SLIP v3 plan-ner b Ask Help",
    ],
)
def test_nothing_is_offered_where_the_sender_may_have_meant_something_else(wire: str) -> None:
    assert _only(wire).fix is None


def test_an_unknown_force_is_named_with_its_place_and_the_known_ones() -> None:
    diagnostic = _only("SLIP v3 planner exec Reqest Plan auth")
    assert diagnostic.span == Span(21, 27)
    assert diagnostic.message == (
        'Unknown Force "Reqest". Expected Observe, Inform, Ask, Request, Propose, Commit, Eval, '
        "Meta, Accept, Reject, Error, or Fallback. Did you mean Request?"
    )


@pytest.mark.parametrize(
    ("wire", "span", "words"),
    [
        (
            "SLIP v3 planner exec",
            Span(20, 20),
            "Missing Force and Object at the end of the message.",
        ),
        ("SLIP v3", Span(7, 7), "Missing src, dst, Force, and Object at the end of the message."),
        (
            "SLIP v3 planner Request Plan",
            Span(16, 16),
            'Missing dst before the Force "Request".',
        ),
        (
            "SLIP v3 Request Plan",
            Span(8, 8),
            'Missing src and dst before the Force "Request".',
        ),
    ],
)
def test_what_is_missing_is_named_where_it_should_stand(wire: str, span: Span, words: str) -> None:
    assert _only(wire).span == span
    assert _only(wire).message == words


def test_a_long_payload_is_marked_from_its_twenty_first_token() -> None:
    wire = "SLIP v3 a b Inform Result" + " x" * 22
    diagnostic = _only(wire)
    assert diagnostic.span == Span(len(wire) - 3, len(wire))
    assert len(codec.decode(wire).values["payload"]) == 22


def test_words_that_are_too_long_say_how_long_they_are() -> None:
    assert _only(f"SLIP v3 {'a' * 21} b Ask Help").message == (
        'src "aaaaaaaaaaaaaaaaaaaaa" has 21 characters. Expected 1 to 20 letters or digits.'
    )


def test_the_prefix_is_the_name_of_the_version() -> None:
    fields = codec.decode("SLIP v3 qa planner Fallback Generic ref7f3a more").fields
    assert fields[0] == Field("version", "version", "v3", Span(0, 4), Span(5, 7))
    assert [(field.name, field.value) for field in fields[1:]] == [
        ("src", "qa"),
        ("dst", "planner"),
        ("force", "Fallback"),
        ("obj", "Generic"),
        ("fallback_ref", "ref7f3a"),
        ("payload", "more"),
    ]


def test_what_follows_a_line_break_is_kept_as_unreadable() -> None:
    last = codec.decode("SLIP v3 a b Ask Help\nSLIP v3 b a Inform Status").fields[-1]
    assert (last.name, last.value) == ("", "\nSLIP v3 b a Inform Status")


def test_the_pieces_of_a_sentence_name_their_fields() -> None:
    assert codec.describe(codec.decode("SLIP v3 planner exec Request Plan auth")) == (
        Piece("planner", "src"),
        Piece(" requests ", "force"),
        Piece("a plan", "obj"),
        Piece(" from ", "force"),
        Piece("exec", "dst"),
        Piece("."),
        Piece(" Payload: "),
        Piece("auth", "payload"),
        Piece("."),
    )


@pytest.mark.parametrize("force", FORCES)
@pytest.mark.parametrize("obj", [*OBJECTS, "Teapot"])
def test_every_force_goes_with_every_object(force: str, obj: str) -> None:
    values = {**VALUES, "force": force, "obj": obj}
    if force == "Fallback":
        values["fallback_ref"] = "ref1"
    message = codec.decode(codec.encode(values))
    odd = obj in ODD_PAIRS[force] or (force == "Fallback" and obj != "Generic")
    assert message.valid
    assert {diagnostic.severity for diagnostic in message.diagnostics} <= {"warning", "info"}
    assert len(message.diagnostics) == odd
    assert message.values == values
    words = "".join(piece.text for piece in codec.describe(message))
    assert words.startswith("planner ")
    assert "  " not in words
    assert "exec" in words


def test_encode_writes_the_reference_s_examples() -> None:
    assert codec.encode(VALUES) == "SLIP v3 planner exec Request Plan auth"
    fallback = {
        "src": "qa",
        "dst": "planner",
        "force": "Fallback",
        "obj": "Generic",
        "fallback_ref": "ref7f3a",
    }
    assert codec.encode(fallback) == "SLIP v3 qa planner Fallback Generic ref7f3a"


@pytest.mark.parametrize(
    ("changed", "pointer"),
    [
        ({"version": "v2"}, "/version"),
        ({"src": ""}, "/src"),
        ({"src": None}, "/src"),
        ({"dst": "two words"}, "/dst"),
        ({"force": 7}, "/force"),
        ({"obj": "line\nbreak"}, "/obj"),
        ({"payload": "auth"}, "/payload"),
        ({"payload": ["a", "b c"]}, "/payload/1"),
        ({"payload": [""]}, "/payload/0"),
        ({"force": "Fallback"}, "/fallback_ref"),
        ({"fallback_ref": "ref1"}, "/fallback_ref"),
        ({"force": "Fallback", "fallback_ref": "a b"}, "/fallback_ref"),
    ],
)
def test_values_that_no_wire_can_carry_are_refused_by_name(
    changed: dict[str, Any], pointer: str
) -> None:
    with pytest.raises(Unencodable) as refused:
        codec.encode({**VALUES, **changed})
    assert refused.value.pointer == pointer
    assert refused.value.reason


def test_no_payload_in_the_values_is_an_empty_one() -> None:
    values = {key: value for key, value in VALUES.items() if key != "payload"}
    assert codec.encode(values) == "SLIP v3 planner exec Request Plan"


@pytest.mark.parametrize(
    ("wire", "low", "high"),
    [
        ("SLIP v3 planner exec Request Plan auth", 1.0, 1.0),
        ("SLIP v3 a b Fallback Generic", 1.0, 1.0),
        ("slip v3 planner exec Request Plan", 0.9, 0.99),
        ("SLIP v2 planner exec RequestPlan", 0.9, 0.99),
        ("SLIP v3 planner exec reqest Plan", 0.6, 0.9),
        ("SLIP v3 planner exec Demand Plan", 0.4, 0.9),
        ("SLIP v3", 0.4, 0.9),
        ("SLIP planner exec Request Plan", 0.4, 0.9),
        ("v3 planner exec Request Plan", 0.4, 0.9),
    ],
)
def test_it_claims_its_own_messages_broken_ones_too(wire: str, low: float, high: float) -> None:
    claim = codec.sniff(wire)
    assert claim is not None
    assert low <= claim.score <= high
    assert claim.reasons


@pytest.mark.parametrize(
    "text",
    [
        "Slip me a request when you can.",
        "v3 of the plan was accepted yesterday",
        "SLIP v3 is a small language for agents, made by hand.",
        "REQ/TSK|g=42,t=1",
        "T|17|Q|obj=test_scope",
        '{"g":"FIND_HOTEL","plan":[]}',
        "FETCH|HR|return:HR-Agent|p:1|aacp:1.1",
        "payslip v3",
    ],
)
def test_it_leaves_other_texts_alone(text: str) -> None:
    claim = codec.sniff(text)
    assert claim is None or claim.score <= 0.3


def test_a_log_line_shows_where_a_message_begins() -> None:
    line = "2026-11-20T10:00:01Z INFO planner: SLIP v3 planner exec Request Plan"
    match = codec.anchor.search(line)
    assert match is not None
    assert line[match.start() :] == "SLIP v3 planner exec Request Plan"
    assert codec.anchor.search("payslip v3") is None


def test_a_line_of_a_thousand_parts_is_read_so_far_and_no_further() -> None:
    message = codec.decode("SLIP v3 a b Inform Result" + " x" * 30_000)
    assert [diagnostic.code for diagnostic in message.diagnostics] == [
        "slip.too-many-tokens",
        "slip.too-many-fields",
    ]
    assert len(message.fields) == 1000
    assert message.fields[-1].label == "unreadable"
