"""What the vectors of AACP cannot say: fixes, spans, words, encoding, and what is claimed."""

from typing import Any

import pytest

from cablese.codec import Sniff, Unencodable, in_order
from cablese.message import Diagnostic, Fix, Span
from cablese.protocols.aacp.codec import codec
from cablese.protocols.aacp.escape import escape, unescape
from cablese.protocols.aacp.tables import CORE, DOMS, EXTENDED, TASKS
from cablese.transcript import split

VALUES = {"task": "FETCH", "dom": "HR", "return": "A", "p": "1", "aacp": "1.1"}
WIRE = "FETCH|HR|return:A|p:1|aacp:1.1"


def _found(wire: str, code: str) -> Diagnostic:
    return next(
        diagnostic
        for diagnostic in codec.decode(wire).diagnostics
        if diagnostic.code == f"aacp.{code}"
    )


def _fixed(wire: str, code: str) -> str | None:
    fix = _found(wire, code).fix
    return None if fix is None else wire[: fix.span.start] + fix.text + wire[fix.span.end :]


def test_the_draft_defines_so_many_words() -> None:
    assert (len(TASKS), len(DOMS), len(CORE), len(EXTENDED)) == (12, 7, 8, 33)


@pytest.mark.parametrize(
    ("wire", "code", "fixed"),
    [
        ("FETHC|HR|return:A|p:1|aacp:1.1", "unknown-task", WIRE),
        ("fetch|HR|return:A|p:1|aacp:1.1", "unknown-task", WIRE),
        ("PROCESS|HR|return:A|p:1|aacp:1.1", "unknown-task", "PROC|HR|return:A|p:1|aacp:1.1"),
        ("AUDIT|HR|return:A|p:1|aacp:1.1", "unknown-task", None),
        ("FETCH|Hr|return:A|p:1|aacp:1.1", "unknown-dom", WIRE),
        (
            "FETCH|customer service|return:A|p:1|aacp:1.1",
            "unknown-dom",
            "FETCH|CS|return:A|p:1|aacp:1.1",
        ),
        ("FETCH|HR|return:A|aacp:1.1", "missing-priority", "FETCH|HR|return:A|aacp:1.1|p:2"),
        ("FETCH|HR|return:A|p:1 \n", "missing-version", "FETCH|HR|return:A|p:1|aacp:1.1 \n"),
        ("FETCH|HR|return:A|p:high|aacp:1.1", "unknown-priority", None),
        ("FETCH|HR|return:A|p:critical|aacp:1.1", "unknown-priority", WIRE),
        ("FETCH|HR|return:A|p:01|aacp:1.1", "unknown-priority", WIRE),
        ("FETCH|HR|return:A|p:1|aacp:v1.1", "other-version", WIRE),
        ("FETCH|HR|return:A|p:1|aacp:1.2", "other-version", None),
        ("FETCH|HR|return:A||p:1|aacp:1.1", "empty-slot", WIRE),
        ("FETCH|HR|return:A|p:1|aacp:1.1|", "empty-slot", WIRE),
        ("FETCH|HR|return=A|p:1|aacp:1.1", "field-without-colon", WIRE),
        ("FETCH|HR|return A|p:1|aacp:1.1", "field-without-colon", WIRE),
        ("FETCH|HR|return:A|p:1|aacp:1.1|json", "field-without-colon", None),
        ("FETCH|HR|return:A\n|p:1|aacp:1.1", "several-lines", WIRE),
        (f"{WIRE}\n{WIRE}", "several-lines", None),
        ("FETCH|HR|Return:A|p:1|aacp:1.1", "key-case", WIRE),
        ("FETCH|HR|retrun:A|p:1|aacp:1.1", "unknown-key", WIRE),
        ("FETCH|HR|return:A|priority:1|aacp:1.1", "unknown-key", WIRE),
        (f"{WIRE}|retrun:B", "unknown-key", None),
        (f"{WIRE}|x-acme-res:B", "unknown-key", None),
        ("task:FETCH|HR|return:A|p:1|aacp:1.1", "missing-task", WIRE),
        ("FETCH|dom : HR|return:A|p:1|aacp:1.1", "missing-dom", WIRE),
        ("FETCH|dom:|return:A|p:1|aacp:1.1", "missing-dom", None),
        ("FETCH|dom:res:x|return:A|p:1|aacp:1.1", "missing-dom", None),
    ],
)
def test_a_fix_is_offered_where_one_word_was_meant(wire: str, code: str, fixed: str | None) -> None:
    assert _fixed(wire, code) == fixed


