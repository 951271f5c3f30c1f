"""What is called safe is safe: a safe fix never changes what the sender meant, alone or together
with others.
"""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cablese import registry
from cablese.codec import Codec
from cablese.editing.fixes import Fixer
from cablese.message import Diagnostic, Fix, Message, Span
from tests import fuzz
from tests.cablese.damage import damage
from tests.cablese.hostile import mutate, wires

VECTORS = Path(__file__).parent.parent.parent / "vectors"
CODECS = pytest.mark.parametrize("codec", registry.all_codecs(), ids=registry.get_names())
STEP = '["run","T",{}]'
TEXT = '"Format":"text","Subformat":"English","Content":"Hello"'


def _fixed(wire: str, fix: Fix) -> str:
    return wire[: fix.span.start] + fix.text + wire[fix.span.end :]


def _safe(message: Message) -> list[Diagnostic]:
    return [
        diagnostic for diagnostic in message.diagnostics if diagnostic.fix and diagnostic.fix.safe
    ]


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict | list):
        for key, below in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _leaves(below, f"{path}/{key}")
    else:
        yield path, value


def _readings(codec: Codec, message: Message) -> dict[str, Any]:
    """Everything that a message says: its values and its meaning, each under its path."""
    meaning = json.loads(msgspec.json.encode(codec.meaning(message)))
    return dict(_leaves({"values": message.values, "meaning": meaning}))


def _codes(message: Message) -> Counter[str]:
    return Counter(diagnostic.code for diagnostic in message.diagnostics)


def _errors(message: Message) -> Counter[str]:
    return Counter(
        diagnostic.code for diagnostic in message.diagnostics if diagnostic.severity == "error"
    )


def test_a_fix_is_no_safe_one_unless_its_codec_says_so() -> None:
    assert not Fix(Span(0, 1), "x").safe


