"""A value written anew in the text around its message: with and without JavaScript, or refused in
words.
"""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from cablese import transcript
from cablese.codec import Unencodable
from cablese.message import Span
from cablese.transcript.cut import TOO_MANY
from playground.workbench import edits
from playground.workbench.document import Reading
from playground.workbench.edits import edit_field

TEXT = "🙂 log: REQ/TSK|g=42,t=1\nT|17|Q|obj=x\n"


def read(text: str, chosen: int = 1) -> Reading:
    return Reading(text, protocol=None, tokenizer="o200k_base", chosen=chosen)


def test_the_text_around_a_value_stays() -> None:
    done = edit_field(read(TEXT), 3, "a,b")
    units = TEXT.encode("utf-16-le")

    assert done.text == "🙂 log: REQ/TSK|g=a%2Cb,t=1\nT|17|Q|obj=x\n"
    assert (units[: 2 * done.start] + done.put.encode("utf-16-le") + units[2 * done.end :]).decode(
        "utf-16-le"
    ) == done.text


def test_the_shown_message_is_the_one_that_changes() -> None:
    assert (
        edit_field(read(TEXT, 2), 3, "a;b").text == "🙂 log: REQ/TSK|g=42,t=1\nT|17|Q|obj=a%3Bb\n"
    )


@pytest.mark.parametrize(
    ("text", "number", "value"),
    [
        ("", 1, "x"),
        (TEXT, 0, "x"),
        (TEXT, 99, "x"),
        (TEXT, 1, "RE/Q"),
        ('{"msg": "REQ/TSK|g=42,@=\\u0041"}', 4, "B"),
        ('{"msg": "REQ/TSK|g=42,@=a"}', 4, 'b",'),
        ("'REQ/TSK|g=42,@=a'\nx", 4, "b';"),
    ],
)
def test_what_would_change_more_than_the_value_is_refused(
    text: str, number: int, value: str
) -> None:
    with pytest.raises(Unencodable, match=r"\w"):
        edit_field(read(text), number, value)


@pytest.mark.parametrize("further", [0, 1, 5, 100])
def test_of_a_long_text_only_what_follows_is_read_again(
    monkeypatch: pytest.MonkeyPatch, further: int
) -> None:
    text = "prose\nREQ/TSK|g=1,@=a\n" * 20
    before = read(text, chosen=4)
    monkeypatch.setattr(edits, "FURTHER", further)
    lines: list[int] = []

    def split(text: str, *rest: Any, **options: Any) -> transcript.Transcript:
        found = transcript.split(text, *rest, **options)
        lines.append(len(found.messages))
        return found

    monkeypatch.setattr(edits, "split", split)
    done = edit_field(before, 4, "b")

    assert done.text.count("@=b") == 1
    assert 4 <= lines[0] <= 4 + further


@pytest.mark.parametrize("further", [1, 5, 100])
def test_a_value_that_reaches_into_the_next_messages_is_refused(
    monkeypatch: pytest.MonkeyPatch, further: int
) -> None:
    text = '"REQ/TSK|g=1,@=a REQ/TSK|g=2"\n' * 20
    monkeypatch.setattr(edits, "FURTHER", further)

    with pytest.raises(Unencodable, match="would change how"):
        edit_field(read(text), 4, 'a"')


@pytest.mark.django_db
def test_the_page_is_told_where_to_write_what(client: Client) -> None:
    answer = client.post(
        "/reading/edit", {"text": TEXT, "message": "1", "field": "3", "value": "7"}
    )

    assert answer.json() == {"start": 18, "end": 20, "text": "7"}
    assert "no-store" in answer.headers["Cache-Control"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "sent",
    [{}, {"field": "x"}, {"field": "0"}, {"field": "9" * 5000}, {"field": "1", "value": "a/b"}],
)
def test_a_refusal_is_words(client: Client, sent: dict[str, str]) -> None:
    answer = client.post("/reading/edit", {"text": TEXT, **sent})

    assert answer.status_code == 200
    assert answer.json()["refused"]


@pytest.mark.django_db
def test_a_row_is_edited_without_javascript(client: Client) -> None:
    page = client.post("/", {"text": TEXT, "message": "1", "edit": "3"}).content.decode()
    assert re.search(r'<textarea[^>]*name="value"[^>]*>\s*42</textarea>', page)

    done = client.post(
        "/", {"text": TEXT, "message": "1", "field": "3", "value": "a,b"}
    ).content.decode()
    assert "REQ/TSK|g=a%2Cb,t=1" in unescape(done)
    left = client.post(
        "/", {"text": TEXT, "message": "1", "field": "3", "value": "9", "edit": ""}
    ).content.decode()
    assert "REQ/TSK|g=42,t=1" in left


@pytest.mark.django_db
def test_a_refused_value_comes_back_with_the_reason(client: Client) -> None:
    page = client.post("/", {"text": TEXT, "field": "1", "value": "<b>/"}).content.decode()

    assert re.search(r'class="refused"\s+role="alert"', page)
    assert "&lt;b&gt;/</textarea>" in page
    assert "<b>/" not in page


@pytest.mark.django_db
def test_values_that_look_otherwise_than_they_are_stand_beside(client: Client) -> None:
    page = client.post("/reading", {"text": "REQ/TSK|g=42,@=a\u202eb"}).content.decode()

    assert 'data-value="&quot;a\\u202eb&quot;"' in page
    assert page.count("data-value") == 1


def test_a_value_that_is_shown_shortened_stands_beside_whole(client: Client) -> None:
    page = client.post("/reading", {"text": f"REQ/TSK|g=42,t=1,@={'a' * 401}"}).content.decode()

    assert f'data-value="&quot;{"a" * 401}&quot;"' in page
    assert page.count("data-value") == 1
    assert "data-value" not in client.post("/reading", {"text": TEXT}).content.decode()


def test_a_message_that_is_none_in_a_long_text_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    reading = read(TEXT)
    rest = transcript.Ignored(Span(0, len(TEXT)), TEXT, TOO_MANY)
    nothing = transcript.Transcript((), (rest,), len(TEXT))
    monkeypatch.setattr(edits, "split", lambda *_given, **_options: nothing)

    with pytest.raises(Unencodable):
        edit_field(reading, 3, "43")
