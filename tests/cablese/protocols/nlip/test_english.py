"""Descriptions of NLIP messages in plain English."""

import json

import pytest

from cablese.protocols.nlip.codec import codec
from tests.cablese.protocols.nlip.test_nlip import TEXT


def _english(wire: str) -> str:
    return "".join(piece.text for piece in codec.describe(codec.decode(wire)))


def test_it_says_a_second_sentence_of_the_submessages() -> None:
    parts = [{"format": "token", "subformat": "session", "content": "s"}, *[TEXT] * 7]

    assert _english(json.dumps({**TEXT, "submessages": parts})) == (
        'Sends text in English: "Hello". With it: the session token "s"; '
        + "; ".join(['text in English: "Hello"'] * 4)
        + "; and 3 more."
    )


def test_it_cuts_what_it_quotes_after_eighty_characters() -> None:
    assert (
        _english(json.dumps({**TEXT, "content": "x" * 81}))
        == f'Sends text in English: "{"x" * 80}…".'
    )


def test_it_never_repeats_an_authentication_token() -> None:
    for subformat in ("authentication", "Authentication_a", "authorization"):
        wire = json.dumps({"format": "token", "subformat": subformat, "content": "s3cret"})
        assert "authentication token" in _english(wire)
        assert "s3cret" not in _english(wire)


def test_a_description_points_at_the_fields_it_speaks_of() -> None:
    message = codec.decode(
        '{"control":true,"format":"structured","subformat":"json","content":{"a":1}}'
    )

    assert [(piece.text, piece.field) for piece in codec.describe(message)] == [
        ("Control message: sends ", "control"),
        ("JSON", "subformat"),
        (": ", None),
        ('{"a":1}', "content"),
        (".", None),
    ]


@pytest.mark.parametrize(
    ("content", "english"),
    [
        ("Tests pass.", 'Sends text in English: "Tests pass."'),
        ("Why?", 'Sends text in English: "Why?"'),
        ('He said "go."', "Sends text in English: \"He said 'go.'\""),
        ("テスト。", 'Sends text in English: "テスト。"'),
        ("no stop", 'Sends text in English: "no stop".'),
        ("3.5", 'Sends text in English: "3.5".'),
    ],
)
def test_a_text_that_ends_a_sentence_ends_the_description(content: str, english: str) -> None:
    assert _english(json.dumps({**TEXT, "content": content})) == english


def test_each_sentence_ends_by_itself() -> None:
    wire = json.dumps({**TEXT, "content": "Done.", "submessages": [{**TEXT, "label": "x"}]})

    assert (
        _english(wire)
        == 'Sends text in English: "Done." With it: text in English: "Hello", labeled "x".'
    )


def test_a_token_is_called_as_it_is_written() -> None:
    assert (
        _english('{"format":"token","subformat":"sessionId_a","content":"7"}')
        == 'Sends the sessionId token "7" of a.'
    )
