"""What the vectors of nSLIP cannot say: fixes, places, words, refusals to encode, and detection."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cablese.codec import Unencodable
from cablese.message import Diagnostic, Field, Piece, Span
from cablese.protocols.nslip.codec import codec
from cablese.protocols.nslip.escape import escape, unescape
from cablese.protocols.nslip.reference import REFERENCE

VALUES: dict[str, Any] = {"act": "REQ", "frame": "TSK", "slots": {"g": 42, "t": 1}}
SLOT = st.sampled_from(
    [
        "g=42",
        "g=007",
        "t=1",
        "p=2",
        "sc=10",
        "s=done",
        "s=odd",
        "@=auth_refactor",
        "@=a=b",
        "!=scope",
        "!=a b",
        "!=a%2Cb",
        "x=1",
    ]
)


def _found(wire: str, code: str) -> Diagnostic:
    return next(
        diagnostic
        for diagnostic in codec.decode(wire).diagnostics
        if diagnostic.code == f"nslip.{code}"
    )


def _fixed(wire: str, code: str) -> str | None:
    fix = _found(wire, code).fix
    return None if fix is None else wire[: fix.span.start] + fix.text + wire[fix.span.end :]


@pytest.mark.parametrize(
    ("wire", "code", "fixed"),
    [
        ("RJE/PLN|g=42,!=late", "unknown-act", "REJ/PLN|g=42,!=late"),
        ("req/TSK|g=1", "unknown-act", "REQ/TSK|g=1"),
        ("REQUEST/TSK|g=1", "unknown-act", "REQ/TSK|g=1"),
        ("REQ /TSK|g=1", "unknown-act", "REQ/TSK|g=1"),
        ("REQ/task|g=1", "unknown-frame", "REQ/TSK|g=1"),
        ("REQTSK|g=1", "missing-slash", "REQ/TSK|g=1"),
        ("REQ/TSK", "missing-bar", "REQ/TSK|"),
        ("REQ/TSK g=1", "missing-bar", "REQ/TSK|g=1"),
        ("REQ/TSK, @=a", "missing-bar", "REQ/TSK|@=a"),
        ("REQ/TSK||g=1", "extra-bar", "REQ/TSK|g=1"),
        ("REQ/TSK|g=1|t=2", "extra-bar", "REQ/TSK|g=1,t=2"),
        ("REQ/TSK|g=1|", "extra-bar", "REQ/TSK|g=1"),
        ("REQ/TSK|@=a|b", "extra-bar", "REQ/TSK|@=a%7Cb"),
        ("REQ/TSK|g=1,,t=2", "slot-without-equals", "REQ/TSK|g=1,t=2"),
        ("REQ/TSK|g=1,", "slot-without-equals", "REQ/TSK|g=1"),
        ("REQ/TSK|,g=1", "slot-without-equals", "REQ/TSK|g=1"),
        ("REQ/TSK|g=007", "leading-zero", "REQ/TSK|g=7"),
        ("REQ/TSK|g=000", "leading-zero", "REQ/TSK|g=0"),
        ("REQ/TSK|g=1, t=2", "blank", "REQ/TSK|g=1,t=2"),
    ],
)
def test_a_fix_makes_the_message_whole(wire: str, code: str, fixed: str) -> None:
    assert _fixed(wire, code) == fixed
    assert codec.decode(fixed).diagnostics == ()


@pytest.mark.parametrize(
    ("wire", "code"),
    [
        ("XYZ/TSK|g=1", "unknown-act"),
        ("REQ/XYZ|g=1", "unknown-frame"),
        ("REQ/TSK please", "missing-bar"),
        ("RJE/PLN g=1,!=late", "missing-bar"),
        ("REQ/TSK|g=4|2", "extra-bar"),
        ("REQ/TSK|@=a||", "extra-bar"),
        ("REQ/TSK|g=1,urgent", "slot-without-equals"),
        ("REQ/TSK|=5", "slot-without-name"),
        ("REQ/TSK|g=x", "not-an-integer"),
        ("REQ/TSK|p=4", "out-of-range"),
        ("REQ/TSK|@=a b", "blank"),
        ("REQ/TSK|g=1\nACC/PLN|g=1", "several-lines"),
    ],
)
def test_nothing_is_offered_where_the_sender_may_have_meant_something_else(
    wire: str, code: str
) -> None:
    assert _found(wire, code).fix is None


@pytest.mark.parametrize(
    ("wire", "code", "span", "words"),
    [
        (
            "RJE/PLN|!=late", "unknown-act", Span(0, 3),
            (
            'Unknown act "RJE". Expected REQ, PRO, INF, EVL, ACC, REJ, QRY, or CFM. Did you mean '
            'REJ?'
        ),
        ),
        (
            "REQ/|g=1", "unknown-frame", Span(4, 4),
            "Missing frame. Expected TSK, PLN, OBS, EVL, RSC, CST, or ERR.",
        ),
        ("REQ/TSK|@=🚀é,g=x", "not-an-integer", Span(15, 16), None),
        ("REQ/TSK|p=4", "out-of-range", Span(10, 11), "Priority must be from 1 to 3, not 4."),
        ("INF/OBS|s=", "unknown-status", Span(10, 10),
         "Empty status. Expected done, in_progress, blocked, waiting, partial, or failed."),
        ("REQ/TSK|goal=1", "unknown-slot", Span(8, 12), None),
        ("REQ/TSK|g=1,g=2", "repeated-slot", Span(12, 13),
         'Duplicate slot "g". The last value is used.'),
        ("REQ/TSK|g=1|t=2", "extra-bar", Span(11, 12), None),
        ("REQ/TSK g=1", "missing-bar", Span(7, 7), 'Missing | between "REQ/TSK" and the slots.'),
        ("REQTSK|g=1", "missing-slash", Span(0, 6),
         'Missing / between the act and the frame in "REQTSK".'),
        ("REJ/PLN|g=1", "reject-without-reason", Span(0, 3),
         "A REJ should give a reason, such as ,!=scope_too_large"),
        ("REQ/TSK|@=a\u202eb", "invisible", Span(11, 12), None),
        (" REQ/TSK|g=1\r\nACC/PLN|", "several-lines", Span(12, 22), None),
    ],
)  # fmt: skip
def test_a_diagnostic_says_where_and_what(
    wire: str, code: str, span: Span, words: str | None
) -> None:
    diagnostic = _found(wire, code)
    assert diagnostic.span == span
    assert words is None or diagnostic.message == words


def test_a_number_of_many_digits_is_an_error_and_not_said_at_length() -> None:
    message = codec.decode(f"REQ/TSK|g={'9' * 60_000}")
    assert [diagnostic.code for diagnostic in message.diagnostics] == ["nslip.out-of-range"]
    assert len(message.diagnostics[0].message) < 200
    assert message.values["slots"]["g"] == "9" * 60_000


def test_all_repeated_slots_stay_in_the_fields() -> None:
    message = codec.decode("REQ/TSK|g=1,g=2")
    assert message.fields[2:] == (
        Field("g", "goal ID", "1", Span(8, 9), Span(10, 11)),
        Field("g", "goal ID", "2", Span(12, 13), Span(14, 15)),
    )


def test_what_follows_a_line_break_is_kept_as_unreadable() -> None:
    last = codec.decode("REQ/TSK|g=1\nACC/PLN|g=1").fields[-1]
    assert (last.name, last.value) == ("", "\nACC/PLN|g=1")


@pytest.mark.parametrize("slot", ["@=x,", ",", "x,", "@=x|"])
def test_a_line_of_a_thousand_slots_is_read_so_far_and_no_further(slot: str) -> None:
    message = codec.decode("REQ/TSK|" + slot * 10_000)
    assert "nslip.too-many-fields" in {diagnostic.code for diagnostic in message.diagnostics}
    assert len(message.diagnostics) < 3000
    assert message.fields[-1].label == "unreadable"
    assert len(message.fields) <= 1001


def test_many_bars_are_one_fault() -> None:
    assert [
        diagnostic.code for diagnostic in codec.decode("REQ/TSK" + "|" * 60_000).diagnostics
    ] == ["nslip.extra-bar"]


def test_a_thousand_fields_are_read() -> None:
    wire = "REQ/TSK|" + ",".join(f"x{n}=1" for n in range(998))
    assert len(codec.decode(wire).fields) == 1000
    assert codec.decode(wire).valid
    assert not codec.decode(wire + ",g=1").valid


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a,b|c", "a%2Cb%7Cc"),
        ("a\r\nb", "a%0D%0Ab"),
        ("50%", "50%"),
        ("%41", "%41"),
        ("%2c", "%252c"),
        ("a=b;c/d", "a=b;c/d"),
        ("è🚀", "è🚀"),
    ],
)
def test_a_value_is_escaped_as_little_as_possible(text: str, written: str) -> None:
    assert escape(text) == written
    assert unescape(written) == text


def test_a_value_cannot_bring_a_slot_of_its_own() -> None:
    wire = codec.encode({**VALUES, "slots": {"@": "x,g=1|y\nACC/PLN|"}})
    assert codec.decode(wire).values["slots"] == {"@": "x,g=1|y\nACC/PLN|"}
    assert len(codec.decode(wire).fields) == 3


def test_a_number_given_as_text_is_written_without_leading_zeros() -> None:
    values = {**VALUES, "slots": {"g": "007", "t": "000", "@": "007"}}
    assert codec.encode(values) == "REQ/TSK|g=7,t=0,@=007"


def test_a_sentence_that_ends_with_sent_text_has_one_full_stop() -> None:
    pieces = codec.describe(codec.decode("REJ/PLN|g=1,!=no!,@=see docs."))
    assert "".join(piece.text for piece in pieces) == (
        'Rejects the plan for goal 1, because: "no!" Note for people: "see docs."'
    )


@pytest.mark.requirement("NSLIP-02")
def test_derived_names_are_ignored_and_the_given_order_is_kept() -> None:
    values = {"act_name": "x", "frame_name": 5, **VALUES, "slots": {"t": 1, "g": 42, "zone": "b"}}
    assert codec.encode(values) == "REQ/TSK|t=1,g=42,zone=b"
    assert codec.encode({"act": "REQ", "frame": "TSK"}) == "REQ/TSK|"


@given(st.sampled_from(["REQ/TSK", "REJ/PLN"]), st.lists(SLOT, max_size=4))
def test_the_canonical_form_is_what_encode_writes(head: str, slots: list[str]) -> None:
    message = codec.decode(f"{head}|{','.join(slots)}")
    assert message.valid
    assert codec.canonical(message) == codec.encode(message.values)


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"act": None}, "/act"),
        ({"act": ""}, "/act"),
        ({"frame": "T/K"}, "/frame"),
        ({"frame": 7}, "/frame"),
        ({"slots": None}, "/slots"),
        ({"slots": [1]}, "/slots"),
        ({"slots": {"g": None}}, "/slots/g"),
        ({"slots": {"g": True}}, "/slots/g"),
        ({"slots": {"g": 1.5}}, "/slots/g"),
        ({"slots": {"g": 10**5000}}, "/slots/g"),
        ({"slots": {"@": ["a"]}}, "/slots/@"),
        ({"slots": {"@": " a"}}, "/slots/@"),
        ({"slots": {"@": "a\t"}}, "/slots/@"),
        ({"slots": {"": "a"}}, "/slots/"),
        ({"slots": {"a=b": "a"}}, "/slots/a=b"),
        ({"slots": {"a/b~": None}}, "/slots/a~1b~0"),
    ],
)
def test_values_that_no_wire_can_carry_are_refused_by_name(
    change: dict[str, Any], pointer: str
) -> None:
    with pytest.raises(Unencodable) as refused:
        codec.encode({**VALUES, **change})
    assert refused.value.pointer == pointer
    assert refused.value.reason


def test_the_pieces_of_a_sentence_name_their_fields() -> None:
    assert codec.describe(codec.decode("REQ/TSK|g=42,t=1,p=2,@=auth")) == (
        Piece("Requests", "act"),
        Piece(" "),
        Piece("task 1", "t"),
        Piece(" of "),
        Piece("goal 42", "g"),
        Piece(", "),
        Piece("medium priority", "p"),
        Piece("."),
        Piece(" Note for people: "),
        Piece("auth", "@"),
        Piece("."),
    )


@pytest.mark.parametrize(
    ("wire", "low", "high"),
    [
        ("REQ/TSK|g=42,t=1", 1, 1),
        (" REQ/TSK|", 0.9, 0.99),
        ("RJE/PLN|g=42", 0.6, 0.95),
        ("req/tsk|g=42", 0.9, 0.99),
        ("REQ/|g=1", 0.6, 0.95),
        ("/TSK|g=1", 0.6, 0.95),
        ("REQ /TSK|g=1", 0.9, 0.99),
        ("REQ/TSK g=1", 0.4, 0.95),
        ("REQTSK|g=1", 0.4, 0.95),
        ("REQ/TSK", 0.4, 0.95),
        ("REQ/TSK|see,the,list", 0.6, 0.95),
        ("TSK|g=42,t=1", 0.4, 0.49),
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
        "",
        "/",
        "/|",
        "and/or|not",
        "PLN|g=42",
        "ERR|t=12,x=3",
        "see docs/readme for more",
        "T|17|Q|obj=test_scope",
        "SLIP v3 planner exec Request Plan auth",
        "FETCH|HR|return:HR-Agent|p:1|aacp:1.1",
        '{"g":"FIND_HOTEL","plan":[]}',
    ],
)
def test_it_leaves_other_texts_alone(text: str) -> None:
    claim = codec.sniff(text)
    assert claim is None or claim.score <= 0.3


def test_a_log_line_shows_where_a_message_begins() -> None:
    line = "2026-11-20T10:00:01Z INFO planner: REQ/TSK|g=1"
    match = codec.anchor.search(line)
    assert match is not None
    assert line[match.start() :] == "REQ/TSK|g=1"
    assert codec.anchor.search("GET /a/b|c") is None


@pytest.mark.requirement("NSLIP-23")
@pytest.mark.parametrize(
    ("wire", "words"),
    [
        (
            "REQ/TSK|g=42,t=1,p=2,@=auth_refactor",
            "Requests task 1 of goal 42, medium priority. Note for people: auth_refactor.",
        ),
        ("ACC/PLN|g=42,t=1", "Accepts the plan for task 1 of goal 42."),
        ("EVL/EVL|g=42,t=1,sc=8", "Evaluates task 1 of goal 42, score 8 of 10."),
    ],
)
def test_a_message_is_one_line_of_plain_words_for_a_log(wire: str, words: str) -> None:
    told = "".join(piece.text for piece in codec.describe(codec.decode(wire)))

    assert told == words
    assert "\n" not in told


def test_the_reference_gives_the_range_of_an_integer_that_has_one() -> None:
    (slots,) = [table for table in REFERENCE.tables if table.title == "Slots"]
    meanings = {row.code: row.meaning for row in slots.rows}

    assert meanings["g"] == "Goal number. An integer."
    assert meanings["p"] == "Urgency. An integer, 1 to 3."
