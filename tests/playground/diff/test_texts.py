"""Two texts, message by message."""

from time import process_time

import pytest

from playground.diff.sides import PARTS, Side
from playground.diff.texts import CONTEXT, CUT, SHOWN, Fold, Row, Texts
from playground.workbench.document import MESSAGES
from playground.workbench.examples import CONVERSATION

FIRST = "REQ/TSK|g=42,t=1,p=2,@=a\n"
SECOND = "PRO/PLN|g=42,t=1,@=b\n"
THIRD = "ACC/PLN|g=42,t=1\n"


def diff(left: str, right: str, *, lines: bool = False) -> Texts:
    one, other = (
        Side(text, protocol=None, tokenizer="o200k_base", lines=lines) for text in (left, right)
    )
    return Texts(one, other)


def kinds(texts: Texts) -> list[str]:
    return [row.kind for row in texts.rows]


@pytest.mark.parametrize(
    ("left", "right", "expected", "summary"),
    [
        (
            FIRST + SECOND,
            FIRST + SECOND,
            ["same", "same"],
            "The texts are identical. All 2 messages are the same.",
        ),
        (FIRST, f"\n{FIRST}", ["same"], "The message is the same."),
        (FIRST, FIRST + SECOND, ["same", "added"], "1 of 2 messages differs: 1 added."),
        (FIRST + SECOND, SECOND, ["removed", "same"], "1 of 2 messages differs: 1 removed."),
        (
            FIRST + SECOND + THIRD,
            FIRST + SECOND.replace("@=b", "@=c") + THIRD,
            ["same", "changed", "same"],
            "1 of 3 messages differs: 1 changed.",
        ),
        (
            FIRST + SECOND,
            FIRST.replace("p=2", "p=3") + SECOND.replace("@=b", "@=c") + THIRD,
            ["changed", "changed", "added"],
            "3 of 3 messages differ: 1 added, 2 changed.",
        ),
        (
            FIRST,
            "REQ/TSK|t=1,g=42,p=2,@=a\n",
            ["rewritten"],
            "The message is the same in meaning: 1 is written differently.",
        ),
        (
            FIRST + SECOND,
            "REQ/TSK|t=1,g=42,p=2,@=a\n",
            ["rewritten", "removed"],
            "1 of 2 messages differs: 1 removed. 1 is written differently with the same meaning.",
        ),
        ("", "", [], "The texts are identical."),
        ("hello", "world", [], "Neither text contains a message."),
        ("", FIRST, ["added"], "1 of 1 message differs: 1 added."),
    ],
)
def test_messages_are_aligned(left: str, right: str, expected: list[str], summary: str) -> None:
    texts = diff(left, right)

    assert kinds(texts) == expected
    assert texts.summary == summary


def test_two_versions_are_paired_by_what_they_are_about() -> None:
    one, other = "REQ/TSK|g=1,t=1,@=a\n", "REQ/TSK|g=2,t=1,@=a\n"

    (added, changed) = diff(one, f"{other}{one.replace('@=a', '@=b')}").rows

    assert (added.kind, changed.kind) == ("added", "changed")
    assert changed.right is not None
    assert changed.right.text.startswith("REQ/TSK|g=1")


def test_a_misspelled_act_in_its_place_is_a_change() -> None:
    texts = diff(FIRST + "REJ/PLN|g=42,t=1\n", FIRST + "RJE/PLN|g=42,t=1\n")

    assert kinds(texts) == ["same", "changed"]


def test_a_misspelled_act_before_another_message_is_a_change() -> None:
    texts = diff("RJE/PLN|g=42,t=1\n", "REJ/PLN|g=42,t=1\nCFM/TSK|g=42,t=1\n")

    assert kinds(texts) == ["changed", "added"]


def test_changed_messages_are_compared_field_by_field() -> None:
    (row,) = diff(FIRST, FIRST.replace("p=2", "p=3")).rows

    assert [(line.term, line.left, line.right) for line in row.fields] == [("slots.p", "2", "3")]


def test_messages_of_two_protocols_are_compared_by_their_terms() -> None:
    (row,) = diff("REQ/TSK|g=42,t=1", "FETCH|HR|return:A|p:1|aacp:1.1|res:emp_salary").rows

    assert row.kind == "changed"
    assert {line.term for line in row.fields} >= {"goal", "task"}


def test_equal_fields_are_not_shown() -> None:
    assert diff(FIRST, FIRST).rows[0].fields == []


def test_lines_are_compared_only_on_request() -> None:
    left, right = f"# plan\n{FIRST}# end\n", f"# plan\n{FIRST}# the end\n"

    assert diff(left, right).summary == "The message is the same."
    texts = diff(left, right, lines=True)
    assert kinds(texts) == ["same", "same", "changed"]
    assert texts.summary == ("The message is the same. 1 of 2 other lines differs: 1 changed.")
    assert [row.left.line for row in texts.rows if row.left] == [1, 2, 3]


def test_a_line_is_never_the_same_as_a_message() -> None:
    assert kinds(diff(FIRST, "# plan\n", lines=True)) == ["removed", "added"]


def test_equal_messages_far_from_a_difference_are_folded() -> None:
    same = "".join(f"REQ/TSK|g={goal},t=1\n" for goal in range(1, 21))

    *rows, fold = diff(FIRST + same, same).shown
    assert [row.kind for row in rows if isinstance(row, Row)] == ["removed", *["same"] * CONTEXT]
    assert fold == Fold(18, (4, 21), (3, 20))


def test_more_differences_than_are_shown_are_counted() -> None:
    right = "".join(f"REQ/TSK|g={goal},t=1\n" for goal in range(1, SHOWN + 11))
    texts = diff("", right)

    assert len(texts.shown) == SHOWN
    assert texts.hidden == 10


def test_a_text_beyond_the_limit_is_said_to_be_cut() -> None:
    message, line = "REQ/TSK|g=1,t=1\n", "# a\n"

    assert not diff(message * MESSAGES, message).is_cut
    assert diff(message * (MESSAGES + 1), message).summary.endswith(CUT)
    assert not diff(line * PARTS, line, lines=True).is_cut
    assert diff(line * (PARTS + 1), line, lines=True).summary.endswith(CUT)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("A|B\n" * 15_000, "A|B\n" * 14_000),
        ("REQ/TSK|g=1,t=1\n" * 3_800, "REQ/TSK|g=1,t=1\n" * 3_700),
        (
            "".join(f"REQ/TSK|g={at % 7},t=1\n" for at in range(5_000)),
            "".join(f"REQ/TSK|g={at % 11},t=1\n" for at in range(5_000)),
        ),
        ("\n".join("ab"[at % 2] for at in range(30_000)), "\n".join("ba" * 15_000)),
        (CONVERSATION * 500, CONVERSATION.replace("t=1", "t=2") * 500),
    ],
)
def test_hostile_texts_take_no_longer(left: str, right: str) -> None:
    begin = process_time()
    texts = diff(left, right, lines=True)
    texts.summary, [row.fields for row in texts.shown if isinstance(row, Row)]

    assert process_time() - begin < 6
