"""What the vectors cannot say of SACP: the texts of fixes, places, words, answers, and what cannot
be written.
"""

from typing import Any

import pytest

from cablese.codec import Unencodable
from cablese.message import Message
from cablese.protocols.nslip.codec import codec as nslip
from cablese.protocols.sacp.agents.answer import answer
from cablese.protocols.sacp.codec import codec

STEP = '["run","T",{}]'
HOTEL = (
    '{"msg_id":"abc123","g":"FIND_HOTEL","ctx":{"loc":"Paris","am":["wifi","bf"]},'
    '"plan":[["s","H_API",{"c":"Paris","p_max":150}],["r","RANK",{"c":["p","rt"]}]],'
    '"out_fmt":"human"}'
)


def _fixed(wire: str) -> str:
    """The wire after the first fix."""
    fix = next(diagnostic.fix for diagnostic in codec.decode(wire).diagnostics if diagnostic.fix)
    return wire[: fix.span.start] + fix.text + wire[fix.span.end :]


def _words(message: Message) -> str:
    return "".join(piece.text for piece in codec.describe(message))


@pytest.mark.parametrize(
    ("wire", "fixed"),
    [
        ('{"g":"A","plan":[["run","T"]]}', '{"g":"A","plan":[["run","T",{}]]}'),
        ('{"g":"A","plan":["run","T",{}]}', '{"g":"A","plan":[["run","T",{}]]}'),
        ('{"g":"A","plan":[{"verb":"run","tool":"T"}]}', '{"g":"A","plan":[["run","T",{}]]}'),
        ('{"g":"A","plan":[["run","T",null]]}', '{"g":"A","plan":[["run","T",{}]]}'),
        (f'{{"g":"A","plan":[{STEP}],"out_fmt":"Human"}}',
         f'{{"g":"A","plan":[{STEP}],"out_fmt":"human"}}'),
        (f'{{"g":"A","plan":[{STEP}],"state":"in-progress"}}',
         f'{{"g":"A","plan":[{STEP}],"state":"IN_PROGRESS"}}'),
        (f'{{"g":"A","plan":[{STEP}],"msg_id":17}}', f'{{"g":"A","plan":[{STEP}],"msg_id":"17"}}'),
        (f'{{"g":"A","plan":[{STEP}],"test_mode":"True"}}',
         f'{{"g":"A","plan":[{STEP}],"test_mode":true}}'),
        (f'{{"goal":"A","plan":[{STEP}]}}', f'{{"g":"A","plan":[{STEP}]}}'),
        (f'{{"g":"A","plan":[{STEP}],"message_id":"a"}}',
         f'{{"g":"A","plan":[{STEP}],"msg_id":"a"}}'),
        ('{"status":"Valid"}', '{"status":"VALID"}'),
    ],
)  # fmt: skip
def test_it_offers_the_fix(wire: str, fixed: str) -> None:
    assert _fixed(wire) == fixed


@pytest.mark.parametrize(
    "wire",
    [
        '{"status":"err"}',
        f'{{"goal":5,"plan":[{STEP}]}}',
        f'{{"g":"A","goal":"B","plan":[{STEP}]}}',
        f'{{"g":"A","plan":[{STEP}],"state":"CANCELLED"}}',
        '{"g":"A","plan":[["run",{}]]}',
    ],
)
def test_it_offers_no_fix_that_would_bring_another_error(wire: str) -> None:
    assert all(diagnostic.fix is None for diagnostic in codec.decode(wire).diagnostics)


def test_steps_are_counted_from_one_and_branches_named() -> None:
    wire = (
        '{"g":"A","plan":[["a","T",{}],{"parallel":[["b","T",{}],["c"]]},["join","M",{"x":null}]]}'
    )
    words = [diagnostic.message for diagnostic in codec.decode(wire).diagnostics]
    assert words[0].startswith("Step 2, branch 2: Missing tool and params;")
    assert words[1].startswith("Step 3: A param is null.")


