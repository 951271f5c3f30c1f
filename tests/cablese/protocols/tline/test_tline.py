"""What the vectors of T-line cannot say: fixes, places, refusals to encode, and detection."""

from typing import Any

import pytest

from cablese.codec import Unencodable
from cablese.message import Diagnostic, Field, Piece, Span
from cablese.protocols.tline.codec import codec
from cablese.protocols.tline.escape import escape, unescape
from cablese.protocols.tline.reference import REFERENCE

VALUES: dict[str, Any] = {
    "id": 17,
    "kind": "Q",
    "payload": {"obj": "test_scope", "ctx": "api_auth"},
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
        ("17|Q|obj=a", "T|17|Q|obj=a"),
        ("t|17|Q|obj=a", "T|17|Q|obj=a"),
        ("|17|Q|obj=a", "T|17|Q|obj=a"),
        ("X|17|Q|obj=a", "T|17|Q|obj=a"),
        ("T|017|Q|obj=a", "T|17|Q|obj=a"),
        ("T|17|q|obj=a", "T|17|Q|obj=a"),
        ("T|17|question|obj=a", "T|17|Q|obj=a"),
        ("T|17|cmd|obj=a", None),
        ("T|17|Command|obj=a", "T|17|C|obj=a"),
        ("T|17|Q||obj=a", "T|17|Q|obj=a"),
        ("T|17|Q|obj=a|next=b", "T|17|Q|obj=a;next=b"),
        ("T|17|Q|obj=a|b", "T|17|Q|obj=a%7Cb"),
        ("T|17|Q|obj=a;;next=b", "T|17|Q|obj=a;next=b"),
        ("T|17|Q|obj=a;", "T|17|Q|obj=a"),
        ("T|17|Q|;obj=a", "T|17|Q|obj=a"),
        ("T|17|Q|obj:a", "T|17|Q|obj=a"),
        ("T|17|Q|Obj=a", "T|17|Q|obj=a"),
        ("T|17|Q|obj=a b", "T|17|Q|obj=a%20b"),
        ("T|17|Q|obj=a; next=b", "T|17|Q|obj=a;next=b"),
        ("T|17|Q|obj=a==b", "T|17|Q|obj=a%3D%3Db"),
        ("T|17|Q|obj=12:30", "T|17|Q|obj=12%3A30"),
        ("T|17|A|res=100%", "T|17|A|res=100%25"),
        ("T|17|A|res=%41%20%c3%a0", "T|17|A|res=A%20à"),
    ],
)
def test_a_safe_fix_makes_the_message_whole(wire: str, fixed: str | None) -> None:
    if fixed is None:
        assert _only(wire).fix is None
        return
    assert _fixed(wire) == fixed
    assert codec.decode(fixed).diagnostics == ()


@pytest.mark.parametrize(
    "wire",
    [
        "T|17|Q|obj=a;obj:b",
        "T|17|Q|OBJ=a;obj=b",
        "T|17|A|res=%FF",
        "T|17|Q|obj=a;obj=b",
        "T|17|Q|obj=a;retry",
        "T|first|Q|obj=a",
        "T|17|Q|obj=a\nT|18|A|res=b",
    ],
)
def test_nothing_is_offered_where_the_sender_may_have_meant_something_else(wire: str) -> None:
    assert _only(wire).fix is None


def test_a_fix_beside_a_stray_percent_sign_is_left_for_later() -> None:
    stray, needless = codec.decode("T|19|A|res=%%41").diagnostics
    assert stray.fix is not None
    assert needless.fix is None


