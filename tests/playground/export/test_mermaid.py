"""Conversations in Mermaid: its grammar holds, whatever a message says.

Mermaid's own parser is JavaScript and no part of this suite; GRAMMAR is the part of its language
that we write.
"""

import re

import pytest
from hypothesis import given
from hypothesis.strategies import text as texts

from playground.export import mermaid
from playground.workbench.examples import CONVERSATION, EXAMPLES
from tests import fuzz
from tests.playground.export.conversing import HOSTILE, Told, converse, supply

LABEL = r"[\w ./,=!+()✖…⟨⟩␀-␡-]|#\d+;"
GRAMMAR = re.compile(
    rf"    (?:participant p\d+ as (?:{LABEL})+"
    rf"|Note over p\d+(?:,p\d+)?: (?:{LABEL})+"
    rf"|p\d+--?(?:>>|x)p\d+: (?:{LABEL})+)"
)


def written(told: str | Told) -> list[str]:
    chosen = converse(told) if isinstance(told, str) else told
    first, *lines = mermaid.write(*chosen).splitlines()
    assert first == "sequenceDiagram"
    assert [line for line in lines if not GRAMMAR.fullmatch(line)] == []
    return [line.strip() for line in lines]


def test_parties_are_participants_and_messages_are_arrows() -> None:
    assert written(
        supply(("ada", "bob", "REQ/TSK|g=42,t=1"), ("bob", "ada", "CFM/TSK|g=42,t=1"))
    ) == [
        "participant p1 as ada",
        "participant p2 as bob",
        "Note over p1,p2: nSLIP, goal 42, task 1",
        "p1-->>p2: 1 request TSK",
        "p2-->>p1: 2 confirm TSK",
    ]


def test_a_name_that_the_wire_states_has_a_whole_line() -> None:
    assert "p1->>p2: 1 query" in written("SLIP v3 ada bob Ask Status")[-1]


def test_an_invalid_message_ends_in_a_cross() -> None:
    lines = written(supply(("ada", "bob", "REQ/TSK|g=42,t=1"), ("bob", "ada", "RJE/PLN|g=42,t=1")))

    assert lines[-1].startswith("p2--xp1: 2 ✖ ")


def test_a_message_of_unknown_parties_is_a_note() -> None:
    assert written("FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:emp_salary")[-1].startswith(
        "Note over p1: 1 request"
    )


def test_a_hostile_name_is_only_a_label() -> None:
    lines = written(
        supply((HOSTILE, "bob", "REQ/TSK|g=42,t=1"), ("bob", "ada", "CFM/TSK|g=42,t=1"))
    )

    assert lines[0] == (
        "participant p1 as end#59;#34;#39;#96;#124;#60;b#62;x#60;/b#62;#35;59#59;#37;#37;#123;init"
        "#58; #123;#125;#125;#37;#37;#93;#93;#62;#38;lt#59;#58; a-#62;#62;b⟨U+202E⟩␇"
    )


def test_a_hostile_object_is_only_a_label() -> None:
    lines = written("T|1|Q|obj=a->>b:<i>%%")

    assert lines[-1] == "p1--xp2: 1 ✖ query a-#62;#62;b#58;#60;i#62;#37;#37;"


@pytest.mark.parametrize("text", ["", "\n", "a\nb", "\r\t\x00", " ", "x" * 100, "%%", "\ud800"])
def test_a_label_is_one_line_and_never_empty(text: str) -> None:
    assert re.fullmatch(rf"(?:{LABEL})+", mermaid.escape(text))


def test_every_example_is_written() -> None:
    for example in EXAMPLES:
        assert written(example.text), example.slug


def test_parties_beyond_the_participants_are_named_in_notes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(mermaid, "NAMES", 2)
    lines = written(
        supply(
            ("ada", "bob", "REQ/TSK|g=42,t=1"),
            ("ada", "eve", "REQ/TSK|g=42,t=2"),
            ("dan", "eve", "REQ/TSK|g=42,t=3"),
        )
    )

    assert [line for line in lines if "request TSK" in line] == [
        "p1-->>p2: 1 request TSK",
        "Note over p1: 2 request TSK (recipient eve)",
        "Note over p1,p2: 3 request TSK (sender dan, recipient eve)",
    ]


def test_a_text_without_messages_has_one_participant() -> None:
    assert written("") == ["participant p1 as not stated"]


def test_a_long_conversation_says_what_is_left_out() -> None:
    total = mermaid.MESSAGES + 20
    lines = written("\n".join(f"REQ/TSK|g=1,t={number}" for number in range(1, total + 1)))

    assert lines[-1].endswith(f"The first {mermaid.MESSAGES} of {total} messages")
    assert sum("request TSK" in line for line in lines) == mermaid.MESSAGES


@fuzz.examples(40)
@given(texts())
def test_any_text_is_a_label(text: str) -> None:
    assert re.fullmatch(rf"(?:{LABEL})+", mermaid.escape(text))


def test_numbers_are_those_of_the_messages() -> None:
    assert [line.split(": ")[1].split()[0] for line in written(CONVERSATION) if "->>" in line][
        :3
    ] == ["1", "2", "3"]