GUESSES = [
    # Of REQ and REJ neither is nearer, and "!" speaks for REJ.
    ("nslip", "RE/PLN|g=1,!=too_big", "unknown-act", None, False),
    ("nslip", "RE/PLN|g=1", "unknown-act", None, False),
    ("nslip", "ACK/PLN|g=1", "unknown-act", None, False),
    ("nslip", "QRY/STA|g=1", "unknown-frame", None, False),
    ("nslip", "EVL/TST|g=1,sc=7", "unknown-frame", None, False),
    # A slot speaks for another act.
    ("nslip", "RQE/PLN|g=1,!=too_big", "unknown-act", None, False),
    ("nslip", "IFN/OBS|g=1,sc=7", "unknown-act", None, False),
    ("nslip", "RJE/PLN|g=1,!=too_big", "unknown-act", "REJ/PLN|g=1,!=too_big", True),
    ("nslip", "VEL/EVL|g=1,sc=7", "unknown-act", "EVL/EVL|g=1,sc=7", True),
    ("nslip", "req/TSK|g=1,!=late", "unknown-act", "REQ/TSK|g=1,!=late", True),
    ("nslip", "REQUEST/TSK|g=1,!=late", "unknown-act", "REQ/TSK|g=1,!=late", True),
    ("nslip", "INFO/OBS|g=1", "unknown-act", "INF/OBS|g=1", False),
    ("nslip", "REQ/TSKS|g=1", "unknown-frame", "REQ/TSK|g=1", False),
    ("nslip", "REQ/OBSERVATON|g=1", "unknown-frame", "REQ/OBS|g=1", False),
    ("nslip", "REQ/TSKg=1", "unknown-frame", None, False),
    # A code in the name of a slot, which the fix for its | would make.
    ("nslip", "REQ/TSK|g%7C=4", "unknown-slot", None, False),
    ("nslip", "REQ/TSK|goal=4", "unknown-slot", "REQ/TSK|g=4", False),
    ("nslip", "REQ/TSK|goal=x", "unknown-slot", None, False),
    ("nslip", "REQ/TSK|goal=4,g=5", "unknown-slot", None, False),
    ("nslip", "REQ/TSK|goal=4,gaol=5", "unknown-slot", None, False),
    ("nslip", "REQ/TSK|priority=4", "unknown-slot", None, False),
    ("nslip", "REQ/TSK|g|=4", "extra-bar", None, False),
    ("nslip", "REQ/TSK|g=1|t=2", "extra-bar", "REQ/TSK|g=1,t=2", True),
    ("nslip", "REQ/TSK|@=a|t=2", "extra-bar", "REQ/TSK|@=a,t=2", False),
    ("nslip", "REQ/TSK|@=a|b", "extra-bar", "REQ/TSK|@=a%7Cb", False),
    # Another message begins before the bar.
    ("nslip", 'ACC/PLN|g=7,t=3) and "INF/OBS|g=7,s=done', "extra-bar", None, False),
    ("nslip", "REQ/TSK|g=1 ACC/PLN|t=2", "extra-bar", None, False),
    ("nslip", "REQ/TSK|g=1 ACC/PLM|t=2", "extra-bar", "REQ/TSK|g=1 ACC/PLM,t=2", True),
    ("nslip", "REQ/TSK|g=1,g=2", "repeated-slot", None, False),
    ("nslip", "REQ/TSK|g=007", "leading-zero", "REQ/TSK|g=7", True),
    # What ends with a separator may have been cut off there.
    ("nslip", "REQ/TSK|g=1,", "slot-without-equals", "REQ/TSK|g=1", False),
    ("nslip", "REQ/TSK|g=1|", "extra-bar", "REQ/TSK|g=1", False),
    ("nslip", "REQ/TSK", "missing-bar", "REQ/TSK|", False),
    ("nslip", "REQ/TSK|g=1,,t=2", "slot-without-equals", "REQ/TSK|g=1,t=2", True),
    ("nslip", "REQ/TSK g=1", "missing-bar", "REQ/TSK|g=1", True),
    ("nslip", "REQTSK|g=1", "missing-slash", "REQ/TSK|g=1", True),
    # The agent is planner or v3planner.
    ("slip", "SLIP v3planner exec Request Plan", "missing-part", None, False),
    ("slip", "SLIP 3planner exec Request Plan", "missing-part", None, False),
    ("slip", "SLIPv2 a b Ask Help", "missing-part", None, False),
    ("slip", "SLIP a b Ask Help", "missing-part", "SLIP v3 a b Ask Help", False),
    ("slip", "v3 a b Ask Help", "bad-prefix", "SLIP v3 a b Ask Help", False),
    ("slip", "SLIPv3 a b Ask Help", "bad-prefix", "SLIP v3 a b Ask Help", True),
    ("slip", "SLIP v3 a b AskHelp", "joined", "SLIP v3 a b Ask Help", True),
    ("slip", "SLIP v1 a b AskHelp", "joined", "SLIP v1 a b Ask Help", False),
    ("slip", "SLIP v3 a b ask Help", "unknown-force", "SLIP v3 a b Ask Help", True),
    ("slip", "SLIP v3 a bObserve error", "unknown-force", "SLIP v3 a bObserve Error", False),
    ("slip", "SLIP v3 a b fallback Generic ref1", "unknown-force",
     "SLIP v3 a b Fallback Generic ref1", False),
    ("slip", "SLIP v3 a b Aks Help", "unknown-force", "SLIP v3 a b Ask Help", True),
    ("slip", "SLIP v3 a b Reqest Help", "unknown-force", "SLIP v3 a b Request Help", False),
    ("slip", "SLIP v3 a b Eject Help", "unknown-force", "SLIP v3 a b Reject Help", False),
    # Everybody may add keys and domains.
    ("aacp", "FETCH|HR|return:A|p:1|aacp:1.1|perod:x", "unknown-key",
     "FETCH|HR|return:A|p:1|aacp:1.1|period:x", False),
    ("aacp", "FETCH|HR|return:A|p:1|aacp:1.1|peroid:x", "unknown-key",
     "FETCH|HR|return:A|p:1|aacp:1.1|period:x", False),
    ("aacp", "FETCH|HR|return:A|p:1|aacp:1.1|zone:x", "unknown-key", None, False),
    ("aacp", "FETCH|HR|retrun:A|retur:B|p:1|aacp:1.1", "unknown-key", None, False),
    ("aacp", "FETCH|HR|return:A|priority:1|aacp:1.1", "missing-priority", None, False),
    ("aacp", "FETCH|HR|return:A|priority:1|aacp:1.1", "unknown-key",
     "FETCH|HR|return:A|p:1|aacp:1.1", False),
    ("aacp", "FETCH|MTK|return:A|p:1|aacp:1.1", "unknown-dom",
     "FETCH|MKT|return:A|p:1|aacp:1.1", False),
    ("aacp", "FETCH|finance|return:A|p:1|aacp:1.1", "unknown-dom",
     "FETCH|FIN|return:A|p:1|aacp:1.1", True),
    ("aacp", "FETHC|HR|return:A|p:1|aacp:1.1", "unknown-task",
     "FETCH|HR|return:A|p:1|aacp:1.1", True),
    ("aacp", "ASK|HR|return:A|p:1|aacp:1.1", "unknown-task", None, False),
    ("aacp", "FETCH|HR|return:A|aacp:1.1", "missing-priority",
     "FETCH|HR|return:A|aacp:1.1|p:2", False),
    ("aacp", "FETCH|HR|return:A|p:1", "missing-version", "FETCH|HR|return:A|p:1|aacp:1.1", False),
    ("aacp", "FETCH|HR|filter:a|status=x|return:A|p:1|aacp:1.1", "field-without-colon",
     "FETCH|HR|filter:a|status:x|return:A|p:1|aacp:1.1", False),
    ("aacp", "FETCH|HR|return:A|p:1|aacp:1.1|", "empty-slot",
     "FETCH|HR|return:A|p:1|aacp:1.1", False),
    ("aacp", "FETCH|HR|return:A||p:1|aacp:1.1", "empty-slot",
     "FETCH|HR|return:A|p:1|aacp:1.1", True),
    ("aacp", "FETCH|HR|return:A\n|p:1|aacp:1.1", "several-lines",
     "FETCH|HR|return:A|p:1|aacp:1.1", True),
    ("aacp", "FETCH|HR|Return:A|p:1|aacp:1.1", "key-case", "FETCH|HR|return:A|p:1|aacp:1.1", True),
    # The = may be that of a pair whose ; is lost.
    ("tline", "T|1|Q|obj=anext=b", "unencoded", "T|1|Q|obj=anext%3Db", False),
    ("tline", "T|1|S|keyedf=ctx:context", "unencoded", "T|1|S|keyedf=ctx%3Acontext", False),
    ("tline", "T|1|C|obj=pytest -k", "unencoded", "T|1|C|obj=pytest%20-k", True),
    ("tline", "T|1|C|obj=a ;next=b", "unencoded", None, False),
    ("tline", "T|1|Q|obj=a|next=b", "extra-bar", "T|1|Q|obj=a;next=b", False),
    ("tline", "T|1|Q|obj=a|", "extra-bar", None, False),
    ("tline", "T|1|Q|obj=a;", "empty-pair", "T|1|Q|obj=a", False),
    ("tline", "T|1|Q|obj=a;;next=b", "empty-pair", "T|1|Q|obj=a;next=b", True),
    # What is left of a code is no percent sign.
    ("tline", "T|1|A|res=a%2", "broken-code", "T|1|A|res=a%252", False),
    ("tline", "T|1|A|res=a%", "broken-code", "T|1|A|res=a%25", False),
    ("tline", "T|1|A|res=a%20b%;next=b", "broken-code", "T|1|A|res=a%20b%25;next=b", False),
    ("tline", "T|1|A|res=100%;next=b", "broken-code", "T|1|A|res=100%25;next=b", True),
    ("tline", "T|1|Q|Foo=1;foo=2", "bad-key", None, False),
    ("tline", "T|17|Qobj=a", "bad-key", "T|17|qobj=a", False),
    ("tline", "T|1|Q|Foo=1", "bad-key", "T|1|Q|foo=1", True),
    ("tline", "T|1|ans|res=a", "unknown-kind", "T|1|A|res=a", False),
    ("tline", "T|1|answer|res=a", "unknown-kind", "T|1|A|res=a", True),
    ("tline", "17|Q|obj=a", "missing-t", "T|17|Q|obj=a", False),
    # What closes a text invents its end.
    ("sacp", '{"g":"FIND_HOT', "syntax", '{"g":"FIND_HOT"}', False),
    ("sacp", f'{{"g":"A","plan":[{STEP}]', "syntax", f'{{"g":"A","plan":[{STEP}]}}', False),
    ("sacp", f'{{"g":"A","plan":[{STEP},"out_fmt":"raw"}}', "syntax",
     f'{{"g":"A","plan":[{STEP}],"out_fmt":"raw"}}', False),
    ("sacp", f"{{'g':'A','plan':[{STEP}", "syntax", f"{{\"g\":'A','plan':[{STEP}", False),
    ("sacp", f"{{'g':\"A\",\"plan\":[{STEP}]}}", "syntax", f'{{"g":"A","plan":[{STEP}]}}', True),
    ("sacp", f'{{"g":"A","plan":[{STEP}],}}', "syntax", f'{{"g":"A","plan":[{STEP}]}}', True),
    ("sacp", f'{{"g":"A" "plan":[{STEP}]}}', "syntax", f'{{"g":"A", "plan":[{STEP}]}}', True),
    ("sacp", '{"g":"A","plan":[["run" "T",{}]]}', "syntax",
     '{"g":"A","plan":[["run", "T",{}]]}', False),
    ("sacp", '{"g":"A","plan":[["run",,{}]]}', "syntax", '{"g":"A","plan":[["run",{}]]}', False),
    ("sacp", '{"g":"A","plan":[["run","T",{"n":007}]]}', "syntax",
     '{"g":"A","plan":[["run","T",{"n":7}]]}', False),
    ("sacp", '{"g":"A","plan":[["run","T",{"n":ture}]]}', "syntax",
     '{"g":"A","plan":[["run","T",{"n":"ture"}]]}', False),
    ("sacp", '{"g":"A","plan":[["run","T",{"n":True}]]}', "syntax",
     '{"g":"A","plan":[["run","T",{"n":true}]]}', True),
    ("sacp", '{"g":"A","plan":["run","T",{"a":1}', "bad-step", None, False),
    ("sacp", '{"g":"A","plan":["run","T",{"a":1}]}', "bad-step",
    '{"g":"A","plan":[["run","T",{"a":1}]]}', True),
    ("sacp", '{"g":"A","plan":[["run","T"]]}', "bad-step",
     '{"g":"A","plan":[["run","T",{}]]}', False),
    ("sacp", '{"g":"A","plan":[["run","T",null]]}', "bad-params",
     '{"g":"A","plan":[["run","T",{}]]}', False),
    ("sacp", f'{{"goal":"A","plan":[{STEP}]}}', "unknown-key",
     f'{{"g":"A","plan":[{STEP}]}}', True),
    ("sacp", f'{{"goal":"A","Goal":"B","plan":[{STEP}]}}', "unknown-key", None, False),
    ("sacp", f'{{"g":"A","plan":[{STEP}],"id":"m"}}', "unknown-key",
     f'{{"g":"A","plan":[{STEP}],"msg_id":"m"}}', False),
    ("sacp", f'{{"g":"A","plan":[{STEP}],"sate":"DONE"}}', "unknown-key",
     f'{{"g":"A","plan":[{STEP}],"state":"DONE"}}', False),
    ("sacp", f'{{"g":"A","plan":[{STEP}],"state":"done"}}', "bad-state",
     f'{{"g":"A","plan":[{STEP}],"state":"DONE"}}', True),
    ("sacp", f'{{"g":"A","plan":[{STEP}],"state":"fail"}}', "bad-state", None, False),
    ("sacp", f'{{"g":"A","plan":[{STEP}],"proto_ver":0.1}}', "bad-lifecycle",
     f'{{"g":"A","plan":[{STEP}],"proto_ver":"0.1"}}', False),
    ("sacp", f'{{"g":"A","plan":[{STEP}],"msg_id":17}}', "bad-lifecycle",
     f'{{"g":"A","plan":[{STEP}],"msg_id":"17"}}', True),
    ("nlip", '{"format":"text","subformat":"english","content":"It ends too early', "not-json",
     '{"format":"text","subformat":"english","content":"It ends too early"}', False),
    ("nlip", f'{{{TEXT},"Contnet":"x"}}', "unknown-key", None, False),
    ("nlip", '{"Format":"text","Subformat":"English","Contnet":"Hello"}', "unknown-key",
    f"{{{TEXT}}}", False),
    ("nlip", '{"Fromat":"text","Subformat":"English","Content":"Hello"}', "unknown-key",
    f"{{{TEXT}}}", False),
    ("nlip", '{"Fromat":"prose","Subformat":"English","Content":"Hello"}', "unknown-key", None,
    False),
    ("nlip", '{"Format":"structured","Subformat":"uri","Contnet":"not one"}', "unknown-key", None,
    False),
    ("nlip", '{"Format":"text","Subformat":"English","Contnet":"Hello","Conten":"x"}',
    "unknown-key", None, False),
    ("nlip", f'{{"Mesagetype":"control",{TEXT}}}', "unknown-key",
    f'{{"MessageType":"control",{TEXT}}}', False),
    ("nlip", '{"Format":"text","Sufbormat":"","Content":"Hello"}', "unknown-key", None, False),
    ("nlip", f'{{"Mesagetype":"data","control":true,{TEXT}}}', "unknown-key", None, False),
    ("nlip", '{"Format":"txet","Subformat":"English","Content":"Hello"}', "unknown-format",
     f"{{{TEXT}}}", True),
    ("nlip", '{"Format":"texts","Subformat":"English","Content":"Hello"}', "unknown-format",
     f"{{{TEXT}}}", False),
    ("nlip", '{"Format":"location","Subformat":"GP","Content":"1, 2"}', "unknown-subformat",
     None, False),
    ("nlip", '{"Format":"token","Subformat":"authorization","Content":"t"}', "authorization-token",
     '{"Format":"token","Subformat":"authentication","Content":"t"}', False),
    ("nlip", f'{{"MessageType":true,{TEXT}}}', "not-a-string", None, False),
    ("nlip", f'{{"MessageType":{{"a":1}},{TEXT}}}', "not-a-string", None, False),
    ("nlip", f'{{"MessageType":null,{TEXT}}}', "null", f"{{{TEXT}}}", True),
    ("nlip", f'{{"MessageType":7,"control":true,{TEXT}}}', "control-field", None, False),
    ("nlip", '{"Format":"structured","Subformat":"uri","Content":"http://a.b/c d"}', "not-a-uri",
     '{"Format":"structured","Subformat":"uri","Content":"http://a.b/c%20d"}', False),
]  # fmt: skip


