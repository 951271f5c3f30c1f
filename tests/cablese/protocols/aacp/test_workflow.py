"""Packets by rule: the specification's own examples, the same bytes every time, and a place for
each bad input.
"""

from datetime import date

import pytest

from cablese.codec import Unencodable
from cablese.protocols.aacp.authoring.workflow import Workflow, encode_hops, tell_hops
from cablese.protocols.aacp.authoring.workflows import (
    CONTRACT,
    INVOICE,
    IT_PROVISIONING,
    PAYROLL,
    WORKFLOWS,
)
from cablese.protocols.aacp.benchmark import in_brackets, make_texts
from cablese.protocols.aacp.codec import codec

EACH = pytest.mark.parametrize("workflow", WORKFLOWS.values(), ids=list(WORKFLOWS))
PRINTED = [
    pytest.param(
        PAYROLL, 0,
        (
            "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:emp_salary|period:2024-08|"
            "filter:status=active|fmt:json"
        ),
        id="fetch employees",
    ),
    pytest.param(
        PAYROLL, 2, "MERGE|HR|return:HR-Agent|p:1|aacp:1.1|rules:payroll_v2|validate:budget_cc",
        id="merge"
    ),
    pytest.param(
        CONTRACT, 1,
        "FLAG|LEGAL|return:LEG-Agent|p:1|aacp:1.1|type:NDA|party:Acme-Ltd|clause:s7|"
        "issue:ip_rights_restriction"
        "|risk:high|block:signature",
        id="flag a clause",
    ),
    pytest.param(
        IT_PROVISIONING, 0,
        (
            "BUILD|IT|return:IT-Agent|p:1|aacp:1.1|res:ad_account|filter:usr=j.smith|fields:email,"
            "dept,grp,pwd_reset"
        ),
        id="build an account",
    ),
]  # fmt: skip
FETCH_ENGLISH = (
    "Please retrieve the employee salary records for the period ending 31 August 2024. I need all "
    "active employees, "
    "their departments, cost centres, base salary, any changes made this month, and pension "
    "contribution rates. "
    "Return as JSON array."
)


@pytest.mark.requirement("AACP-16")
@pytest.mark.parametrize(("workflow", "hop", "packet"), PRINTED)
def test_the_packets_that_the_specification_prints_come_out(
    workflow: Workflow, hop: int, packet: str
) -> None:
    assert encode_hops(workflow, workflow.example)[hop] == packet


@pytest.mark.parametrize(
    ("workflow", "hops"),
    [
        pytest.param(PAYROLL, 6, marks=pytest.mark.requirement("AACP-17")),
        pytest.param(IT_PROVISIONING, 6, marks=pytest.mark.requirement("AACP-18")),
        pytest.param(INVOICE, 3, marks=pytest.mark.requirement("AACP-19")),
        pytest.param(CONTRACT, 3, marks=pytest.mark.requirement("AACP-20")),
    ],
)
def test_every_packet_of_a_workflow_is_without_error_or_warning(
    workflow: Workflow, hops: int
) -> None:
    packets = encode_hops(workflow, workflow.example)

    assert len(packets) == hops
    for packet in packets:
        message = codec.decode(packet)
        assert message.diagnostics == ()
        assert codec.canonical(message) == packet


@pytest.mark.requirement("AACP-16")
@EACH
def test_the_same_inputs_give_the_same_bytes_in_whatever_order_they_come(
    workflow: Workflow,
) -> None:
    turned = dict(reversed(workflow.example.items()))

    assert encode_hops(workflow, turned) == encode_hops(workflow, workflow.example)


@EACH
def test_each_input_is_in_a_packet_and_in_the_english(workflow: Workflow) -> None:
    needed = {name for hop in workflow.hops for name in hop.needs}
    told = " ".join(hop.english for hop in workflow.hops)

    assert needed == set(workflow.example)
    assert all(f"{{{name}}}" in told or f"{{{name}_end}}" in told for name in workflow.example)
    assert all("{" not in words for words in tell_hops(workflow, workflow.example))


