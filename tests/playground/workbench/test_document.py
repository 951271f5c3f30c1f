"""A text as a page shows it: its messages, their problems, and places for the browser."""

import json
import re

import pytest
from django.template.loader import render_to_string

from cablese import detection
from cablese.message import Message
from playground.display.highlight import brief_runs
from playground.display.offsets import Places
from playground.http import decoding
from playground.workbench.document import ROWS, VIEW, Reading, apply_fix
from tests.playground.display.wires import WIRES
from tests.playground.drawn import unfold


def read(
    text: str,
    *,
    protocol: str | None = None,
    chosen: int = 1,
    offset: int = 0,
    rows: int = ROWS,
    view: tuple[int, int] = (0, VIEW),
) -> Reading:
    return Reading(
        text,
        protocol=protocol,
        tokenizer="o200k_base",
        chosen=chosen,
        offset=offset,
        rows=rows,
        view=view,
    )


def test_spans_say_where_every_message_stands_in_units_of_the_browser() -> None:
    text = "🙂 hello\nRJE/PLN|g=42,t=1,@=🙂\n\nACC/PLN|g=42,t=1\n"
    units = text.encode("utf-16-le")
    reading = read(text)

    found = [units[2 * start : 2 * end].decode("utf-16-le") for start, end in unfold(reading.spans)]

    assert (
        found == [cut.wire for cut in reading.cuts] == ["RJE/PLN|g=42,t=1,@=🙂", "ACC/PLN|g=42,t=1"]
    )
    assert unfold(read("nothing here").spans) == []


def test_a_note_knows_its_place_in_its_message_in_units_of_the_browser() -> None:
    text = "🙂 hello\nRJE/PLN|g=42,t=1\n"
    note = read(text).notes[0]
    units = text.encode("utf-16-le")[2 * unfold(read(text).spans)[0][0] :]

    assert (note.message, note.number, note.place) == (1, 1, "2:1–2:3")
    assert units[2 * note.start : 2 * note.end].decode("utf-16-le") == "RJE"
    assert units[2 * note.fix_start : 2 * note.fix_end].decode("utf-16-le") == "RJE"
    assert note.fix_label == "Apply RJE → REJ"
    assert note.fields == "act"


def test_a_fix_changes_its_place_alone() -> None:
    text = "🙂 hello\nREQ/TSK|g=1,t=1\nRJE/PLN|g=42,t=1\n"
    found = read(text)
    note = found.note(2, 1)
    assert note is not None

    assert apply_fix(text, found, note) == text.replace("RJE", "REJ")


def test_a_fix_says_whether_it_replaces_inserts_or_removes() -> None:
    words = {
        note.fix_label
        for note in read("RJE/PLN|g=42,t=01\nREQ/TSK|g=1,,t=1\n").notes
        if note.diagnostic.fix
    }

    assert "Apply RJE → REJ" in words
    assert "Apply 01 → 1" in words
    assert any(saying.startswith(("Remove ", "Insert ", "Apply ,,")) for saying in words)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("INFO/OBS|g=42,t=1", "Did you mean INF?"),
        ("FETCH|HR|return:A|priority:1|aacp:1.1", "Did you mean p?"),
        ("FETCH|HR|return=A|p:1|aacp:1.1", "Replace = with :?"),
        ("REQ/TSK|g=42,t=1,", "Remove ,?"),
        ("REQ/TSK", "Insert |?"),
    ],
)
def test_a_suggestion_is_a_question_that_the_sentence_does_not_ask_again(
    text: str, asked: str
) -> None:
    (note,) = (note for note in read(text).notes if note.diagnostic.fix)

    assert note.fix_label == asked
    assert asked not in note.sentence
    assert note.diagnostic.message.startswith(note.sentence)


def test_only_safe_fixes_are_counted() -> None:
    assert read("INFO/OBS|g=042,t=1\nRJE/PLN|g=1,!=no\nREQ/TSK|g=1,\n").fixable == 2


