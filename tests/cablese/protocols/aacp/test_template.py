"""Instructions and packets with slots: what fits, what is refused, and that no value leaves its
field.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cablese.protocols.aacp.authoring.template import (
    SLOTS,
    BadTemplate,
    answer,
    match,
    parse,
    propose,
)
from cablese.protocols.aacp.codec import codec

ENGLISH = "Fetch the salary of employee {employee:number} for {period:date}."
PACKET = (
    "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:salary|filter:emp={employee}|period:{period:lower}"
)
HEAD = "SEND|IT|return:A|p:1|aacp:1.1"


@pytest.mark.requirement("AACP-23")
@pytest.mark.parametrize(
    ("english", "values"),
    [
        ("Fetch the salary of employee 4711 for March.", {"employee": "4711", "period": "March"}),
        (
            "  Fetch the\tsalary of employee 1 for\n14 March 2025. ",
            {"employee": "1", "period": "14 March 2025"},
        ),
        (
            "Fetch the salary of employee 1 for 2025-02-28.",
            {"employee": "1", "period": "2025-02-28"},
        ),
        ("Fetch the salary of employee 1 for 2025-02-30.", None),
        ("Fetch the salary of employee 1 for 31 February.", None),
        ("Fetch the salary of employee Ann for March.", None),
        ("Fetch the salary of employee 1|p:1 for March.", None),
        ("Fetch the salary of employee ٤ for March.", None),
        ("fetch the salary of employee 1 for March.", None),
        ("Fetch the salary of employee 1 for March. And more.", None),
        ("Fetch the salary of employee 1 for March", None),
        ("Fetch the salary of employee  for March.", None),
        ("Fetch the salary of employee 123456789012345678901 for March.", None),
        ("", None),
    ],
)
def test_an_instruction_fits_when_only_its_slots_differ(
    english: str, values: dict[str, str] | None
) -> None:
    assert match(parse(ENGLISH, PACKET), english) == values


@pytest.mark.parametrize(
    ("english", "values"),
    [
        ("Send the letter to Ann now", {"what": "the letter", "who": "Ann"}),
        ("Send a letter to Ann to Bob now", None),
        ("Send " + "x" * 40 + " to Ann now", {"what": "x" * 40, "who": "Ann"}),
        ("Send " + "x" * 41 + " to Ann now", None),
    ],
)
def test_an_instruction_that_fits_in_two_ways_does_not_match(
    english: str, values: dict[str, str] | None
) -> None:
    template = parse("Send {what:text 40} to {who:text} now", f"{HEAD}|subj:{{what}}|to:{{who}}")

    assert match(template, english) == values


def test_hostile_instructions_are_decided_in_few_steps() -> None:
    slots = " a ".join(f"{{s{n}:text 200}}" for n in range(SLOTS))
    fields = ",".join(f"{{s{n}}}" for n in range(SLOTS))
    template = parse(f"Do this {slots} end", f"{HEAD}|subj:{fields}")

    assert match(template, "Do this " + "a " * 1900) is None
    assert match(template, "Do this " + "a " * 1900 + "end") is None


@given(
    st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=30),
    st.sampled_from(["", ":snake"]),
)
def test_no_value_leaves_its_field(value: str, case: str) -> None:
    template = parse("Send {what:text} at once", f"{HEAD}|subj:re {{what{case}}}|fmt:json")

    packet = answer(template, f"Send {value} at once")

    assert packet is not None
    values = codec.decode(packet).values
    assert list(values) == ["task", "dom", "return", "p", "aacp", "subj", "fmt"]
    assert values["subj"] == "re " + (value.lower() if case else value)


def test_the_cases_of_a_slot() -> None:
    template = parse(
        "Plan {month:date} in full",
        f"{HEAD}|subj:{{month}}|period:{{month:snake}}|to:{{month:upper}}",
    )

    assert (
        answer(template, "Plan March 2025 in full")
        == f"{HEAD}|subj:March 2025|period:march_2025|to:MARCH 2025"
    )


def test_braces_that_are_no_slots_are_written_twice() -> None:
    template = parse("Send {{a}} to {who}", f"{HEAD}|subj:{{{{a}}}}|to:{{who}}")

    assert answer(template, "Send {a} to Ann") == f"{HEAD}|subj:{{a}}|to:Ann"


@pytest.mark.parametrize(
    ("english", "packet", "field", "reason"),
    [
        ("Send it now", f"{HEAD}|subj:it", "english", "Expected a slot"),
        ("Send {a} and {a}", f"{HEAD}|subj:{{a}}", "english", "Duplicate slot"),
        ("Send {a} to {b}", f"{HEAD}|subj:{{a}}", "packet", "does not use the slot {b}"),
        ("Send {a} to me", f"{HEAD}|subj:{{a}}{{b}}", "packet", "has no slot {b}"),
        ("Send it {a}{b} now", f"{HEAD}|subj:{{a}}{{b}}", "english", "between two slots"),
        ("{a}", f"{HEAD}|subj:{{a}}", "english", "2 words"),
        ("Send it {a:colour}", f"{HEAD}|subj:{{a}}", "english", "Unknown slot type"),
        ("Send it {a:word 5}", f"{HEAD}|subj:{{a}}", "english", "Only text has a length"),
        ("Send it {a:text 999}", f"{HEAD}|subj:{{a}}", "english", "Only text has a length"),
        ("Send it {a:text ²}", f"{HEAD}|subj:{{a}}", "english", "Only text has a length"),
        ("Send it {A}", f"{HEAD}|subj:{{A}}", "english", "Invalid slot name"),
        ("Send it {", f"{HEAD}|subj:x", "english", "Unmatched"),
        ("Send it {a}", f"{HEAD}|subj:{{a:title}}", "packet", "Unknown case"),
        ("Send it {a}", f"{HEAD}|subj:}}", "packet", "Unmatched"),
        (
            "Send it {a}",
            "SEND|IT|return:{a}|p:1|aacp:1.1|subj:{a}",
            "packet",
            "return cannot contain slots",
        ),
        (
            "Send it {a}",
            "SEND|IT|return:A|p:1|subj:{a}",
            "packet",
            "Invalid packet for a rule",
        ),
        ("Send it {a}", f"{HEAD}|colour:{{a}}", "packet", "Invalid packet for a rule"),
        (" ".join(f"{{s{n}}} x" for n in range(9)), f"{HEAD}|subj:x", "english", "limit is 8"),
    ],
)
def test_what_is_no_template_is_said(english: str, packet: str, field: str, reason: str) -> None:
    with pytest.raises(BadTemplate) as caught:
        parse(english, packet)

    assert caught.value.field == field
    assert reason in caught.value.reason


@pytest.mark.requirement("AACP-23")
@pytest.mark.parametrize(
    ("english", "packet", "slots", "written"),
    [
        (
            "Fetch the  salary of employee 4711 for March.",
            "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:salary|filter:emp=4711|period:march",
            "Fetch the salary of employee {emp:number} for {period:date}.",
            (
                "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:salary|filter:emp={emp}|"
                "period:{period:lower}"
            ),
        ),
        ("Send 1 and 1 to IT", f"{HEAD}|subj:1", "Send 1 and 1 to IT", f"{HEAD}|subj:1"),
        ("Pay 1.5 to IT", f"{HEAD}|subj:1x5", "Pay 1.5 to IT", f"{HEAD}|subj:1x5"),
        (
            "Send {x} to Ann",
            f"{HEAD}|subj:{{x}}|to:Ann",
            "Send {{x}} to {to:word}",
            f"{HEAD}|subj:{{{{x}}}}|to:{{to}}",
        ),
        (
            "Pay 5 to Acme, then 7 to Initech",
            f"{HEAD}|subj:5,7|to:acme_x,Initech",
            "Pay {subj:number} to Acme, then {subj_2:number} to {to:word}",
            f"{HEAD}|subj:{{subj}},{{subj_2}}|to:acme_x,{{to}}",
        ),
    ],
)
def test_what_instruction_and_packet_share_is_proposed(
    english: str, packet: str, slots: str, written: str
) -> None:
    assert propose(english, packet) == (slots, written)


def test_a_proposal_gives_the_packet_that_it_was_made_from() -> None:
    english = "Fetch the salary of employee 4711 for March."
    packet = "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:salary|filter:emp=4711|period:march"

    assert answer(parse(*propose(english, packet)), english) == packet
