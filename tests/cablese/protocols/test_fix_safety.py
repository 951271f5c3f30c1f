"""Each place that makes a fix says whether it is safe: Cablese applies a safe one without asking.

More of them, with the guesses among several words, are in `tests/cablese/test_fixes.py`.
"""

import pytest

from cablese import registry

PLAN = '"plan":[["run","T",{}]]'
STEP = '{"id":"s1","verb":"run","tool":"T","params":{}}'
LATER = (
    '{"proto_ver":"1.0.0","msg_id":"m1","ts":"2026-05-09T00:00:00Z","sender":"INTERFACE",'
    f'"g":"A","plan":[{STEP}],"state":"PENDING"}}'
)
TEXT = '{"Format":"text","Subformat":"English","Content":"Hello"}'
HEAD = "FETCH|HR|return:A|p:1|aacp"
SAFE, UNSAFE = True, False

FIXES = [
    # protocol, code, message, what is replaced, by what
    ("aacp", "unknown-priority", "FETCH|HR|return:A|p:02|aacp:1.1", "02", "2", SAFE),
    ("aacp", "other-version", f"{HEAD}:v1.1", "v1.1", "1.1", SAFE),
    ("aacp", "missing-task", "task:FETCH|HR|return:A|p:1|aacp:1.1", "task:", "", SAFE),
    ("aacp", "missing-dom", "FETCH|dom:HR|return:A|p:1|aacp:1.1", "dom:", "", SAFE),
    # Nothing says that the word is a task.
    ("aacp", "missing-task", "task:FROB|HR|return:A|p:1|aacp:1.1", "task:", "", UNSAFE),
    ("nlip", "null", f'{TEXT[:-1]},"label":null}}', ',"label":null', "", SAFE),
    ("nlip", "null", f'{{"label":null,{TEXT[1:]}', '"label":null,', "", SAFE),
    ("nlip", "control-field", f'{{"control":true,{TEXT[1:]}', '"control":true',
     '"MessageType":"control"', SAFE),
    ("nlip", "unknown-subformat", '{"Format":"error","Subformat":"txet","Content":"No."}',
     "txet", "text", SAFE),
    ("nlip", "unknown-subformat", '{"Format":"error","Subformat":"txt","Content":"No."}',
     "txt", "text", UNSAFE),
    ("nslip", "extra-bar", "REQ/TSK||g=1", "||", "|", SAFE),
    ("nslip", "blank", "REQ/TSK|g= 42", " ", "", SAFE),
    # A guess fits where its value does.
    ("nslip", "unknown-slot", "REQ/TSK|priority=1", "priority", "p", UNSAFE),
    ("nslip", "unknown-slot", "REQ/TSK|priority=3", "priority", "p", UNSAFE),
    ("nslip", "unknown-slot", "REQ/TSK|goal=1234567890123456", "goal", "g", UNSAFE),
    # It may have been cut off there.
    ("nslip", "extra-bar", "QRY/TSK||", "||", "|", UNSAFE),
    ("slip", "bad-prefix", "slip v3 a b Ask Help", "slip", "SLIP", SAFE),
    ("slip", "blank", "SLIP v3 a  b Ask Help", "  ", " ", SAFE),
    ("slip", "unsupported-version", "SLIP V3 a b Ask Help", "V3", "v3", SAFE),
    ("slip", "unsupported-version", "SLIP 3 a b Ask Help", "3", "v3", UNSAFE),
    ("tline", "missing-t", "t|1|A|res=a", "t", "T", SAFE),
    ("tline", "needless-code", "T|1|A|res=%41", "%41", "A", SAFE),
    ("tline", "unencoded", "T|1 |A|res=a", " ", "", SAFE),
    ("tline", "extra-bar", "T|1|Q||obj=a", "||", "|", SAFE),
    ("tline", "extra-bar", "T|1|Q||", "||", "|", UNSAFE),
    ("sacp", "bad-step", '{"g":"A","plan":[{"verb":"run","tool":"T","params":{"a":1}}]}',
     '{"verb":"run","tool":"T","params":{"a":1}}', '["run","T",{"a":1}]', SAFE),
    # What it lacks is invented.
    ("sacp", "bad-step", '{"g":"A","plan":[{"verb":"run","tool":"T"}]}',
     '{"verb":"run","tool":"T"}', '["run","T",{}]', UNSAFE),
    ("sacp", "bad-test-mode", f'{{"g":"A",{PLAN},"test_mode":"true"}}', '"true"', "true", SAFE),
    ("sacp", "bad-test-mode", f'{LATER[:-1]},"test_mode":"true"}}', '"true"', "true", SAFE),
    ("sacp", "bad-params", LATER.replace("{}", "[]"), "[]", "{}", UNSAFE),
    ("sacp", "unknown-key", LATER.replace("sender", "Sender"), "Sender", "sender", SAFE),
    ("sacp", "unknown-key", LATER.replace("msg_id", "msg-id"), "msg-id", "msg_id", SAFE),
    ("sacp", "unknown-key", LATER.replace("msg_id", "msg id"), "msg id", "msg_id", SAFE),
    ("sacp", "unknown-key", LATER.replace("sender", "senderr"), "senderr", "sender", UNSAFE),
    ("sacp", "bad-policy", LATER.replace("{}", '{},"timeout_ms":"8000"'), '"8000"', "8000", SAFE),
    ("sacp", "bad-state", LATER.replace("PENDING", "pending"), "pending", "PENDING", SAFE),
    ("sacp", "bad-state", LATER.replace("PENDING", "in-progress"), "in-progress", "IN_PROGRESS",
     SAFE),
    ("sacp", "bad-state", LATER.replace("PENDING", "PENING"), "PENING", "PENDING", UNSAFE),
    ("sacp", "bad-step",
     LATER.replace(STEP, f"{STEP},{STEP[:-1].replace('s1', 's2')},\"depends_on\":\"s1\"}}"),
     '"depends_on":"s1"', '"depends_on":["s1"]', SAFE),
    ("sacp", "syntax", f'\u200b{{"g":"A",{PLAN}}}', "\u200b", "", SAFE),
    ("sacp", "repeated-key", f'{{"g":"A","g":"A",{PLAN}}}', ',"g":"A"', "", SAFE),
    ("sacp", "syntax", f'{{"g""A",{PLAN}}}', '""', '":"', SAFE),
    ("sacp", "syntax", f'{{g:"A",{PLAN}}}', "g", '"g"', SAFE),
    # The word may be a value that has lost its key.
    ("sacp", "syntax", f'{{g "A",{PLAN}}}', "g", '"g"', UNSAFE),
    ("sacp", "syntax", f'{{"g"::"A",{PLAN}}}', "::", ":", SAFE),
    ("sacp", "syntax", f'{{"g":"A",,{PLAN}}}', ",,", ",", SAFE),
    ("sacp", "syntax", '{"g":"A","plan":[["run","T",{"n":None}]]}', "None", "null", SAFE),
    ("sacp", "syntax", '{"g":"A","plan":[["run","T",{"n":undefined}]]}', "undefined", "null",
     UNSAFE),
    ("sacp", "syntax", '{"g":"A","plan":[["run","T",{"n":"a\tb"}]]}', "\t", "\\t", SAFE),
    ("sacp", "syntax", '{"g":"A","plan":[["run","T",{"n":"a\nb"}]]}', "\n", "\\n", UNSAFE),
]  # fmt: skip


