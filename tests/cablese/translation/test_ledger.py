"""What counts as the same value after a translation, and what is reported as a difference."""

import json
from typing import Any

import pytest
from msgspec import UNSET

from cablese.translation.ledger import Difference, compare, differences, same
from cablese.translation.statement import Place
from cablese.translation.translate import translate_text

ALIKE = [
    (1, True), (0, False), (1, 1.0), (1, "1"), ([1], [True]), ([1], (1,)), ([1], [1, 2]),
    ({"a": 1}, {"a": True}), ({"a": 1}, {"b": 1}), ({"a": 1}, {"a": 1, "b": 2}), (None, False),
    ({"a": [{"b": 0}]}, {"a": [{"b": False}]}), ("", None),
]  # fmt: skip
"""Values that Python, or a reader in a hurry, takes for equal."""
PACKET = "FETCH|HR|return:A|p:1|aacp:1.1"
NLIP = json.dumps(
    {
        "format": "text", "subformat": "English", "content": "Hi",
        "submessages": [
            {"format": "token", "subformat": "conversation", "content": "c-1", "label": "user"},
            {"format": "token", "subformat": "conversation", "content": "c-2"},
        ],
    }
)  # fmt: skip


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_values_that_only_look_alike_are_not_the_same(one: Any, other: Any) -> None:
    assert not same(one, other)
    assert not same(other, one)


@pytest.mark.parametrize("value", [1, True, 1.0, "1", None, [1, [2]], {"a": {"b": [True, 1]}}])
def test_a_value_is_the_same_as_itself(value: Any) -> None:
    assert same(value, value)


def test_a_number_that_comes_back_as_a_boolean_is_a_difference() -> None:
    assert list(differences({"t": 1}, {"t": True})) == [Difference("t", before=1, after=True)]
    assert list(differences({"a": {"t": 1}}, {"a": {"t": True}})) == [
        Difference("a.t", before=1, after=True)
    ]
    assert list(differences({"a": [1, 2]}, {"a": [1, 2.0]})) == [Difference("a", [1, 2], [1, 2.0])]


def test_what_is_gone_and_what_is_new_are_differences() -> None:
    assert list(differences({"a": 1, "b": 2}, {"b": 2, "c": 3})) == [
        Difference("a", 1, UNSET),
        Difference("c", UNSET, 3),
    ]
    assert list(differences({"a": 1}, {"a": 1})) == []


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [
        (Place("t", 1), Place("t", 1), "kept"),
        (Place("t", 1), Place("task", 1), "renamed"),
        (Place("t", 1), Place("t", value=True), "coerced"),
        (Place("t", 1), Place("t", "1"), "coerced"),
        (Place("t", "a b"), Place("t", "a_b"), "coerced"),
    ],
)
def test_a_verdict_looks_at_the_value_and_its_type(
    before: Place, after: Place, verdict: str
) -> None:
    assert compare("t", before, after, "Maps to t.").verdict == verdict


@pytest.mark.parametrize(
    ("wire", "to", "term", "words"),
    [
        (PACKET, "json", "aacp", "AACP default: omitted here."),
        ("INF/TSK|s=waiting", "sacp", "status", 'SACP has no status "waiting".'),
        ("INF/ERR|s=waiting", "sacp", "status", "The message reports a failure,"),
        ("T|1|E|err=x", "nslip", "act", 'nSLIP has no act "error". The closest is "inform".'),
        (
            "T|1|A|err=x",
            "sacp",
            "act",
            'The message reports a failure, so "answer" becomes "FAILED".',
        ),
        (
            f"{PACKET}|status:cancelled",
            "nslip",
            "status",
            'nSLIP has no status "cancelled". The closest is "failed".',
        ),
        (PACKET, "nslip", "aacp", "AACP default: omitted here and restored"),
        ("FETCH|HR|return:A|aacp:1.1", "nslip", "p", "AACP default: omitted here and restored"),
        (NLIP, "sacp", "topic", "No SACP equivalent."),
    ],
)
def test_a_row_says_why_a_value_changed(wire: str, to: str, term: str, words: str) -> None:
    (row,) = [row for row in translate_text(wire, to).ledger if row.term == term]

    assert row.words.startswith(words)
    assert row.returns


@pytest.mark.parametrize(
    ("wire", "term", "key"),
    [
        (NLIP, "topic", "format"),
        (NLIP, "thread", "submessages.0.content"),
        (NLIP, "sender", "submessages.0.label"),
        ('{"format":"error","subformat":"text","content":"No."}', "reason", "content"),
    ],
)
def test_a_row_says_where_the_value_was(wire: str, term: str, key: str) -> None:
    (row,) = [row for row in translate_text(wire, "sacp").ledger if row.term == term]

    assert row.source.key == key
    assert row.returns


@pytest.mark.parametrize(
    ("wire", "to", "dropped"),
    [
        ('{"g":"A","ctx":{"a":1},"plan":[["run","T",{}]]}', "nslip", {"out_fmt"}),
        (PACKET, "nslip", {"aacp"}),
    ],
)
def test_a_field_that_is_read_is_not_called_ignored(wire: str, to: str, dropped: set[str]) -> None:
    ledger = translate_text(wire, to).ledger

    assert {row.term for row in ledger if row.verdict == "dropped"} == dropped


def test_only_a_status_is_said_by_the_act_of_a_failure() -> None:
    (row,) = [row for row in translate_text("INF/ERR|g=1", "slip").ledger if row.term == "goal"]

    assert row.words == 'SLIP v3 has no equivalent of "g".'


def test_the_ledger_of_a_description_says_what_it_quotes_and_what_it_leaves_out() -> None:
    ledger = translate_text(f"{PACKET}|res:salary", "english").ledger

    assert {row.source.key: (row.verdict, row.words) for row in ledger} == {
        "task": ("approximated", "Paraphrased in the description."),
        "dom": ("approximated", "Paraphrased in the description."),
        "return": ("kept", "Quoted in the description."),
        "p": ("approximated", "Paraphrased in the description."),
        "res": ("kept", "Quoted in the description."),
        "aacp": ("dropped", "Not mentioned in the description."),
    }
    assert [row.target.value for row in ledger if row.target and row.verdict == "kept"] == [
        "the result goes to A",
        "salary",
    ]
    assert not any(row.returns for row in ledger)