def test_the_first_payroll_hop_says_in_english_what_the_specification_says() -> None:
    assert tell_hops(PAYROLL, PAYROLL.example)[0] == FETCH_ENGLISH
    assert [hop.quoted for hop in PAYROLL.hops] == [True, False, False, False, False, False]


@pytest.mark.parametrize(
    ("month", "day"),
    [
        ("2024-02", "29 February 2024"),
        ("2025-02", "28 February 2025"),
        ("2024-12", "31 December 2024"),
    ],
)
def test_a_period_ends_with_the_last_day_of_its_month(month: str, day: str) -> None:
    assert f"ending {day}." in tell_hops(PAYROLL, PAYROLL.example | {"period": month})[0]


@pytest.mark.parametrize(
    ("workflow", "change", "pointer", "words"),
    [
        (
            PAYROLL,
            {"period": "2024-13"},
            "/period",
            'Month is "2024-13". Expected a year and a month',
        ),
        (PAYROLL, {"period": "2024-08\n"}, "/period", "Expected"),
        (PAYROLL, {"period": "２０２４-08"}, "/period", "Expected"),
        (PAYROLL, {"rules": ""}, "/rules", "Rules is missing."),
        (PAYROLL, {"rules": None}, "/rules", "Rules is missing."),
        (PAYROLL, {"rules": 7}, "/rules", "Rules must be text"),
        (PAYROLL, {"rules": ["a"]}, "/rules", "Rules must be text"),
        (PAYROLL, {"rules": "a|p:1"}, "/rules", "Expected 1 to 40 letters"),
        (PAYROLL, {"rules": "x" * 41}, "/rules", "Expected 1 to 40 letters"),
        (PAYROLL, {"approver": "{period}"}, "/approver", "Expected"),
        (PAYROLL, {"a/b": "x"}, "/a~1b", 'Payroll has no input "a/b". Expected period, rules,'),
        (IT_PROVISIONING, {"start": "2024-02-30"}, "/start", "which is not a calendar date"),
        (INVOICE, {"amount": "1,250"}, "/amount", "a number with at most two decimals"),
        (INVOICE, {"currency": "gbp"}, "/currency", "three capital letters"),
        (CONTRACT, {"risk": "huge"}, "/risk", "low, medium, or high"),
    ],
)
def test_a_bad_input_is_refused_by_name(
    workflow: Workflow, change: dict[str, object], pointer: str, words: str
) -> None:
    with pytest.raises(Unencodable) as caught:
        encode_hops(workflow, workflow.example | change)

    assert caught.value.pointer == pointer
    assert words in caught.value.reason


def test_the_day_of_today_is_a_day() -> None:
    today = date(2026, 11, 21).isoformat()

    assert (
        f"period:{today}"
        in encode_hops(IT_PROVISIONING, IT_PROVISIONING.example | {"start": today})[3]
    )


@pytest.mark.requirement("AACP-36")
def test_the_benchmark_takes_the_first_four_hops_of_payroll() -> None:
    texts = make_texts()

    assert [text.claim.hop for text in texts] == [
        "fetch employees", "fetch budgets", "merge and calculate", "generate report",
    ]  # fmt: skip
    assert [text.packet for text in texts] == list(encode_hops(PAYROLL, PAYROLL.example)[:4])
    assert [text.quoted for text in texts] == [True, False, False, False]
    assert [text.printed for text in texts] == [True, False, True, False]
    assert texts[0].english == FETCH_ENGLISH


def test_the_bracket_format_is_the_same_packet() -> None:
    assert in_brackets("MERGE|HR|return:HR-Agent|p:1|aacp:1.1") == (
        "[TASK:MERGE][DOM:HR][RETURN:HR-Agent][P:1][AACP:1.1]"
    )