def test_of_two_keys_meant_for_the_same_none_is_fixed() -> None:
    one, two = "FETCH|HR|retrun:A|p:1|aacp:1.1", "FETCH|HR|retrun:A|retur:B|p:1|aacp:1.1"
    assert Fix(Span(9, 15), "return") in [
        diagnostic.fix for diagnostic in codec.decode(one).diagnostics
    ]
    assert all(diagnostic.fix is None for diagnostic in codec.decode(two).diagnostics)


@pytest.mark.parametrize(
    ("wire", "code", "marked"),
    [
        ("FETCH|HR|return:A|p:1|aacp:1.1|fields:a,b,c,d,e", "field-list", "fields:a,b,c,d,e"),
        ("FETCH|HR|return:A|p:1|aacp:1.1|data_ptr: s3://x", "uri-pointer", "data_ptr: s3://x"),
        ("FETCH|HR|return: |p:1|aacp:1.1", "missing-return", "return:"),
        ("FETCH|HR|p:1|aacp:1.1", "missing-return", ""),
        ("FETCH|HR|return:A|p:1|aacp:1.1| :x |res:y", "field-without-name", ":x"),
        (f"{WIRE}\n SEND|CS", "several-lines", "\n SEND|CS"),
        (f"{WIRE}|sentiment:sad", "sentiment-without-tone", "sentiment:sad"),
        (f"{WIRE}|tone:formal|sentiment:sad", "tone-needs-content", "tone:formal"),
        (f"{WIRE}|res:a|Res:b", "repeated-key", "Res"),
    ],
)
def test_a_diagnostic_marks_its_place(wire: str, code: str, marked: str) -> None:
    assert wire[slice(*_found(wire, code).span)] == marked


def test_words_name_what_was_found_and_what_was_meant() -> None:
    assert _found("FETHC|HR|return:A|p:1|aacp:1.1", "unknown-task").message == (
        'Unknown task "FETHC". Expected FETCH, PROC, FLAG, RESOLVE, LOG, SEND, BUILD, MERGE, '
        "CALC, REPORT, ACK, or SYNC. Did you mean FETCH?"
    )
    assert _found("FETCH|HR|return:A|p:|aacp:1.1", "unknown-priority").message == (
        "Empty priority. Expected 1 (critical), 2 (medium), or 3 (low)."
    )
    assert "FETCH is a task" in _found("HR|FETCH|return:A|p:1|aacp:1.1", "unknown-dom").message
    assert "a later draft" in _found("FETCH|HR|return:A|p:1|aacp:1.3", "other-version").message
    assert "a later draft" not in _found("FETCH|HR|return:A|p:1|aacp:1.0", "other-version").message
    assert "Private field" in _found(f"{WIRE}|x-acme-res:B", "unknown-key").message
    assert "cut off" in _found(f"{WIRE}|", "empty-slot").message
    assert "list has 5 names" in _found(f"{WIRE}|fields:a,b,c,d,e", "field-list").message
    assert "Did you mean fmt:json?" in _found(f"{WIRE}|fmt=json", "field-without-colon").message


def test_a_key_as_near_to_two_others_is_not_guessed_at() -> None:
    assert "Did you mean" not in _found(f"{WIRE}|re:x", "unknown-key").message


def test_fields_keep_what_values_leave_out() -> None:
    message = codec.decode(f"{WIRE}|task:SEND|res:a|res:b|json")
    named = [(field.name, field.label, field.value) for field in message.fields][5:]
    assert named == [
        ("task", "task", "SEND"),
        ("res", "resource", "a"),
        ("res", "resource", "b"),
        ("", "unreadable", "json"),
    ]
    assert message.values == {**VALUES, "res": "b"}


def test_a_repeated_key_takes_the_place_of_its_last() -> None:
    message = codec.decode(f"{WIRE}|res:a|fmt:json|res:b")
    assert codec.canonical(message) == f"{WIRE}|fmt:json|res:b"


def test_spans_of_a_folded_packet_lie_in_the_wire_as_received() -> None:
    wire = "FETCH|HR|return:A|p:1|\n  aacp : 1.1 |x-acme-n:%20b"
    version, private = codec.decode(wire).fields[-2:]
    assert wire[slice(*version.span)] == "1.1"
    assert version.name_span == Span(25, 29)
    assert (private.label, private.value, wire[slice(*private.span)]) == (
        "private field",
        " b",
        "%20b",
    )


@pytest.mark.parametrize(
    "text",
    ["", " ", "a|b", "50%", "%7C", "%2C", "\t\x0b x \r\n", "a b", "%20", "%%", "a%", "%7", "é|"],
)
def test_any_value_survives_its_escaping(text: str) -> None:
    written = escape(text)
    assert unescape(written) == text
    assert not set(written) & set("|\r\n")
    assert written == written.strip()