def test_a_subtask_is_named_in_what_is_said_of_it() -> None:
    wire = f'{{"g":"A","plan":[{STEP}],"subtask":{{"g":"B","plan":[["x"]],"state":"done"}}}}'
    words = [diagnostic.message for diagnostic in codec.decode(wire).diagnostics]
    assert words[0].startswith("Subtask, step 1: ")
    assert words[1].startswith(
        'Subtask: Unknown state "done". Expected PENDING, IN_PROGRESS, DONE, or FAILED.'
    )


def test_fields_have_places_names_and_meanings() -> None:
    message = codec.decode(HOTEL)
    fields = {field.name: field for field in message.fields}
    assert HOTEL[slice(*fields["ctx.loc"].span)] == "Paris"
    assert fields["ctx.loc"].name_span is not None
    assert HOTEL[slice(*fields["ctx.loc"].name_span)] == "loc"
    assert fields["plan.0.2.p_max"].value == "150"
    labels = {
        name: fields[name].label
        for name in ("g", "ctx.loc", "ctx.am.0", "plan.0.0", "plan.0.2.c", "plan.1.2.c")
    }
    assert labels == {
        "g": "goal", "ctx.loc": "location", "ctx.am.0": "amenities 0", "plan.0.0": "verb of step 1",
        "plan.0.2.c": "city in step 1", "plan.1.2.c": "criteria in step 2",
    }  # fmt: skip


def test_a_description_points_into_the_fields() -> None:
    message = codec.decode(HOTEL)
    pointed = {piece.field: piece.text for piece in codec.describe(message) if piece.field}
    assert pointed["g"] == "find hotel"
    assert pointed["plan.0.0"] == "search"
    assert pointed["plan.1.2.c"] == "criteria = price and rating"
    assert pointed["ctx.loc"] == "location = Paris"


def test_empty_values_are_described_as_none() -> None:
    message = codec.decode('{"g":"A","plan":[["run","T",{"a":[],"b":{},"d":{"e":1,"f":2}}]]}')
    text = "".join(piece.text for piece in codec.describe(message))

    assert text == 'Asks for "A" in 1 step: run with T (a = none, b = none, d = 2 values).'


def test_a_description_of_sacp_1_points_to_its_own_names() -> None:
    message = codec.decode(
        '{"g":"A","proto_ver":"1.0.0","plan":[{"id":"a","verb":"s","tool":"H_API",'
        '"params":{"c":"Rome"}}]}'
    )
    pointed = {piece.field: piece.text for piece in codec.describe(message) if piece.field}
    labels = {field.name: field.label for field in message.fields}
    assert labels["plan.0.verb"] == "verb of step 1"
    assert labels["plan.0.params"] == "parameters of step 1"
    assert pointed["plan.0.verb"] == "search"
    assert pointed["plan.0.params.c"] == "city = Rome"


@pytest.mark.parametrize(
    ("wire", "english"),
    [
        ('{"status":"ERR","code":"MALFORMED_PLAN","details":"Which step?"}',
         "Answers a message with an error, MALFORMED_PLAN: \"Which step?\""),
        (f'{{"g":"A","ctx":{{"q":"Done."}},"plan":[{STEP}]}}',
         'Asks for "A" in 1 step: run with T. The context gives q = "Done."'),
        (f'{{"g":"A","plan":[{STEP}],"subtask":{{"g":"Find it.","plan":[{STEP}]}}}}',
         'Asks for "A" in 1 step: run with T. A subtask is inside: "Find it."'),
        ('{"g":true,"plan":[[5,"T",{}]]}', 'Asks for "true" in 1 step: "5" with T.'),
    ],
)  # fmt: skip
def test_it_describes_texts_and_other_values(wire: str, english: str) -> None:
    assert _words(codec.decode(wire)) == english


def test_it_says_what_it_found_instead() -> None:
    diagnostics = codec.decode('{"g":" ","ctx":"x","plan":"","subtask":"y"}').diagnostics
    assert [diagnostic.message for diagnostic in diagnostics] == [
        "The goal g must be non-empty text; found empty text.",
        "The context ctx must be an object; found text.",
        "The plan must be an array of steps; found empty text.",
        "Subtask: A subtask must be a SACP message; found text.",
    ]