@pytest.mark.parametrize(("name", "code", "wire", "old", "new", "safe"), FIXES)
def test_a_fix_is_safe_where_the_sender_can_have_meant_nothing_else(
    name: str, code: str, wire: str, old: str, new: str, *, safe: bool
) -> None:
    found = next(
        diagnostic
        for diagnostic in registry.get(name).decode(wire).diagnostics
        if diagnostic.code == f"{name}.{code}"
    )

    assert found.fix is not None
    start, end = found.fix.span
    assert wire[:start] + found.fix.text + wire[end:] == wire.replace(old, new, 1)
    assert found.fix.safe is safe


@pytest.mark.parametrize(
    ("name", "code", "wire"),
    [
        ("aacp", "other-version", f"{HEAD}:1.2"),
        ("nslip", "unknown-slot", "REQ/TSK|priority=0"),
        ("nslip", "unknown-slot", "REQ/TSK|priority=4"),
        ("nslip", "unknown-slot", "REQ/TSK|goal=9007199254740992"),
        # The code next to a percent sign may be the rest of another one.
        ("tline", "needless-code", "T|1|A|res=%41%;next=b"),
        ("sacp", "repeated-key", f'{{"g":"A","g":"B",{PLAN}}}'),
        ("sacp", "syntax", f'x{{"g":"A",{PLAN}}}'),
        ("sacp", "bad-step", LATER.replace("{}", '{},"depends_on":"s1"')),
    ],
)
def test_there_is_no_fix_where_any_would_be_a_guess(name: str, code: str, wire: str) -> None:
    fixes = [
        diagnostic.fix
        for diagnostic in registry.get(name).decode(wire).diagnostics
        if diagnostic.code == f"{name}.{code}"
    ]

    assert fixes == [None]