def test_there_is_no_note_where_there_is_no_diagnostic() -> None:
    assert read("RJE/PLN|g=42,t=1").note(9, 9) is None


@pytest.mark.parametrize(("chosen", "is_chosen"), [(-5, 1), (1, 1), (3, 3), (99, 3)])
def test_a_choice_stays_among_the_messages(chosen: int, is_chosen: int) -> None:
    assert read("ACC/PLN|g=1,t=1\n" * 3, chosen=chosen).chosen == is_chosen


def test_nothing_is_chosen_where_there_is_nothing() -> None:
    empty = read("hello")

    assert (empty.total, empty.chosen, empty.shown, empty.counted, empty.guesses) == (
        0,
        0,
        None,
        None,
        (),
    )


def test_rows_come_fifty_at_a_time() -> None:
    text = "ACC/PLN|g=1,t=1\n" * 80

    first, second = read(text), read(text, offset=50)

    assert [row.number for row in first.rows] == list(range(1, 51))
    assert [row.number for row in second.rows] == list(range(51, 81))
    assert (first.next_offset, second.next_offset) == (50, None)
    assert read(text, rows=70).next_offset == 70
    assert (len(read(text, rows=1).rows), len(read(text, rows=9_999).rows)) == (1, 80)
    assert (read(text, rows=0).rows, read(text, rows=0).next_offset) == ([], 0)
    assert read(text, offset=9_999).rows == []


def test_marks_lie_where_their_text_lies() -> None:
    text = "🙂\nRJE/PLN|g=42,t=1\n"
    reading = read(text)
    units = text.encode("utf-16-le")

    marks = [
        (units[2 * mark[0] : 2 * mark[1]].decode("utf-16-le"), mark[2])
        for mark in reading.painting.marks
    ]

    assert ("42", brief_runs(reading.rows[0].message)[0].hue) not in marks
    assert [word for word, kind in marks if kind == "error"] == ["RJE"]
    assert [word for word, kind in marks if isinstance(kind, int)] == ["RJE", "PLN", "42", "1"]


def test_beside_each_message_in_view_are_its_state_and_its_tokens() -> None:
    text = "😀 REQ/TSK|g=1,t=1\nRJE/PLN|g=1,t=1\nACC/PLN|g=1,t=01\n"

    assert read(text).painting.ends == [
        (3, "", 11, ""),
        (19, "error", 12, ""),
        (35, "warning", 11, ""),
    ]
    assert [end[0] for end in read(text, view=(20, 34)).painting.ends] == [19]


def test_the_protocol_is_beside_each_message_if_they_differ() -> None:
    ends = read("REQ/TSK|g=1,t=1\nT|17|Q|obj=test_scope\n").painting.ends

    assert [end[3] for end in ends] == ["nslip", "tline"]