def test_a_meaning_has_texts_only() -> None:
    wire = '{"g":5,"msg_id":true,"reply_to":[],"state":7.5,"plan":[["run",false,{}]]}'
    meaning = codec.meaning(codec.decode(wire))
    assert (meaning.goal, meaning.id, meaning.reply_to, meaning.status, meaning.object) == (
        "5", None, None, "7.5", None,
    )  # fmt: skip


def test_long_plans_are_described_in_short() -> None:
    wire = f'{{"g":"A","plan":[{",".join([STEP] * 9)}]}}'
    assert _words(codec.decode(wire)).endswith("then run with T, then 3 more.")


@pytest.mark.parametrize(
    ("wire", "expected"),
    [
        (f'{{"g":"A","plan":[{STEP}]}}', {"status": "VALID"}),
        ('{"g":"A","plan":[]}', {"status": "REQ_CLARIFY", "details": "The plan has no steps."}),
        (
            '{"plan":[]}',
            {
                "status": "ERR",
                "code": "MISSING_FIELD",
                "details": "Missing goal (key g).",
            },
        ),
        (
            f'{{"g":"A","plan":[{STEP},["analyze","SENTIMENT"]]}}',
            {
                "status": "ERR",
                "code": "MALFORMED_PLAN",
                "details": (
                    'Step 2: Missing params; expected [verb, tool, params] or {"parallel":[steps]}.'
                ),
            },
        ),
    ],
)
def test_it_answers_with_status_code_and_details(wire: str, expected: dict[str, Any]) -> None:
    assert answer(codec.decode(wire)) == expected


@pytest.mark.parametrize(
    ("wire", "code"),
    [
        ("Find me a hotel.", "MALFORMED_MESSAGE"),
        ('{"g":"A","plan":[["run","T",{}]', "MALFORMED_MESSAGE"),
        ('{"g":"A" "x":1}', "MALFORMED_MESSAGE"),
        ('{"g":"A","plan":{}}', "MALFORMED_PLAN"),
        ('{"g":"A","plan":[["run","T",[1]]]}', "BAD_PARAM"),
        (f'{{"g":"A","plan":[{STEP}],"state":"LATE"}}', "BAD_LIFECYCLE"),
        (f'{{"g":"A","plan":[{STEP}],"reply_to":7}}', "BAD_LIFECYCLE"),
        (f'{{"g":"A","plan":[{STEP}],"mood":"calm"}}', "MALFORMED_MESSAGE"),
        ("", "MALFORMED_MESSAGE"),
    ],
)
def test_it_answers_with_the_code_of_the_error(wire: str, code: str) -> None:
    reply = answer(codec.decode(wire))
    assert (reply["status"], reply["code"]) == ("ERR", code)
    assert codec.decode(codec.encode(reply)).valid


def test_it_answers_another_protocol_with_an_error() -> None:
    reply = answer(nslip.decode("REQ/TSK|g=1"))
    assert reply == {
        "status": "ERR",
        "code": "MALFORMED_MESSAGE",
        "details": "The text is not a SACP message.",
    }


