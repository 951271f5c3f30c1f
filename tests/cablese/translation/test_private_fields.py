"""Private fields that hold nonsense, and objects that only look like them."""

import json
from itertools import product
from typing import Any

import pytest

from cablese import registry
from cablese.translation.translate import (
    get_targets,
    return_from_plain,
    translate_text,
)
from tests import fuzz

CARRIED = (
    ("aacp", 'FETCH|HR|return:A|p:1|aacp:1.1|x-cablese-{}:{}'),
    ("nslip", "REQ/TSK|g=1,x-cablese-{}={}"),
    ("tline", "T|1|S|x_cablese_{}={}"),
)  # fmt: skip
ODD = (
    "5",
    "-1",
    "null",
    "[1]",
    '{"a":1}',
    '"',
    "[",
    "dom+return",
    "x",
    "true",
    "request",
    "99999999999999999999",
)


@fuzz.mark
@pytest.mark.parametrize(("name", "wire"), CARRIED)
def test_private_fields_that_hold_nonsense_are_values_like_others(name: str, wire: str) -> None:
    joint = "_" if name == "tline" else "-"
    keys = ["act", "goal", "score", "tags", "added", "more"]
    keys += [
        f"{one}{joint}{key}"
        for one in registry.get_names()
        for key in ("steps", "ctx", "task", "content", "submessages", "status")
    ]
    for key, value, to in fuzz.some(list(product(keys, ODD, get_targets())), 600):
        text = wire.format(key, value.replace(":", "%3A") if name == "tline" else value)
        translation = translate_text(text, to, protocol=name)
        assert (translation.wire is None) is (translation.refused is not None)


NO_PARCELS: list[Any] = [
    5, [], {"act": "sing"}, {"score": "x"}, {"added": 3}, {"sacp.ctx": 5}, {"sacp.steps": 1},
    {"aacp.task": []},
    {"nlip.content": 1, "nlip.submessages": 7}, {"tline.keydef": 4}, {"nslip.g": {}}, {"tags": [1]},
    {"slip.force": None}, {"more": {}},
]  # fmt: skip


@pytest.mark.parametrize("bundle", NO_PARCELS)
def test_an_object_under_our_name_that_is_no_parcel_of_ours_is_a_value_like_others(
    bundle: Any,
) -> None:
    wire = json.dumps({"g": "A", "ctx": {"x-cablese": bundle}, "plan": [["run", "T", {}]]})
    for to in get_targets():
        translation = translate_text(wire, to, protocol="sacp")
        assert (translation.wire is None) is (translation.refused is not None)


@pytest.mark.parametrize(
    ("wire", "to", "written"),
    [
        ("T|1|Q|obj=9007199254740991", "nslip", "|g=9007199254740991,"),
        ("T|1|Q|obj=9007199254740992", "nslip", "|x-cablese-goal=9007199254740992,"),
        ('{"g":"A","msg_id":"2147483647","plan":[["a","T",{}]]}', "tline", "T|2147483647|"),
        (
            '{"g":"A","msg_id":"2147483648","plan":[["a","T",{}]]}',
            "tline",
            ";x_cablese_id=2147483648;",
        ),
        ('{"g":"A","ctx":{"x-cablese":{"topic":" to:x"}},"plan":[["a","T",{}]]}', "aacp",
         "PROC|%20to:x|"),
        ('{"g":"A","ctx":{"x-cablese":{"topic":"to:x"}},"plan":[["a","T",{}]]}', "aacp",
         "|x-cablese-topic:to:x|"),
        ("T|1|Q|obj=a;x_cablese_thread=c1", "nlip",
         '{"Format":"token","Subformat":"conversation","Content":"c1"}'),
        (('{"format":"text","subformat":"en","content":"Hi","submessages":[{"format":"generic",'
         '"subformat":"x","content":{"goal":"4"}}]}'), "sacp", '"content":{"goal":"4"}}'),
    ],
)  # fmt: skip
def test_a_field_is_carried_only_where_its_place_cannot_hold_it(
    wire: str, to: str, written: str
) -> None:
    translation = translate_text(wire, to)

    assert written in str(translation.wire)
    assert translation.back is not None
    assert translation.back.verdict == "faithful"


def test_a_term_that_an_extra_holds_is_not_stored_twice() -> None:
    wire = json.dumps({
        "format": "text", "subformat": "en", "content": "Hi",
        "submessages": [{"format": "token", "subformat": "conversation", "content": "c1"}],
    })  # fmt: skip

    output = translate_text(wire, "sacp", protocol="nlip").wire

    assert output is not None
    assert output.count("c1") == 1


def test_what_came_back_from_plain_json_must_be_an_object() -> None:
    back = return_from_plain(registry.get("nslip").decode("REQ/TSK|g=1"), [1])

    assert (back.wire, back.verdict) == (None, "lost")
    assert back.words == "The round trip gives no JSON object."
