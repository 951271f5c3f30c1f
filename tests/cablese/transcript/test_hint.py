"""Quick hints that a text holds a message."""

import pytest

from cablese.transcript import hint


@pytest.mark.parametrize("name", hint.NAMES)
@pytest.mark.parametrize(
    "written",
    ['{"%s": 1}', "{%s: 1}", "{'%s' : 1}", '{\\"%s\\":1}', "{&quot;%s&quot;:1}", "{“%s”:1}"],
)
@pytest.mark.parametrize("case", [str.lower, str.upper, str.title])
def test_a_key_of_a_message_is_seen_however_it_is_written(
    name: str, written: str, case: type[str]
) -> None:
    assert hint.may_hold(written % case(name))


@pytest.mark.parametrize(
    "text",
    [
        "SLIP v3 a b Ask Status",
        "sLiP",
        "V3 a b",
        "REQ/TSK",
        "req/tsk g",
        "a|b",
        "&QUOT;g",
        "\\U007C",
    ],
)
def test_every_line_protocol_is_seen(text: str) -> None:
    assert hint.may_hold(text)


@pytest.mark.parametrize(
    "text", ["", "plain words", "REQ/TASK", "a/b", '{"plans": 1, "agg": 2}', "v-3", "REQUEST/TSKS"]
)
def test_other_text_is_passed(text: str) -> None:
    assert not hint.may_hold(text)
