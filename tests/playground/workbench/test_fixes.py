"""All safe fixes of a text at once: what they change, that they bring no new error, and that they
come to an end.
"""

import json
import re
from html import unescape
from random import Random
from typing import Any

import pytest
from django.test import Client

from cablese import registry
from cablese.editing.fixes import Fixed, Fixer
from cablese.message import Message
from cablese.transcript import Transcript, split
from playground.http import decoding
from playground.workbench import document, fixes
from playground.workbench.document import MESSAGES, Reading
from playground.workbench.fixes import FixedText
from tests.cablese.hostile import mutate, wires
from tests.playground.drawn import words

TEXT = "REQ/TSK|g=42,t=1\nRJE/PLN|g=42,,t=01|!=🙂no\nhello\nACC/PLN|g=1,t=007\n"
FIXED = "REQ/TSK|g=42,t=1\nREJ/PLN|g=42,t=1,!=🙂no\nhello\nACC/PLN|g=1,t=7\n"


def fix_all(text: str) -> FixedText:
    return fixes.fix_text(text, protocol=None, tokenizer="o200k_base")


def errors(text: str) -> int:
    return Reading(text, protocol=None, tokenizer="o200k_base").tally["error"]


def test_every_safe_fix_is_applied_and_named() -> None:
    result = fix_all(TEXT)

    assert result.text == FIXED
    assert [(change.line, change.after) for change in result.changes] == [
        (2, "REJ/PLN|g=42,t=1,!=🙂no"),
        (4, "ACC/PLN|g=1,t=7"),
    ]
    assert result.fixes == 5
    assert dict(result.changes[0].codes)["nslip.unknown-act"] == 1
    assert result.after.tally == {"error": 0, "warning": 0, "info": 0}


def test_one_replacement_in_units_of_the_browser_does_it_all() -> None:
    start, end, put = fix_all("🙂\n" + TEXT).edit
    units = ("🙂\n" + TEXT).encode("utf-16-le")

    assert (units[: 2 * start] + put.encode("utf-16-le") + units[2 * end :]).decode(
        "utf-16-le"
    ) == "🙂\n" + FIXED


def test_what_changes_is_marked_and_the_parts_are_the_wires() -> None:
    for change in fix_all(TEXT).changes:
        before, after = change.parts
        assert "".join(part.text for part in before) == change.before
        assert "".join(part.text for part in after) == change.after
        assert any(part.changed for part in (*before, *after))


def test_a_long_line_is_shown_around_its_change() -> None:
    (change,) = fix_all("RJE/PLN|g=42,t=1,!=" + "x" * 5_000).changes

    assert "".join(part.text for part in change.parts[0]).startswith("RJE/PLN|")
    assert sum(len(part.text) for part in change.parts[1]) < 200


def test_a_text_without_a_fix_stays() -> None:
    for text in ("", "hello", "REQ/TSK|g=42,t=1", "REQ/TSK|g=x"):
        assert (fix_all(text).text, fix_all(text).changes) == (text, ())


def test_a_message_written_with_escapes_is_left_alone() -> None:
    text = '{"msg": "RJE/PLN|g=42,@=\\u0041"}'

    assert fix_all(text).text == text


@pytest.mark.parametrize("name", registry.get_names())
def test_mending_ends_brings_no_error_and_mends_no_more_the_second_time(name: str) -> None:
    random = Random(7)
    for wire in wires(name)[:150]:
        spoilt = mutate(wire, random)
        result = fix_all(spoilt)
        assert errors(result.text) <= errors(spoilt), spoilt
        assert all(change.before != change.after for change in result.changes)


def test_a_hostile_text_is_given_up_and_not_mended_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fixes, "Fixer", lambda: Fixer(0))

    assert fix_all(TEXT).changes == ()


@pytest.mark.django_db
def test_the_dialog_shows_lines_before_and_after_and_what_remains(client: Client) -> None:
    sent = {"text": TEXT + "REQ/TSK|g=x\n"}
    page = client.post("/fixes", sent, headers={"hx-request": "true"}).content.decode()

    assert "<html" not in page
    assert "5 fixes in 2 messages" in words(page)
    assert "✖ 1 error" in words(page)
    assert "nslip.unknown-act" in page
    held = re.search(r'data-fix="([^"]*)"', page)
    assert held is not None
    assert json.loads(unescape(held[1]))[2].startswith("EJ/PLN|g=42,t=1,")