def test_a_value_cannot_bring_a_field_of_its_own() -> None:
    wire = codec.encode({**VALUES, "filter": "x|return:Mallory\r\nSEND|IT|p:1"})
    assert wire == f"{WIRE}|filter:x%7Creturn:Mallory%0D%0ASEND%7CIT%7Cp:1"
    assert codec.decode(wire).values["return"] == "A"
    assert len(codec.decode(wire).fields) == 6


def test_a_position_cannot_bring_a_field_of_its_own() -> None:
    wire = codec.encode({**VALUES, "dom": "HR|return:Mallory"})
    assert wire == WIRE.replace("HR", "HR%7Creturn:Mallory")
    assert codec.decode(wire).values == {**VALUES, "dom": "HR|return:Mallory"}


def test_encoding_puts_the_core_first_and_takes_integers() -> None:
    values = {
        "res": "x",
        "p": 1,
        "aacp": "1.1",
        "zone": "2",
        "return": "A",
        "dom": "HR",
        "task": "FETCH",
    }
    assert codec.encode(values) == f"{WIRE}|res:x|zone:2"


def test_encoding_writes_what_the_diagnostics_then_complain_about() -> None:
    wire = codec.encode({"task": "FETCH", "dom": "HR"})
    assert wire == "FETCH|HR"
    assert not codec.decode(wire).valid


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"task": ""}, "/task"),
        ({"task": None}, "/task"),
        ({"dom": 5}, "/dom"),
        ({"dom": "res:x"}, "/dom"),
        ({"task": "Task :FETCH"}, "/task"),
        ({"res": ["x"]}, "/res"),
        ({"res": True}, "/res"),
        ({"res": None}, "/res"),
        ({"amt": 1.5}, "/amt"),
        ({"amt": 10**5000}, "/amt"),
        ({"": "x"}, "/"),
        ({"Res": "x"}, "/Res"),
        ({"a|b": "x"}, "/a|b"),
        ({"a:b": "x"}, "/a:b"),
        ({" a": "x"}, "/ a"),
        ({"a\nb": "x"}, "/a\nb"),
        ({"a/b": 1.5}, "/a~1b"),
    ],
)
def test_what_cannot_be_written_is_named(change: dict[str, Any], pointer: str) -> None:
    with pytest.raises(Unencodable) as caught:
        codec.encode({**VALUES, **change})
    assert caught.value.pointer == pointer
    assert caught.value.reason


def test_a_domain_that_only_looks_named_can_be_written() -> None:
    wire = codec.encode({**VALUES, "dom": "EU:PAY"})
    assert codec.decode(wire).values["dom"] == "EU:PAY"


@pytest.mark.parametrize(
    ("wire", "low", "high"),
    [
        (WIRE, 1, 1),
        ("FETCH|HR|\n return:A", 1, 1),
        ("FETHC|HR|return:A|p:1|aacp:1.1", 0.7, 0.95),
        ("fetch|hr|return:A|p:1|aacp:1.1", 0.7, 0.95),
        ("FETCH|return:A|p:1|aacp:1.1", 0.7, 0.95),
        ("|HR|return:A|aacp:1.1", 0.7, 0.95),
        ("task:FETCH|dom:HR|return:A", 0.7, 0.95),
        ("return:A|p:1|aacp:1.1", 0.3, 0.95),
        ("BUY|OPS|return:A|aacp:1.1", 0.3, 0.95),
        ("FETCH|HR", 0.3, 0.95),
        ("REQ/TSK|g=42,t=1", 0, 0),
        ("T|17|Q|obj=test_scope;ctx=api_auth", 0, 0),
        ("SLIP v3 planner exec Request Plan auth", 0, 0),
        ('{"g":"FETCH|HR|return:A","plan":[]}', 0, 0),
        ("Report | 2024 sales", 0, 0.3),
        ("Please log it | thanks", 0, 0),
        ("", 0, 0),
    ],
)
def test_how_surely_a_text_is_claimed(wire: str, low: float, high: float) -> None:
    sniffed = codec.sniff(wire)
    assert low <= (sniffed.score if sniffed else 0) <= high
    assert sniffed is None or sniffed.reasons


@pytest.mark.parametrize(
    ("line", "goes_on"),
    [
        ("FETCH|HR|return:A|", True),
        ("FETCH|HR|return:A| \t", True),
        ("FETCH|", True),
        ("FETCH|HR|return:A|\nres:x|", True),
        ("party:Acme-Ltd|clause:s7|", True),
        ("HR|return:A|", True),
        (WIRE, False),
        ("| a | b |", False),
        ("dear all|", False),
        ("FETCH|HR|" + "a" * 70_000 + "|", False),
    ],
)
def test_a_packet_goes_on_behind_a_bar(line: str, *, goes_on: bool) -> None:
    assert codec.continues(line, "period:2024-08") is goes_on


