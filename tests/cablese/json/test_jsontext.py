"""The tolerant JSON reader: strict and tolerant readings agree, every character has a place, every
fix removes its fault.
"""

import json
from collections import Counter
from random import Random

import pytest

from cablese.codec import SURROGATE
from cablese.json import jsontext
from cablese.json.jsontext import Document, Fault, NotClean
from tests.cablese.hostile import mutate, random_text

MESSAGES = [
    (
        '{"g":"FIND_HOTEL","ctx":{"loc":"Paris","bdg":150,"am":["wifi","bf"]},"plan":[["s",'
        '"H_API",{"c":"Paris"}]]}'
    ),
    '[1,-2.5e3,true,false,null,"a\\n\\u00e9\\ud83d\\ude00",{},[],{"a":{"b":[]}}]',
    '{ "a" : 1 ,\n "b" : [ 1 , 2 ] , "c" : "it\'s // x" }',
    "{'a': 'b', c: True, // hi\n d: [1,2,],}",
]
TEXTS = [mutate(wire, Random(seed)) for seed in range(500) for wire in MESSAGES]
TEXTS += [random_text(Random(seed)) for seed in range(500)]
MIB = 2**20


def _fixed(wire: str, fault: Fault) -> str:
    assert fault.fix is not None
    (start, end), text = fault.fix.span, fault.fix.text
    return wire[:start] + text + wire[end:]


def _kinds(document: Document) -> list[str]:
    return [fault.kind for fault in document.faults]


@pytest.mark.parametrize(
    "wire", [*MESSAGES[:3], "1", '"a"', "null", " [ ] ", '{"a":-0,"b":1e22,"c":0.1}']
)
def test_it_loads_what_json_loads(wire: str) -> None:
    assert jsontext.load(wire) == json.loads(wire)


@pytest.mark.parametrize(
    "wire",
    [
        "", " ", "{", "[1,]", "{'a':1}", "NaN", "[Infinity]", "[-Infinity]", "1e999",
        "9007199254740992",
        "-9007199254740992", "1" * 5000, "01", "+1", ".5", "1.", "0x1",
        '"\\ud800"', '"\\ud800\\u0041"', '"\\udc00\\ud800"', '"a\tb"', '"\\x"', "[1] 2",
        "\ufeff{}", '{"a":1,"a":1}', '{"a":{"b":1,"b":2}}', '[{"a":1,"\\u0061":2}]',
        '{"b":"\\u003a","a":1,"a":1}',
        '"\ud800"', "1\u00a0", "[" * 65 + "]" * 65, "[" * 100_000, '{"a":' * 65 + "1" + "}" * 65,
        "[" + "1," * 20_000 + "1]", "[" + "[]," * 20_000 + "1]", "0." + "1" * 999,
    ],
)  # fmt: skip
def test_it_does_not_load_what_is_not_clean(wire: str) -> None:
    with pytest.raises(NotClean):
        jsontext.load(wire)
    assert jsontext.read(wire).faults or SURROGATE.search(wire)


@pytest.mark.parametrize(
    "wire",
    [
        "[" * 64 + "]" * 64, "[" + "1," * 19_998 + "1]", '["' + "[{\\\"" * 30_000 + '"]',
        "9007199254740991", "0." + "1" * 998,
        '{"a":1,"A":2}',
    ],
)  # fmt: skip
def test_it_loads_what_is_just_within_the_limits(wire: str) -> None:
    jsontext.load(wire)
    assert jsontext.read(wire).faults == ()


def test_the_strict_and_the_tolerant_reading_agree() -> None:
    clean = 0
    for wire in [*MESSAGES, *TEXTS]:
        document = jsontext.read(wire)
        try:
            value = jsontext.load(wire)
        except NotClean:
            assert document.faults or SURROGATE.search(wire), wire
            continue
        clean += 1
        assert document.faults == ()
        assert document.strays == ()
        assert document.root is not None
        assert document.root.value == value
    assert clean > 50


def test_every_character_has_one_place() -> None:
    for wire in TEXTS:
        document = jsontext.read(wire)
        spans = [stray.span for stray in document.strays]
        for _, member, node in jsontext.leaves(document.root) if document.root else ():
            spans += [member.key_span] if member else []
            spans += [] if node.kind in ("object", "array") else [node.inner]
        places = Counter(at for span in spans for at in range(*span))
        assert set(places.values()) <= {1}, wire
        assert all(places[at] or one in jsontext.SEPARATORS for at, one in enumerate(wire)), wire