@pytest.mark.parametrize(
    ("wire", "span", "words"),
    [
        (
            "T|17|Q",
            Span(6, 6),
            "Missing payload. Expected T|id|kind|key=value.",
        ),
        (
            "T",
            Span(1, 1),
            "Missing id, kind, and payload. Expected T|id|kind|key=value.",
        ),
        ("T|Q|obj=a", Span(2, 2), 'Missing id before "Q".'),
        ("T|17|obj=a", Span(5, 5), 'Missing kind before "obj=a".'),
        ("T|0|Q|obj=a", Span(2, 3), "The ID must be from 1 to 2147483647, not 0."),
        ("T|x|Q|obj=a", Span(2, 3), 'The ID must be an integer from 1 to 2147483647, not "x".'),
        (
            "T|17|q|obj=a",
            Span(5, 6),
            (
                'Unknown kind "q". Expected Q (query), A (answer), C (command), S (state), or E '
                "(error). Did you mean Q?"
            ),
        ),
        (
            "T|17|Q|obj=a;obj=b",
            Span(13, 16),
            "Duplicate key obj. A message must have at most one objective.",
        ),
        ("T|17|Q|obj=a b", Span(12, 13), "A space must be written %20 in a value."),
        ("T|17|Q|obj=a\tb", Span(12, 13), "A tab must be written %09 in a value."),
        ("T|17|A|res=a%FFb", Span(12, 15), "%FF is not valid UTF-8. It was not decoded."),
        ("T|17|Q|keydef=ctx:context", Span(7, 25), None),
    ],
)
def test_a_diagnostic_says_where_and_what(wire: str, span: Span, words: str | None) -> None:
    diagnostic = _only(wire)
    assert diagnostic.span == span
    assert words is None or diagnostic.message == words


def test_the_t_is_the_name_of_the_id() -> None:
    assert codec.decode("T|17|Q|obj=a%20b").fields == (
        Field("id", "message ID", "17", Span(0, 1), Span(2, 4)),
        Field("kind", "message kind", "Q", None, Span(5, 6)),
        Field("obj", "objective", "a b", Span(7, 10), Span(11, 16)),
    )


def test_what_follows_a_line_break_is_kept_as_unreadable() -> None:
    last = codec.decode("T|17|Q|obj=a\nT|18|A|res=b").fields[-1]
    assert (last.name, last.value) == ("", "\nT|18|A|res=b")


def test_a_pair_without_equals_leaves_its_neighbours_whole() -> None:
    message = codec.decode("T|17|Q|obj=a;retry;next=b")
    assert message.values["payload"] == {"obj": "a", "next": "b"}
    assert [field.value for field in message.fields if not field.name] == ["retry"]


def test_the_last_of_a_repeated_key_counts_and_all_stay_in_the_fields() -> None:
    message = codec.decode("T|17|E|err=a;next=x;err=b")
    assert message.valid
    assert message.values["payload"] == {"next": "x", "err": "b"}
    assert [field.value for field in message.fields if field.name == "err"] == ["a", "b"]
    assert codec.canonical(message) == "T|17|E|next=x;err=b"


def test_the_pieces_of_a_sentence_name_their_fields() -> None:
    assert codec.describe(codec.decode("T|20|S|res=pass;next=close")) == (
        Piece("State", "kind"),
        Piece(" "),
        Piece("20", "id"),
        Piece(": "),
        Piece("the result is pass", "res"),
        Piece(" and "),
        Piece("the next step is close", "next"),
        Piece("."),
    )


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (" ;|=:%\n\r\t", "%20%3B%7C%3D%3A%25%0A%0D%09"),
        ("città 🚀", "città%20🚀"),
        ("\x00\x7f\u202e", "%00%7F%E2%80%AE"),
        ("-._~!'()*&?#[]{}\"<>\\^`@$+,/", "-._~!'()*&?#[]{}\"<>\\^`@$+,/"),
        ("%20", "%2520"),
    ],
)
def test_codes_are_written_for_what_needs_them_and_read_back(text: str, codes: str) -> None:
    assert escape(text) == codes
    assert unescape(codes) == text


def test_codes_that_are_not_utf_8_stay_as_they_are() -> None:
    assert unescape("a%20%FFb%20c") == "a%20%FFb c"
    assert unescape("100%") == "100%"


@pytest.mark.parametrize(
    ("values", "wire"),
    [
        (VALUES, "T|17|Q|obj=test_scope;ctx=api_auth"),
        (
            {"id": 19, "kind": "C", "payload": {"cmd": "pytest -k auth"}},
            "T|19|C|cmd=pytest%20-k%20auth",
        ),
        (
            {"id": 1, "kind": "S", "payload": {"keydef": ["ctx:the context", "t:hh:mm"]}},
            "T|1|S|keydef=ctx:the%20context;keydef=t:hh%3Amm",
        ),
        (
            {"id": 1, "kind": "S", "payload": {"keydef": ["a;err=x:c;err=y"]}},
            "T|1|S|keydef=a%3Berr%3Dx:c%3Berr%3Dy",
        ),
        ({"id": 2, "kind": "A", "payload": {"res": 7}}, "T|2|A|res=7"),
        (
            {"id": 2, "kind": "A", "payload": {"res": "a;err=x|y\nz"}},
            "T|2|A|res=a%3Berr%3Dx%7Cy%0Az",
        ),
    ],
)
def test_encode_writes_values(values: dict[str, Any], wire: str) -> None:
    assert codec.encode(values) == wire


