"""Each decoding gives the text, and for every character where it is written."""

import pytest

from cablese.transcript import encoding, split
from cablese.transcript.encoding import Decoded

CASES = (
    (encoding.read_backslashes, r"a\"b\n\u00e9\x7c\\", 'a"b\né|\\'),
    (encoding.read_backslashes, r"\ud83d\ude00\U0001f600", "😀😀"),
    (encoding.READ_DOUBLED['"'], "a\"\"b''c", "a\"b''c"),
    (encoding.READ_DOUBLED["'"], "a''b\"\"c", 'a\'b""c'),
    (encoding.read_shell, "it'\\''s '\"'\"'", "it's '"),
    (encoding.read_bars, r"a\|b", "a|b"),
    (encoding.read_entities, "&quot;a&amp;&#x7c;", '"a&|'),
    (encoding.strip_colors, "\x1b[31mred\x1b[0m!", "red!"),
)


@pytest.mark.parametrize(("raw", "text"), [(read(raw), text) for read, raw, text in CASES])
def test_it_decodes(raw: Decoded, text: str) -> None:
    assert raw.text == text


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[2])
def test_every_character_decodes_from_its_place(case: tuple[object, str, str]) -> None:
    read, raw, text = case
    assert callable(read)
    decoded = read(raw)
    for at, char in enumerate(text):
        start, end = decoded.place(at, at + 1)
        assert read(raw[start:end]).text == char


def test_joined_lines_map_to_their_places() -> None:
    raw = "> ab\n> cd"
    joined = encoding.join_lines(raw, [(2, 4), (7, 9)])
    assert joined.text == "ab\ncd"
    assert [raw[slice(*joined.place(at, at + 1))] for at in range(5)] == [
        "a",
        "b",
        "\n> ",
        "c",
        "d",
    ]


def test_an_empty_place_is_between_characters() -> None:
    decoded = encoding.read_backslashes(r"a\nb")
    assert [decoded.place(at, at) for at in range(4)] == [(0, 0), (1, 1), (3, 3), (4, 4)]
    assert encoding.read_backslashes("").place(0, 0) == (0, 0)


@pytest.mark.parametrize("escape", ["^[", r"\e", r"\033"])
@pytest.mark.parametrize(
    "wire", ["REQ/TSK|g=1,@=auth", "FETCH|HR|return:A|p:1|aacp:1.1|res:a", "T|17|Q|obj=x"]
)
def test_colors_that_are_written_out_are_part_of_no_message(wire: str, escape: str) -> None:
    for text in (
        f"{wire}{escape}[0m",
        f"{escape}[1;32m{wire}{escape}[0m",
        f"{escape}[32mINFO{escape}[0m planner: {wire}{escape}[0m{escape}[K",
    ):
        (cut,) = split(text).messages

        assert cut.wire == wire
        assert text[slice(*cut.span)] == wire


@pytest.mark.parametrize("value", [r"\e[", r"\0333", "a^[0m", r"C:\e[x]m"])
def test_other_backslashes_and_brackets_are_no_colors(value: str) -> None:
    (cut,) = split(f"INF/OBS|g=1,@={value}b").messages

    assert cut.wire == f"INF/OBS|g=1,@={value}b"