@pytest.mark.django_db
def test_without_javascript_a_page_shows_the_same_and_applies_it(client: Client) -> None:
    page = client.post("/fixes", {"text": TEXT, "protocol": "", "message": "2"}).content.decode()
    assert "5 fixes in 2 messages" in words(page)
    sent = dict(
        re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page.split("<form")[-2])
    )

    done = client.post(
        "/", {name: unescape(value) for name, value in sent.items()}
    ).content.decode()

    assert unescape(done.split("<textarea")[1].split(">\n", 1)[1].split("</textarea>")[0]) == FIXED
    assert 'data-chosen="2"' in done


@pytest.mark.django_db
@pytest.mark.parametrize(
    "sent", [{}, {"text": ""}, {"text": "x", "tokenizer": "none"}, {"text": "RJE/PLN|@=<script>"}]
)
def test_the_dialog_of_nothing_is_no_failure(client: Client, sent: dict[str, str]) -> None:
    response = client.post("/fixes", sent)

    assert response.status_code == 200
    assert "<script>" not in response.content.decode()


def test_every_reading_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def note(text: str, **options: Any) -> Reading:
        read.append(text)
        return Reading(text, **options)

    monkeypatch.setattr(fixes, "Reading", note)
    after = fix_all(TEXT).after

    assert after.text == FIXED
    assert read == [TEXT, FIXED]


def test_messages_that_a_page_does_not_show_are_left_as_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[int] = []

    def note(text: str, *rest: Any, **options: Any) -> Transcript:
        found = split(text, *rest, **options)
        read.append(len(found.messages))
        return found

    monkeypatch.setattr(document, "split", note)
    line = "REQ/TSK|g=00%d\n"
    text = "".join(line % number for number in range(30_000))
    result = fix_all(text)

    assert result.fixes == len(result.changes) == MESSAGES
    assert result.text.splitlines()[MESSAGES:] == text.splitlines()[MESSAGES:]
    assert result.text.splitlines()[:MESSAGES] == [
        f"REQ/TSK|g={number}" for number in range(MESSAGES)
    ]
    assert max(read) <= fixes.MOST_PARTS
    assert read[1:] == [MESSAGES]


def test_equal_messages_are_fixed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    fixed: list[str] = []
    fix = Fixer.fix

    def note(self: Fixer, message: Message) -> Fixed:
        fixed.append(message.wire)
        return fix(self, message)

    monkeypatch.setattr(Fixer, "fix", note)
    result = fix_all("RJE/PLN|g=1\n" * 50)

    assert fixed == ["RJE/PLN|g=1"]
    assert result.fixes == 50
    assert result.text == "REJ/PLN|g=1\n" * 50


def test_a_message_and_what_it_becomes_are_each_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    codec = registry.get("nslip")
    read: list[str] = []
    careful = codec.read

    def noted(wire: str, dialect: str | None) -> Any:
        read.append(wire)
        return careful(wire, dialect)

    monkeypatch.setattr(codec, "read", noted)
    decoding._remembered.cache_clear()

    result = fix_all("".join(f"RJE/PLN|g={number}\n" for number in range(50)))

    assert result.text == "".join(f"REJ/PLN|g={number}\n" for number in range(50))
    assert len(read) == len(set(read)) == 100


@pytest.mark.parametrize(("words", "kept"), [(198, True), (199, False)])
def test_a_change_of_many_words_is_not_compared_word_by_word(words: int, *, kept: bool) -> None:
    """Each side has a first and a last word that changes, and 2 * 198 + 4 words in all."""
    before, after = (fixes.Change(1, 0, f"x{' a' * words}, y", f"z{' a' * words}, w", ())).parts

    assert [part.changed for part in before] == ([True, False, True] if kept else [True])
    assert [part.changed for part in after] == ([True, False, True] if kept else [True])


@pytest.mark.parametrize("sides", [("a " * 500 + "end", "b"), ("b", "a " * 500 + "end")])
def test_long_lines_are_compared_as_a_whole(sides: tuple[str, str]) -> None:
    left, right = fixes._compared(*sides)

    for parts, side in ((left, sides[0]), (right, sides[1])):
        text = "".join(part.text for part in parts)
        assert (text[:1], text[-1:]) == (side[:1], side[-1:])
        assert all(part.changed for part in parts)


def test_what_a_line_changes_begins_and_ends_with_a_whole_word() -> None:
    left, right = fixes._compared("one two xa ya four", "one two xb yb four")

    assert [part.text for part in left] == ["one two ", "xa", " ", "ya", " four"]
    assert [part.text for part in right] == ["one two ", "xb", " ", "yb", " four"]
    assert [part.text for part in fixes._compared("ab", "b")[0]] == ["ab"]


def test_only_the_words_that_differ_are_compared() -> None:
    same = "same " * 500

    left, _ = fixes._compared(f"{same}xa", f"{same}xb")

    assert [part.text for part in left if part.changed] == ["xa"]