@pytest.mark.parametrize(
    ("changed", "pointer"),
    [
        ({"id": None}, "/id"),
        ({"id": "17"}, "/id"),
        ({"id": True}, "/id"),
        ({"id": -1}, "/id"),
        ({"id": 10**5000}, "/id"),
        ({"kind": ""}, "/kind"),
        ({"kind": "a|b"}, "/kind"),
        ({"payload": None}, "/payload"),
        ({"payload": {}}, "/payload"),
        ({"payload": {"Obj": "a"}}, "/payload/Obj"),
        ({"payload": {"a/b~": "a"}}, "/payload/a~1b~0"),
        ({"payload": {"obj": None}}, "/payload/obj"),
        ({"payload": {"obj": True}}, "/payload/obj"),
        ({"payload": {"obj": 10**5000}}, "/payload/obj"),
        ({"payload": {"keydef": "ctx:context"}}, "/payload/keydef"),
        ({"payload": {"keydef": ["a:b", None]}}, "/payload/keydef/1"),
    ],
)
def test_values_that_no_wire_can_carry_are_refused_by_name(
    changed: dict[str, Any], pointer: str
) -> None:
    with pytest.raises(Unencodable) as refused:
        codec.encode({**VALUES, **changed})
    assert refused.value.pointer == pointer
    assert refused.value.reason


def test_a_key_called_like_a_part_keeps_its_place_in_the_plain_reading() -> None:
    assert codec.plain(codec.decode("T|17|Q|obj=a;id=5")) == {
        "id": 17, "kind": "query", "objective": "a", "payload_id": "5"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("wire", "low", "high"),
    [
        ("T|17|Q|obj=test_scope;ctx=api_auth", 1.0, 1.0),
        ("T|17|Q|", 1.0, 1.0),
        ("t|17|q|obj=a", 0.9, 0.99),
        ("T|17|obj=a", 0.6, 0.9),
        ("T|Q|obj=a", 0.6, 0.9),
        ("T|x|Q|obj=a", 0.6, 0.9),
        ("T|17|Q", 0.6, 0.9),
        ("T|17|Q|see,the,list", 0.4, 0.9),
        ("17|Q|obj=a", 0.4, 0.9),
        ("E|err=ambiguous;next=clarify", 0.4, 0.9),
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
        "T | x | y",
        "The test failed.",
        "REQ/TSK|g=42,t=1",
        "SLIP v3 planner exec Request Plan auth",
        '{"g":"FIND_HOTEL","plan":[]}',
        "FETCH|HR|return:HR-Agent|p:1|aacp:1.1",
        "|17|18|",
    ],
)
def test_it_leaves_other_texts_alone(text: str) -> None:
    claim = codec.sniff(text)
    assert claim is None or claim.score <= 0.3


def test_a_log_line_shows_where_a_message_begins() -> None:
    line = "2026-11-20T10:00:01Z INFO planner: T|17|Q|obj=test_scope"
    match = codec.anchor.search(line)
    assert match is not None
    assert line[match.start() :] == "T|17|Q|obj=test_scope"
    assert codec.anchor.search("GET|17|Q|obj=a") is None


@pytest.mark.parametrize(
    ("payload", "codes"),
    [
        ("err=x;" * 5000, ["tline.repeated-key"] * 997),
        ("err=x" + ";" * 5000, ["tline.empty-pair"] * 999),
    ],
)
def test_a_line_of_a_thousand_pairs_is_read_so_far_and_no_further(
    payload: str, codes: list[str]
) -> None:
    message = codec.decode(f"T|17|E|{payload}")
    assert [diagnostic.code for diagnostic in message.diagnostics] == [
        *codes,
        "tline.too-many-fields",
    ]
    assert message.fields[-1].label == "unreadable"


def test_the_reference_lists_each_reserved_character_by_its_code() -> None:
    (reserved,) = [table for table in REFERENCE.tables if table.title == "Reserved characters"]
    codes = ["%20", "%3B", "%7C", "%3D", "%3A", "%25", "%0A", "%0D", "%09"]
    assert [row.code for row in reserved.rows] == codes