@pytest.mark.parametrize(("name", "wire", "code", "fixed", "safe"), GUESSES)
def test_it_says_which_fix_is_safe(
    name: str, wire: str, code: str, fixed: str | None, *, safe: bool
) -> None:
    found = next(
        diagnostic
        for diagnostic in registry.get(name).decode(wire).diagnostics
        if diagnostic.code == f"{name}.{code}"
    )

    assert (found.fix and _fixed(wire, found.fix)) == fixed
    assert bool(found.fix and found.fix.safe) is safe


CASES = [
    pytest.param(name, case, id=f"{name}: {case['name']}")
    for name in registry.get_names()
    for case in map(json.loads, (VECTORS / f"{name}.jsonl").read_text("utf-8").splitlines())
]


@pytest.mark.parametrize(("name", "case"), CASES)
def test_a_safe_fix_of_a_vector_changes_only_what_it_touches(
    name: str, case: dict[str, Any]
) -> None:
    codec, wire, dialect = registry.get(name), case["wire"], case.get("dialect")
    before = codec.decode(wire, dialect=dialect)
    for found in _safe(before):
        assert found.fix is not None
        after = codec.decode(_fixed(wire, found.fix), dialect=dialect)
        assert _codes(after)[found.code] < _codes(before)[found.code], found
        assert not _errors(after) - _errors(before), found
        start, end = found.fix.span
        shift = len(found.fix.text) - (end - start)
        there = {(field.name, field.value, field.span) for field in after.fields}
        for field in before.fields:
            if field.name and field.span.end < start:
                assert (field.name, field.value, field.span) in there, (found, field)
            elif field.name and min(field.name_span or field.span) > end:
                moved = Span(field.span.start + shift, field.span.end + shift)
                assert (field.name, field.value, moved) in there, (found, field)