@pytest.mark.parametrize(
    ("values", "pointer"),
    [
        ({"steps": [{"verb": "a", "tool": "T", "params": {}}]}, "/g"),
        ({"g": "A"}, "/steps"),
        ({"g": "A", "steps": []}, "/steps"),
        ({"g": "A", "steps": [{"verb": "", "tool": "T", "params": {}}]}, "/steps/0/verb"),
        ({"g": "A", "steps": [{"verb": "a", "tool": "T"}]}, "/steps/0/params"),
        ({"g": "A", "steps": [{"verb": "a", "tool": "T", "params": {}, "id": "s1"}]},
         "/steps/0/id"),
        ({"g": "A", "steps": [{"parallel": []}]}, "/steps/0/parallel"),
        ({"g": "A", "steps": [{"parallel": [{"verb": "a", "tool": 1, "params": {}}]}]},
         "/steps/0/parallel/0/tool"),
        ({"g": "A", "steps": [{"verb": "a", "tool": "T", "params": {"n": 2**60}}]},
         "/steps/0/params/n"),
        ({"g": "A", "steps": ["a"]}, "/steps/0"),
        ({"g": "A", "steps": [{"verb": "a", "tool": "T", "params": {}}], "state": "LATE"},
         "/state"),
        ({"g": "A", "steps": [{"verb": "a", "tool": "T", "params": {}}], "ctx": {"test_mode": 1}},
         "/ctx/test_mode"),
        ({"g": "A", "steps": [{"verb": "a", "tool": "T", "params": {}}], "mood": "calm"}, "/mood"),
        ({"g": "A", "steps": [{"verb": "a", "tool": "T", "params": {}}], "subtask": {"g": "B"}},
         "/subtask/steps"),
        ({"g": "A", "steps": [{"verb": "a", "tool": "T", "params": {}}], "a/b~c": 1}, "/a~1b~0c"),
        ({"g": "A" * 2**20, "steps": [{"verb": "a", "tool": "T", "params": {}}]}, ""),
        ({"status": "OK"}, "/status"),
        ({"status": "ERR"}, "/code"),
        ({"status": "VALID", "score": "1"}, "/score"),
    ],
)  # fmt: skip
def test_it_says_where_values_cannot_be_written(values: dict[str, Any], pointer: str) -> None:
    with pytest.raises(Unencodable) as raised:
        codec.encode(values)
    assert raised.value.pointer == pointer


def test_a_message_with_too_many_fields_ends_in_one_unreadable_field() -> None:
    wire = f'{{"g":"A","plan":[{",".join([STEP] * 400)}]}}'
    message = codec.decode(wire)
    assert [diagnostic.code for diagnostic in message.diagnostics] == ["sacp.too-many-fields"]
    assert message.fields[-1].label == "unreadable"
    assert message.fields[-1].span.end == len(wire)


def test_what_the_sender_fills_freely_is_not_counted() -> None:
    many = ",".join(f'"k{n}":{n}' for n in range(2000))
    message = codec.decode(f'{{"g":"A","ctx":{{{many}}},"plan":[["run","T",{{{many}}}]]}}')
    assert message.valid
    assert len(message.fields) > 4000


@pytest.mark.parametrize(
    ("wire", "low", "high"),
    [
        (HOTEL, 1.0, 1.0),
        ('{"status":"REQ_CLARIFY","details":"no steps"}', 0.9, 0.99),
        ("{'g':'A','plan':[['run','T',{}]]}", 0.5, 0.95),
        ('{"g":"A","plan":[["run","T",', 0.5, 0.95),
        ('{"plan":[["run","T",{}]],"out_fmt":"human"}', 0.5, 0.95),
    ],
)
def test_it_claims_its_own(wire: str, low: float, high: float) -> None:
    sniffed = codec.sniff(wire)
    assert sniffed is not None
    assert low <= sniffed.score <= high
    assert sniffed.reasons


@pytest.mark.parametrize(
    "wire",
    [
        "REQ/TSK|g=42",
        "We have a plan.",
        '{"messagetype":"text","format":"text","subformat":"english","content":"what is the plan"}',
        '{"format":"structured","subformat":"json","content":{"g":"A","plan":[["run","T",{}]]}}',
        '{"format":"structured","subformat":"json","content":{"g":"A","plan":[',
        '{"status":"ok","plan":"gold"',
        "[]",
    ],
)
def test_it_leaves_others_alone(wire: str) -> None:
    sniffed = codec.sniff(wire)
    assert sniffed is None or sniffed.score <= 0.35


@pytest.mark.parametrize(
    ("ending", "said"),
    [
        ('"state":"failed"', 'Reports with the unknown state "failed": find hotel in 1 step: '),
        ('"state":5', 'Reports with the unknown state "5": find hotel in 1 step: '),
        ('"state":"PENDING"', "Asks to find hotel in 1 step: "),
        ('"out_fmt":"pdf"', ' The answer is in the unknown format "pdf".'),
        ('"out_fmt":5', ' The answer is in the unknown format "5".'),
    ],
)
def test_a_description_says_an_unknown_state_or_format(ending: str, said: str) -> None:
    assert said in _words(codec.decode(f'{{"g":"FIND_HOTEL","plan":[{STEP}],{ending}}}'))