@pytest.mark.parametrize(
    ("line", "at"),
    [
        (f"2026-11-20T10:00:01Z INFO planner: {WIRE}", 35),
        ("[7] FETHC|HR|return:A", 4),
        ("> LOG|return:A", 2),
        ("planner: fetch|hr|RETURN:A", 9),
        (WIRE, 0),
    ],
)
def test_a_packet_is_found_behind_a_log_prefix(line: str, at: int) -> None:
    match = codec.anchor.search(line)
    assert match is not None
    assert match.start() == at


@pytest.mark.parametrize("line", ["REQ/TSK|g=1|x", "T|17|Q|obj=x", "a|b|c", "| LOGS | IT |"])
def test_no_packet_begins_in_other_lines(line: str) -> None:
    assert codec.anchor.search(line) is None


@pytest.mark.parametrize("head", ["", "foo|HR|return:x|\n", "FETCH|foo|k:1|\n"])
def test_a_packet_of_many_lines_is_weighed_by_its_beginning_alone(
    head: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    weighed = 0
    sniff = codec.sniff

    def count(wire: str) -> Sniff | None:
        nonlocal weighed
        weighed += len(wire)
        return sniff(wire)

    monkeypatch.setattr(codec, "sniff", count)
    text = head + "".join(f"k{n}:1|\n" for n in range(4000))

    assert len(split(text, "aacp").messages) == 1
    assert weighed < 50 * len(text)


@pytest.mark.parametrize(
    "wire",
    [
        "FETCH|HR|return:A|p:1| \r\naacp:1.1",
        "FETCH|HR|return:A|p:1|\n\n   aacp:1.1",
        f"{WIRE}|subj:a%7Cb %2525%20%0D",
        f"{WIRE}|ltv:5|ccy:EUR|data_ptr:pay_0824|fields:a,b,c,d",
    ],
)
def test_the_quick_reading_takes_all_that_calls_for_no_word(wire: str) -> None:
    seen = codec.glance(wire, None)

    assert seen is not None
    assert seen.values == codec.read(wire, None).values


@pytest.mark.parametrize(
    "wire",
    [
        *(f"{WIRE}|{more}" for more in ("ltv:5", "data_ptr:s3://a", "fields:a,b,c,d,e", "tone:a")),
        f"{WIRE}|sentiment:b|tone:a|peroid:2024|x-acme-a:1|zone:2|retrun:x",
        "AUDIT|HR|return:A|p:1|aacp:1.1",
        "FETHC|FINANCE|return:|p:low|aacp:1.3",
        "HR|FETCH|zone:1",
        "FETCH|HR",
        "FETCH|HR|retrun:A|priority:1",
    ],
)
def test_the_quick_reading_reports_what_the_careful_one_does(wire: str) -> None:
    seen = codec.glance(wire, None)
    careful = codec.read(wire, None)

    assert seen is not None
    assert seen.values == careful.values
    assert seen.diagnostics
    assert seen.diagnostics == in_order(careful.diagnostics)


@pytest.mark.parametrize(
    "more", ["subj:%0B", "subj:\u200b", "Subj:a", "res:a|res:b", "task:a", "res", ""]
)
def test_the_quick_reading_leaves_what_is_not_tight_or_not_seen(more: str) -> None:
    assert codec.glance(f"{WIRE}|{more}", None) is None


def test_plain_words_never_hide_a_field() -> None:
    message = codec.decode(f"{WIRE}|domain:x|resource:y|res:z")
    plain = codec.plain(message)
    assert plain == {
        "task": "fetch", "dom": "human resources", "return_to": "A", "priority": 1,
        "domain": "x", "resource": "y", "res": "z",
    }  # fmt: skip


def test_pieces_of_a_description_name_their_fields() -> None:
    pieces = codec.describe(codec.decode(f"{WIRE}|res:emp_salary|amt:5|ccy:EUR"))
    assert [(piece.text, piece.field) for piece in pieces if piece.field] == [
        ("Asks to fetch ", "task"),
        ("emp_salary", "res"),
        ("human resources", "dom"),
        ("for the amount 5", "amt"),
        ("EUR", "ccy"),
        ("priority is critical", "p"),
        ("the result goes to A", "return"),
    ]


def test_an_amount_without_a_currency_is_said_as_it_stands() -> None:
    english = "".join(
        piece.text for piece in codec.describe(codec.decode(f"{WIRE}|amt:5|res:|ccy:"))
    )
    assert "for the amount 5, with no currency." in english


def test_an_unread_packet_has_no_priority() -> None:
    assert codec.meaning(codec.decode("")).priority is None
    assert codec.meaning(codec.decode("ACK|HR|return:A|aacp:1.1")).priority == 2
