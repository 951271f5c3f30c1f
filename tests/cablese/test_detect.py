"""Which protocol claims which text, how surely, and why."""

import pytest

from cablese import detection, registry
from tests.cablese.hostile import wires

EXAMPLES = [
    ("nslip", "REQ/TSK|g=42,t=1,p=2,@=auth_refactor"),
    (
        "aacp",
        (
            "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:emp_salary|\nperiod:2024-08|"
            "filter:status=active|fmt:json"
        ),
    ),
    ("tline", "T|17|Q|obj=test_scope;ctx=api_auth"),
    ("slip", "SLIP v3 planner exec Request Plan auth"),
]


@pytest.mark.parametrize(("name", "wire"), EXAMPLES)
def test_a_source_s_own_example_is_certain_and_nobody_else_s(name: str, wire: str) -> None:
    (guess,) = detection.rank(wire)
    assert (guess.protocol, guess.score) == (name, detection.CERTAIN)
    assert guess.reasons


@pytest.mark.parametrize("name", registry.get_names())
def test_no_other_protocol_claims_its_messages(name: str) -> None:
    foreign = {
        (wire, guess.protocol, guess.score)
        for wire in wires(name)
        for guess in detection.rank(wire)
        if guess.protocol != name and guess.score > 0.3
    }
    assert all(registry.get(protocol).decode(wire).valid for wire, protocol, _ in foreign), foreign


@pytest.mark.parametrize(
    ("wire", "ranked"),
    [
        ("RJE/PLN|g=42,t=1,!=scope_too_large", ["nslip"]),
        ("req/tsk|g=42", ["nslip"]),
        ("REQ/|g=1", ["nslip"]),
        ("fetch|hr|return:A|p:1|aacp:1.1", ["aacp"]),
        ("AUDIT|OPS|return:A|p:1|aacp:1.1", ["aacp"]),
        ("17|Q|obj=a", ["tline"]),
        ("X|17|Q|obj=a", ["tline"]),
        ("t|17|q|obj=a", ["tline"]),
        ("SLIP v2 a b Ask Help", ["slip"]),
        ("slip v3 a b ask Help", ["slip"]),
        ("FETCH|17|Q|obj=a", ["tline", "aacp"]),
        ("Please review the plan and/or the budget | thanks", []),
        ("", []),
    ],
)
def test_broken_messages_are_claimed_less_surely(wire: str, ranked: list[str]) -> None:
    guesses = detection.rank(wire)
    assert [guess.protocol for guess in guesses] == ranked
    assert all(0.25 <= guess.score < detection.CERTAIN for guess in guesses)
    assert detection.first(wire) == (ranked[0] if ranked else None)


def test_the_reasons_are_given_in_words() -> None:
    (guess,) = detection.rank("RJE/PLN|g=42")
    assert guess.reasons == (
        "starts with two codes separated by /, then |",
        "one is valid in nSLIP",
        "then an nSLIP slot",
    )


def test_a_text_that_nobody_claims_is_kept_whole_and_invalid() -> None:
    message = detection.decode("Dear all, thanks.")
    assert (message.protocol, message.dialect, message.values) == ("unknown", "unknown", {})
    assert [diagnostic.code for diagnostic in message.diagnostics] == ["unknown.protocol"]
    assert [field.value for field in message.fields] == ["Dear all, thanks."]
    assert not message.valid


def test_a_named_protocol_is_taken_whatever_the_text_looks_like() -> None:
    message = detection.decode("REQ/TSK|g=42", "tline")
    assert message.protocol == "tline"
    assert not message.valid
    with pytest.raises(registry.UnknownProtocol, match="morse"):
        detection.decode("REQ/TSK|g=42", "morse")
