"""Every case of every vector file. A case says what a wire means, or exactly which diagnostics it
gets.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cablese import registry
from cablese.codec import Codec
from cablese.message import Diagnostic
from cablese.transcript import hint

VECTORS = Path(__file__).parents[2] / "vectors"


def _cases(name: str) -> list[dict[str, Any]]:
    return [
        json.loads(line)
        for line in (VECTORS / f"{name}.jsonl").read_text("utf-8").split("\n")
        if line
    ]


CASES = [
    pytest.param(name, case, id=f"{name}: {case['name']}")
    for name in registry.get_names()
    for case in _cases(name)
]


@pytest.mark.parametrize(("name", "case"), CASES)
def test_decodes_as_the_vector_says(name: str, case: dict[str, Any]) -> None:
    codec = registry.get(name)
    message = codec.decode(case["wire"], dialect=case.get("dialect"))

    assert [diagnostic.code for diagnostic in message.diagnostics] == case["codes"]
    assert message.valid is case["valid"]
    if "values" in case:
        assert message.values == case["values"]
    for key, expected in case.get("meaning", {}).items():
        assert json.loads(msgspec.json.encode(codec.meaning(message))).get(key) == expected
    if "plain" in case:
        assert codec.plain(message) == case["plain"]
    if "english" in case:
        assert "".join(piece.text for piece in codec.describe(message)) == case["english"]
    expected = case.get("canonical", case["wire"]) if case["valid"] else None
    assert codec.canonical(message) == expected


@pytest.mark.parametrize(("name", "case"), CASES)
def test_a_valid_message_is_not_passed_over_in_a_log(name: str, case: dict[str, Any]) -> None:
    assert hint.may_hold(case["wire"]) or not case["valid"]


@pytest.mark.parametrize(("name", "case"), CASES)
def test_a_fix_removes_its_diagnostic_and_brings_no_error(name: str, case: dict[str, Any]) -> None:
    codec = registry.get(name)
    wire = case["wire"]
    before = codec.decode(wire, dialect=case.get("dialect")).diagnostics
    for found in before:
        if found.fix is None:
            continue
        (start, end), text = found.fix.span, found.fix.text
        after = codec.decode(
            wire[:start] + text + wire[end:], dialect=case.get("dialect")
        ).diagnostics
        assert (
            Counter(one.code for one in after)[found.code]
            < Counter(one.code for one in before)[found.code]
        ), found
        assert _errors(after) <= _errors(before), found


def _errors(found: tuple[Diagnostic, ...]) -> set[str]:
    return {one.code for one in found if one.severity == "error"}


@pytest.mark.parametrize("codec", registry.all_codecs(), ids=registry.get_names())
def test_the_vectors_are_many_and_half_of_them_are_spoilt(codec: Codec) -> None:
    cases = _cases(codec.name)
    assert len(cases) >= 60
    assert len({case["name"] for case in cases}) == len(cases)
    assert sum(bool(case["codes"]) for case in cases) >= len(cases) / 2
    assert all(case["requirement"] and case["source"] for case in cases)


@pytest.mark.parametrize("codec", registry.all_codecs(), ids=registry.get_names())
def test_every_rule_has_a_vector_that_shows_it(codec: Codec) -> None:
    shown = {code for case in _cases(codec.name) for code in case["codes"]}
    assert {rule.code for rule in codec.rules} <= shown
    known = {rule.code for rule in (*codec.rules, *codec.common_rules)}
    assert shown <= known


@pytest.mark.parametrize("codec", registry.all_codecs(), ids=registry.get_names())
def test_a_message_over_its_size_is_kept_whole_and_not_read(codec: Codec) -> None:
    wire = "x" * (codec.limit + 1)
    message = codec.decode(wire)
    assert [diagnostic.code for diagnostic in message.diagnostics] == [codec.too_large.code]
    assert message.values == {}
    assert [field.value for field in message.fields] == [wire]


@pytest.mark.parametrize("codec", registry.all_codecs(), ids=registry.get_names())
@pytest.mark.parametrize("wire", ["", " ", "\r\n", "\t \n"])
def test_empty_text_is_an_invalid_message_with_one_error(codec: Codec, wire: str) -> None:
    message = codec.decode(wire)
    assert [diagnostic.code for diagnostic in message.diagnostics] == [codec.empty.code]
    assert not message.valid