def test_only_what_the_browser_shows_is_marked() -> None:
    line = "ACC/PLN|g=1,t=1\n"
    reading = read(line * 200, view=(100 * len(line) + 3, 102 * len(line) + 3))

    assert {mark[0] // len(line) for mark in reading.painting.marks} == {100, 101, 102}
    assert read(line * 200, view=(9_999_999, 0)).painting.marks == []


def test_a_place_of_the_browser_is_turned_back_into_a_code_point() -> None:
    text = "a🙂\n🙂é"
    places = Places(text)

    assert [places.point(places.unit(at)) for at in range(len(text) + 1)] == list(
        range(len(text) + 1)
    )


@pytest.mark.parametrize(
    ("caret", "number"), [(3, 1), (19, 1), (23, 2), (37, 2), (38, 1), (9_999, 1)]
)
def test_the_message_at_the_caret_is_chosen_and_outside_of_all_the_one_before_stays(
    caret: int, number: int
) -> None:
    text = "🙂 REQ/TSK|g=1,t=1\n🙂 REQ/TSK|g=2,t=1\n"
    found = Reading(text, protocol=None, tokenizer="o200k_base", chosen=1, caret=caret)

    assert found.chosen == number


def test_fields_know_where_they_stand_in_the_text() -> None:
    text = "🙂\nREQ/TSK|g=🙂,t=1\n"
    units = text.encode("utf-16-le")
    spots = json.loads(read(text).spots)

    seen = [(mark, units[2 * start : 2 * end].decode("utf-16-le")) for mark, start, end in spots]
    assert seen == [
        ("act", "REQ"),
        ("frame", "TSK"),
        ("g", "g"),
        ("g", "🙂"),
        ("t", "t"),
        ("t", "1"),
    ]


def test_totals_are_those_of_the_rows() -> None:
    found = read("\n".join(wire for wire in WIRES[:1] * 3))
    assert found.counted is not None

    assert found.counted.wire.count == sum(row.count for row in found.rows)
    assert (found.valid, found.invalid, found.tally["error"]) == (3, 0, 0)


def test_protocols_that_claim_a_message_come_first_with_percent_and_reasons() -> None:
    found = read("REQ/TSK|g=42,t=1")

    assert (found.claims[0].name, found.claims[0].percent) == ("nslip", 100)
    assert found.claims[0].reasons
    assert {claim.name for claim in found.claims} == {
        "aacp",
        "nlip",
        "nslip",
        "sacp",
        "slip",
        "tline",
    }
    assert found.claims[-1].percent is None
    assert found.claim == found.claims[0]
    assert read("x").claim is None


def test_a_protocol_that_a_message_only_resembles_has_no_percentage() -> None:
    found = read("T|x|y", protocol="aacp")
    claims = {claim.name: claim for claim in found.claims}

    assert (claims["tline"].percent, claims["tline"].resembles) == (None, True)
    assert claims["tline"].reasons
    assert (claims["nlip"].percent, claims["nlip"].resembles) == (None, False)
    assert all(claim.percent is None or claim.percent >= 50 for claim in read("FETCH|HR|x").claims)


def test_a_text_without_a_message_names_what_it_resembles_first_among_the_claims() -> None:
    claims = read("prose\nLOG|user=bob|action=login").claims

    assert [(claim.name, claim.percent, claim.resembles) for claim in claims[:1]] == [
        ("aacp", None, True)
    ]
    assert {claim.resembles for claim in claims[1:]} == {False}


LIKE_AACP = "LOG|user=bob|action=login"


def test_fragments_that_resemble_a_protocol_are_counted_and_placed() -> None:
    lines = ["🙂 prose", LIKE_AACP, "T|x|y", "REQ/TSK|g=42,t=1", *([LIKE_AACP] * 5)]
    found = read("\n".join(lines))

    assert [resemblance.description for resemblance in found.resembling] == [
        "6 fragments resemble AACP",
        "1 fragment resembles T-line",
    ]
    assert [(line, one.resembles) for one, line, _, _ in found.fragments] == [
        (2, "aacp"), (3, "tline"), (5, "aacp"), (6, "aacp"), (7, "aacp")
    ]  # fmt: skip
    assert found.fragments[0][2:] == (9, 9 + len(LIKE_AACP))  # the emoji is two units
    assert found.fragments_left == 2
    assert [(fragment.text, fragment.resembles) for fragment in found.ignored[:3]] == [
        ("🙂 prose", None), (LIKE_AACP, "aacp"), ("T|x|y", "tline")
    ]  # fmt: skip


def test_a_text_read_as_a_protocol_resembles_none() -> None:
    found = read(LIKE_AACP, protocol="aacp")

    assert (found.total, found.resembling, found.fragments) == (1, [], [])


def test_what_the_line_says_about_the_shown_message_is_listed() -> None:
    text = "2026-11-20 10:00:01 INFO bus planner -> executor REQ/TSK|g=42,t=1\nREQ/TSK|g=42,t=2"
    facts, left = read(text).facts

    assert [(fact.name, fact.value, fact.note) for fact in facts] == [
        ("Sent", "2026-11-20T10:00:01+00:00", "zone assumed: UTC"),
        ("From", "planner", ""),
        ("To", "executor", ""),
        ("level", "INFO", ""),
        ("logger", "bus", ""),
    ]
    assert left == 0
    assert read(text, chosen=2).facts == ([], 0)
    assert read("prose").facts == ([], 0)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("2026-11-20T10:00:01Z a: REQ/TSK|g=42,t=1", ["Ignored 23 characters (log prefix)"]),
        ("noise\nREQ/TSK|g=42,t=1\nnoise", []),
        (
            "```text\nREQ/TSK|g=42,t=1\n```\n",
            ["Ignored 7 characters (code fence)", "Ignored 3 characters (code fence)"],
        ),
        (
            'he said "REQ/TSK|g=42,t=1", then',
            ["Ignored 9 characters (log prefix)", "Ignored 7 characters (text after a message)"],
        ),
    ],
)
def test_what_was_taken_off_beside_the_message_is_said(text: str, words: list[str]) -> None:
    page = render_to_string("workbench/told/_fields.html", {"reading": read(text)})

    assert re.findall(r"Ignored \d+ characters? \([^)]+\)", " ".join(page.split())) == words


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The raw texts that are decoded from here on."""
    decoding._remembered.cache_clear()
    noted: list[str] = []
    decode = detection.decode

    def note(wire: str, protocol: str | None = None, *, dialect: str | None = None) -> Message:
        noted.append(wire)
        return decode(wire, protocol, dialect=dialect)

    monkeypatch.setattr(detection, "decode", note)
    return noted


def test_a_message_is_decoded_once(decoded: list[str]) -> None:
    """Equal messages of a text are, and those of a text that is read again at the next key."""
    reading = read("RJE/PLN|g=1\nREQ/TSK|g=2\n" * 20)

    assert [message.wire for message in reading.messages] == ["RJE/PLN|g=1", "REQ/TSK|g=2"] * 20
    assert decoded == ["RJE/PLN|g=1", "REQ/TSK|g=2"]

    again = read("RJE/PLN|g=1\nREQ/TSK|g=2\n" * 20 + "REQ/TSK|g=3")

    assert len(again.messages) == 41

    assert decoded == ["RJE/PLN|g=1", "REQ/TSK|g=2", "REQ/TSK|g=3"]


def test_the_shown_message_waits_for_no_other_to_be_decoded(decoded: list[str]) -> None:
    longest = f"REQ/TSK|g=1,@={'x' * decoding.MAX_MESSAGE}"
    reading = read(f"ACC/PLN|g=1\n{longest}\nACC/PLN|g=2", chosen=2)

    assert reading.shown is not None
    assert (reading.total, reading.shown.message.wire) == (3, longest)
    assert reading.claim is not None
    assert (reading.claim.name, reading.parties) == ("nslip", None)
    assert decoded == [longest]

    assert reading.messages[1] is reading.shown.message
    assert decoded == [longest, "ACC/PLN|g=1", "ACC/PLN|g=2"]


def test_a_long_message_is_not_remembered() -> None:
    """So that what is remembered has a limit in bytes."""
    before = decoding._remembered.cache_info().currsize
    longest = f"REQ/TSK|g=1,@={'x' * (decoding.MAX_MESSAGE - 14)}"

    assert read(longest + "x").messages
    assert decoding._remembered.cache_info().currsize == before

    assert read(longest).messages
    assert decoding._remembered.cache_info().currsize == before + 1


def test_a_message_that_was_cut_off_has_a_warning_and_the_same_one_that_is_whole_has_none() -> None:
    wire = "INF/OBS|g=42,t=1,@=build"
    reading = read(f'{wire}\nplanner,"{wire}\nfailed"\n')
    whole, cut = reading.messages

    assert (whole.wire, cut.wire) == (wire, wire)
    assert not whole.diagnostics
    assert [(one.code, one.severity) for one in cut.diagnostics] == [("nslip.cut-off", "warning")]
    assert wire[slice(*cut.diagnostics[0].span)] == "d"
    assert reading.tally == {"error": 0, "warning": 1, "info": 0}
    assert (reading.valid, [note.place for note in reading.notes]) == (2, ["2:33"])