def test_a_fix_removes_its_fault_and_keeps_the_reading() -> None:
    tried = mended = 0
    for wire in TEXTS:
        document = jsontext.read(wire)
        for fault in document.faults:
            if fault.fix is None:
                continue
            after = jsontext.read(_fixed(wire, fault))
            tried += 1
            fewer = Counter(_kinds(after))[fault.kind] < Counter(_kinds(document))[fault.kind]
            same = len(document.faults) > 1 or (
                document.root is not None
                and after.root is not None
                and after.root.value == document.root.value
            )
            mended += fewer and same and set(_kinds(after)) <= set(_kinds(document))
    assert tried > 3000
    assert mended / tried > 0.999  # texts broken in several places may need their fixes in order


@pytest.mark.parametrize(
    ("wire", "fixed"),
    [
        ('{"a":1,}', '{"a":1}'),
        ("[1,,2]", "[1,2]"),
        ('{"a"::1}', '{"a":1}'),
        ("[1 2]", "[1, 2]"),
        ('{"a":1 "b":2}', '{"a":1, "b":2}'),
        ('{"a" 1}', '{"a": 1}'),
        ("['a']", '["a"]'),
        ("[“a”]", '["a"]'),
        ('{a:1}', '{"a":1}'),
        ("[red]", '["red"]'),
        ("[True]", "[true]"),
        ("[None]", "[null]"),
        ("[007]", "[7]"),
        ("[-01.50]", "[-1.50]"),
        ("[+.5]", "[0.5]"),
        ('["a\nb"]', '["a\\nb"]'),
        ('["C:\\dir"]', '["C:\\\\dir"]'),
        ("[1 /* one */]", "[1  ]"),
        ("[1 // one\n]", "[1  \n]"),
        ("\ufeff[1]", "[1]"),
        ("[1]]", "[1]"),
        ("[1}", "[1]"),
        ('{"a":[1}', '{"a":[1]}'),
        ('{"a":[1,"b":2}', '{"a":[1],"b":2}'),
        ('{"a":[[1,2],"b":2}', '{"a":[[1,2]],"b":2}'),
        ('{"a":[1,{"b":2', '{"a":[1,{"b":2}]}'),
        ('{"a":[1, ', '{"a":[1]} '),
        ('{"a":"b', '{"a":"b"}'),
        ('{"a":1 // end', '{"a":1} // end'),
        ('{"a":1,"a":1}', '{"a":1}'),
    ],
)  # fmt: skip
def test_it_knows_the_fix(wire: str, fixed: str) -> None:
    faults = jsontext.read(wire).faults
    assert fixed in [_fixed(wire, fault) for fault in faults if fault.fix]


@pytest.mark.parametrize(
    "wire",
    [
        "[\"it's' b]",
        "['say \"hi\"']",
        '{"a":',
        '{"a"',
        '{"a":"b]}',
        '{"a":1,"a":2}',
        "[NaN]",
        "[0x1F]",
        "[...]",
    ],
)
def test_it_offers_no_fix_where_none_is_safe(wire: str) -> None:
    document = jsontext.read(wire)
    assert document.faults
    assert all(fault.fix is None for fault in document.faults)


def test_it_keeps_what_stands_before_a_missing_bracket() -> None:
    document = jsontext.read('{"plan":[["s","T",{}],"out_fmt":"raw"}')
    assert document.root is not None
    assert document.root.value == {"plan": [["s", "T", {}]], "out_fmt": "raw"}
    assert [fault.message for fault in document.faults] == ['Missing ] before "out_fmt".']


def test_spans_leave_out_quotes_and_brackets() -> None:
    root = jsontext.read('{ "a": "b", "c": [1] }').root
    assert root is not None
    first, second = root.members
    assert (root.span, root.inner) == ((0, 22), (1, 21))
    assert (first.key_span, first.node.span, first.node.inner) == ((3, 4), (7, 10), (8, 9))
    assert (second.node.span, second.node.items[0].span) == ((17, 20), (18, 19))


def test_leaves_are_named_with_dots_and_in_order() -> None:
    root = jsontext.read('{"a":{"b":[1,{"c":2}]},"d":{},"e":[]}').root
    assert root is not None
    assert [name for name, _, _ in jsontext.leaves(root)] == [
        "a",
        "a.b",
        "a.b.0",
        "a.b.1.c",
        "d",
        "e",
    ]
    assert [name for name, _, _ in jsontext.leaves(root.members[0].node, "x")][:2] == [
        "x.b",
        "x.b.0",
    ]