@fuzz.mark
@CODECS
def test_a_safe_fix_keeps_the_meaning_of_every_damaged_message(codec: Codec) -> None:
    """The damage is known, and so is the message: every value is as it was read, or as it was
    meant.
    """
    random = fuzz.dice()
    tried = mended = 0
    most = 4 if codec.form == "line" else 3
    for wire in wires(codec.name):
        meant = codec.decode(wire)
        if (
            not meant.valid
            or len(wire) > 400
            or any(diagnostic.fix for diagnostic in meant.diagnostics)
        ):
            continue
        right = _readings(codec, meant)
        for broken in damage(wire, codec.separators, random, fuzz.many(most)):
            before = codec.decode(broken)
            for found in before.diagnostics:
                if found.fix is None:
                    continue
                after = codec.decode(_fixed(broken, found.fix))
                assert _codes(after)[found.code] < _codes(before)[found.code], (broken, found)
                assert not _errors(after) - _errors(before), (broken, found)
                if found.fix.safe:
                    _check(codec, before, after, right, meant, found)
                    tried += 1
            together = Fixer().fix(before).message
            _check(codec, before, together, right, meant, None)
            mended += together.wire == wire
            if together.valid and not before.valid:
                assert together.values == meant.values, (wire, broken, together.wire)
    assert tried >= 100
    assert mended >= 20


def _check(
    codec: Codec,
    before: Message,
    after: Message,
    right: dict[str, Any],
    meant: Message,
    found: Diagnostic | None,
) -> None:
    note = (meant.wire, before.wire, after.wire, found)
    assert not _codes(after) - _codes(before) - _codes(meant), note
    read, now = _readings(codec, before), _readings(codec, after)
    for path in read | now:
        assert now.get(path) in (read.get(path), right.get(path)), (path, *note)


@fuzz.mark
@CODECS
def test_all_safe_fixes_together_bring_no_error(codec: Codec) -> None:
    random, whole = fuzz.dice(), wires(codec.name)
    for turn in range(fuzz.many(200)):
        wire = mutate(random.choice(whole), random)
        before = codec.decode(wire)
        fixed = Fixer().fix(before)
        assert not _errors(fixed.message) - _errors(before), (turn, wire, fixed.message.wire)
        assert bool(fixed.codes) == (fixed.message.wire != wire)
