"""Who may answer in prose."""

import pytest

from cablese.message import Message
from cablese.protocols.sacp.agents import (
    registry,
)
from cablese.protocols.sacp.codec import codec
from cablese.protocols.sacp.tasks import output_rules
from tests.cablese.protocols.sacp.source import HOTEL, read


@pytest.mark.requirement("SACP-16")
@pytest.mark.parametrize(
    ("text", "role", "out_fmt", "code"),
    [
        ("Five hotels are free.", "Executor", "raw", "MALFORMED_MESSAGE"),
        ("Five hotels are free.", "Planner", "summary", "MALFORMED_MESSAGE"),
        ("Five hotels are free.", "Executor", "human", None),
        ("Five hotels are free.", "Formatter", "raw", None),
        ("Five hotels are free.", "Interface", "raw", None),
        ('{"g":"A","plan":[["s","H_API",{}]],"state":"DONE"}', "Executor", "raw", None),
        ('{"g":"A","plan":[],"state":"DONE"}', "Executor", "raw", "MALFORMED_PLAN"),
        ('{"g":"A","plan":[["s","H_API",[5]]]}', "Executor", "raw", "BAD_PARAM"),
    ],
)
def test_prose_comes_only_from_those_who_may(
    text: str, role: registry.Role, out_fmt: str, code: str | None
) -> None:
    reply = (
        codec.decode(text)
        if text.startswith("{")
        else Message("unknown", "", text, {}, (), lambda _: ())
    )

    violation = output_rules.judge(reply, role=role, asked=read(HOTEL[0], out_fmt=out_fmt))

    assert (violation.answer["code"] if violation else None) == code


@pytest.mark.requirement("SACP-16")
def test_without_a_request_raw_is_assumed() -> None:
    assert output_rules.judge(
        Message("unknown", "", "Hello", {}, (), lambda _: ()), role="Executor"
    )
