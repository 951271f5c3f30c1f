"""A reading in Markdown: its cells hold, whatever a message says."""

import re

import pytest
from hypothesis import given
from hypothesis.strategies import text as texts

from playground.export import markdown
from playground.workbench import document
from playground.workbench.document import Reading
from playground.workbench.examples import EXAMPLES

CELL = re.compile(r"(?<!\\)\|")


def written(text: str) -> str:
    return markdown.write(Reading(text, protocol=None, tokenizer="o200k_base"))


def rows(file: str) -> list[list[str]]:
    return [
        [cell.strip() for cell in CELL.split(line)[1:-1]]
        for line in file.splitlines()
        if line.startswith("| ") and not line.startswith("| ---")
    ]


def test_each_message_has_a_row() -> None:
    file = written("REQ/TSK|g=42,t=1\n# for anna\nRJE/PLN|g=42,t=01\n")

    head, first, second = rows(file)
    assert head == ["No.", "Line", "State", "Protocol", "English", "Tokens"]
    assert first[:4] == ["1", "1", "valid", "nSLIP"]
    assert first[4].startswith("Requests task 1 of goal 42")
    assert second[:4] == ["2", "3", "✖ invalid", "nSLIP"]
    assert file.startswith("# Messages\n\n2 messages, 1 invalid, ")
    assert "Ignored 1 fragment." in file


def test_each_problem_has_its_place() -> None:
    problems = written("REQ/TSK|g=42,t=1\nRJE/PLN|g=42,t=01\n").split("## Problems\n\n")[1]

    assert problems.startswith("- ✖ error at 2:1–2:3 (message 2): ")


def test_no_problems_and_no_messages_are_said() -> None:
    assert "No problems." in written("REQ/TSK|g=42,t=1")
    assert written("") == "# Messages\n\nNo messages.\n"


def test_a_count_that_is_not_exact_is_marked_in_its_row_and_in_the_sum() -> None:
    file = written("REQ/TSK|g=42,t=1\nINF/OBS|g=42,t=1,@=\ud800\n")

    head, exact, other = file.split(" invalid, ")[1], *(row[-1] for row in rows(file)[1:])
    assert head.startswith("≈ ")
    assert exact.isdecimal()
    assert other.startswith("≈ ")
    assert "≈" not in written("REQ/TSK|g=42,t=1")


def test_messages_and_problems_that_are_not_shown_are_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = "REQ/TSK|g=42,t=01\n" * 3
    assert "not shown" not in written(text)

    monkeypatch.setattr(document, "DIAGNOSTICS", 2)
    assert "- 1 more problem not shown." in written(text)
    monkeypatch.setattr(document, "MESSAGES", 1)
    assert "1 message, 0 invalid, " in written(text)
    assert "2 more messages not shown." in written(text)


def test_values_are_no_markup() -> None:
    file = written("REQ/TSK|g=42,t=1,@=a*b*<script>[x](javascript:1)`|https://evil.example/\n")

    assert "<script>" not in file.replace("\\<", "")
    for line in rows(file):
        assert len(line) == 6


def test_a_value_that_a_problem_quotes_is_no_markup() -> None:
    problems = written("INF/OBS|g=42,t=1,s=<b>[x](y)\n").split("## Problems\n\n")[1]

    assert 'Unknown status "\\<b\\>\\[x\\](y)".' in problems


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Requests task 1 of goal 42.", "Requests task 1 of goal 42."),
        ("auth_refactor", "auth_refactor"),
        ("_a_ __b__", "\\_a\\_ \\_\\_b\\_\\_"),
        ("a|b", "a\\|b"),
        ("a\\|b", "a\\\\\\|b"),
        ("*a* ~b~ `c`", "\\*a\\* \\~b\\~ \\`c\\`"),
        ("<b>&amp;", "\\<b\\>\\&amp;"),
        ("[a](b) ![c](d)", "\\[a\\](b) !\\[c\\](d)"),
        ("see https://a.example/b", "see `https://a.example/b`"),
        ("WWW.a.example", "`WWW.a.example`"),
        ("x@y.example", "`x@y.example`"),
        ("@team #12 :tada:", "`@team` `#12` `:tada:`"),
        ("https://a|b`c", "`https://a`\\|`b`\\``c`"),
        ("a\nb\tc", "a⏎b␉c"),
        ("a\r\nb", "a⏎b"),
        ("a\x07\u202eb\ud800", "a␇⟨U+202E⟩b⟨U+D800⟩"),
        ("x" * 600, "x" * 499 + "…"),
    ],
)
def test_text_is_escaped(text: str, expected: str) -> None:
    assert markdown.escape(text) == expected


@given(texts())
def test_any_text_stays_in_its_cell(text: str) -> None:
    line = markdown.escape(text)

    assert line.splitlines() in ([], [line])
    assert not re.search(r"(?<!\\)(?:\\\\)*\|", line)


def test_every_example_is_written() -> None:
    for example in EXAMPLES:
        assert all(len(row) == 6 for row in rows(written(example.text))), example.slug


def test_more_problems_than_are_shown_are_counted() -> None:
    file = written("RJE/PLN|g=42,t=1\n" * 300)

    assert re.search(r"- \d+ more problems not shown\.\n$", file)