def test_a_long_key_does_not_multiply() -> None:
    root = jsontext.read('{"' + "k" * 500_000 + '":[' + "1," * 1000 + "1]}").root
    assert root is not None
    assert max(len(name) for name, _, _ in jsontext.leaves(root)) == jsontext.NAME_LIMIT


@pytest.mark.parametrize(
    "wire",
    [
        "[" * MIB, '{"a":' * (MIB // 5), '["a",' + '"a",' * (MIB // 4), "[" + "1," * (MIB // 2),
        '"' + "x" * MIB + '"',
        "[" + '"' * MIB, '["' + "\\" * MIB, '"' + "\\q" * (MIB // 2) + '"', "[" + ":," * (MIB // 2),
        "[" + "/*," * (MIB // 3), "//\n" * (MIB // 3),
        '{"a":' + "[1," * 60 + '"' + "x" * MIB + '":1',
        "[" + "'\\'," * (MIB // 4), "{" * MIB,
    ],
    ids=lambda wire: wire[:6],
)  # fmt: skip
def test_it_reads_a_hostile_mebibyte_and_keeps_its_limits(wire: str) -> None:
    document = jsontext.read(wire)
    nodes = sum(1 for _ in jsontext.leaves(document.root)) if document.root else 0
    assert nodes <= jsontext.NODE_LIMIT + jsontext.DEPTH_LIMIT
    assert len(document.faults) <= jsontext.FAULT_LIMIT + jsontext.DEPTH_LIMIT


def test_a_string_that_never_closes_is_looked_through_once() -> None:
    """Every quote of it would else be where another one begins, and a mebibyte take minutes."""
    wire = '{"msg":"' + '\\"{\\"a\\":' * (MIB // 9)

    assert len(jsontext.STRINGS.findall(wire[:1000])) == 2
    with pytest.raises(NotClean):
        jsontext.load(wire)


def test_no_value_is_made_of_a_text_with_too_many_brackets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsontext, "QUICK_READER", None)

    with pytest.raises(NotClean, match="too long"):
        jsontext.load("[" + "[]," * 20_000 + "1]")


@pytest.mark.parametrize(("escapes", "is_fixed"), [(10_000, True), (10_001, False)])
def test_of_ten_thousand_escapes_a_wrong_one_is_fixed_and_of_more_none_is(
    escapes: int, *, is_fixed: bool
) -> None:
    document = jsontext.read('["' + "\\n" * (escapes - 1) + '\\q"]')

    (fault,) = document.faults
    assert fault.message == 'Invalid escape "\\q"; write a backslash as \\\\.'
    assert (fault.fix is not None) is is_fixed
    assert document.root is not None
    assert document.root.items[0].kind == ("string" if is_fixed else "bad")


def test_it_dumps_minified_and_unescaped() -> None:
    assert (
        jsontext.dump({"é": [1.0, 1e22, "\u2028", None, True]})
        == '{"é":[1.0,1e+22,"\u2028",null,true]}'
    )
    with pytest.raises(ValueError, match="not JSON compliant"):
        jsontext.dump([float("nan")])


@pytest.mark.parametrize(
    ("value", "pointer"),
    [
        ({"a": [1, 2**53]}, "/a/1"),
        ({"a/b": {"~": float("inf")}}, "/a~1b/~0"),
        (["ok", "\ud800"], "/1"),
        ({"a": {1: 2}}, "/a"),
        ({"a": b"x"}, "/a"),
    ],
)
def test_it_finds_what_cannot_be_written(value: object, pointer: str) -> None:
    flaw = jsontext.find_flaw(value)
    assert flaw is not None
    assert flaw[0] == pointer


def test_it_finds_no_flaw_in_what_can_be_written() -> None:
    assert jsontext.find_flaw({"a": [1, 1.5, "x", None, True, {}]}) is None
    deep: object = 1
    for _ in range(64):
        deep = [deep]
    assert jsontext.find_flaw(deep) is None
    assert jsontext.find_flaw([deep]) is not None


def test_its_words_hold_nothing_that_cannot_be_seen() -> None:
    (fault,) = jsontext.read("\ufeff{}").faults
    assert fault.message == "Unexpected invisible characters before the JSON value."


@pytest.mark.parametrize(
    ("wire", "fixable"), [('// {"a":1}', False), ('{"a":1}// b', True), ("# b\n{}", True)]
)
def test_it_takes_no_comment_away_that_is_the_whole_text(wire: str, *, fixable: bool) -> None:
    assert (jsontext.read(wire).faults[0].fix is not None) is fixable
