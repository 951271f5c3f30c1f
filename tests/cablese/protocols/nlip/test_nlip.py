"""What the vectors of NLIP cannot say: the places and words of diagnostics, fixes, refusals to
write, and limits.
"""

import json
from typing import Any

import pytest

from cablese.codec import Unencodable
from cablese.message import Diagnostic, Message, tiles
from cablese.protocols.nlip import formats
from cablese.protocols.nlip.codec import codec
from cablese.protocols.nlip.reading import quick
from cablese.transcript import split

TEXT = {"format": "text", "subformat": "English", "content": "Hello"}
STRUCTURED = {"format": "structured", "subformat": "json"}


def _only(message: Message) -> Diagnostic:
    assert len(message.diagnostics) == 1, message.diagnostics
    return message.diagnostics[0]


def _fixed(wire: str) -> str:
    fix = _only(codec.decode(wire)).fix
    assert fix is not None
    return wire[: fix.span.start] + fix.text + wire[fix.span.end :]


def test_it_names_fields_of_submessages_by_their_place() -> None:
    part = {"Format": "structured", "Subformat": "json", "Content": {"x": [1, {}]}}
    wire = json.dumps({**TEXT, "submessages": [part]})

    fields = {field.name: field for field in codec.decode(wire).fields}

    assert list(fields) == [
        "format", "subformat", "content", "submessages", "submessages.0.format",
        "submessages.0.subformat",
        "submessages.0.content", "submessages.0.content.x", "submessages.0.content.x.0",
        "submessages.0.content.x.1",
    ]  # fmt: skip
    assert fields["submessages.0.content.x.0"].label == "content of submessage 1"
    assert fields["submessages.0.content.x.1"].value == "{}"
    assert fields["submessages.0.content.x.1"].name_span is None
    format_ = fields["submessages.0.format"]
    assert wire[slice(*format_.span)] == "structured"
    assert format_.name_span is not None
    assert wire[slice(*format_.name_span)] == "Format"


def test_it_labels_nested_and_unknown_fields_in_plain_words() -> None:
    part = {**TEXT, "submessages": [TEXT], "hue": 1}
    message = codec.decode(json.dumps({**TEXT, "submessages": [TEXT, part]}))

    labels = {field.name: field.label for field in message.fields}

    assert labels["submessages.1.submessages.0.format"] == "format of submessage 2.1"
    assert labels["submessages.1.hue"] == "unknown key of submessage 2"


def test_it_writes_a_control_field_as_a_message_type() -> None:
    wire = '{"control": true, "format":"text","subformat":"English","content":"Who?"}'

    assert (
        _fixed(wire)
        == '{"MessageType":"control", "format":"text","subformat":"English","content":"Who?"}'
    )
    assert codec.decode(_fixed(wire)).diagnostics == ()


@pytest.mark.parametrize(("written", "act"), [("true", "control"), ("False", "data")])
def test_a_control_field_may_be_in_quotes_as_in_section_6_5(written: str, act: str) -> None:
    wire = f'{{"control":"{written}","format":"text","subformat":"English","content":"Who?"}}'
    message = codec.decode(wire)

    assert [one.code for one in message.diagnostics] == ["nlip.control-field"]
    assert message.values["is_control"] == (act == "control")
    assert codec.meaning(message).act == act
    assert codec.meaning(codec.decode(_fixed(wire))).act == act


def test_it_takes_out_an_empty_list_of_submessages_with_its_comma() -> None:
    assert _fixed('{"format":"text","subformat":"en","content":"a", "submessages": []}') == (
        '{"format":"text","subformat":"en","content":"a"}'
    )
    assert _fixed('{"submessages":null, "format":"text","subformat":"en","content":"a"}') == (
        '{"format":"text","subformat":"en","content":"a"}'
    )


def test_it_quotes_a_label_that_is_a_number() -> None:
    wire = json.dumps({**TEXT, "submessages": [{**TEXT, "label": 3}]})

    assert '"label": "3"' in _fixed(wire)


def test_it_writes_the_reserved_prefix_and_keeps_the_suffix() -> None:
    assert '"authentication_srv"' in _fixed(
        '{"format":"token","subformat":"authorization_srv","content":"t"}'
    )


def test_it_percent_encodes_a_uri() -> None:
    wire = '{"format":"structured","subformat":"uri","content":"https://example.org/é?q=a b"}'

    assert '"https://example.org/%C3%A9?q=a%20b"' in _fixed(wire)


@pytest.mark.parametrize(
    ("subformat", "content"),
    [("addr", "Geneva"), ("GPSS", 5)],
    ids=["nothing is near", "the content would not fit"],
)
def test_it_offers_no_subformat_that_is_not_sure(subformat: str, content: object) -> None:
    wire = json.dumps({"format": "location", "subformat": subformat, "content": content})

    assert _only(codec.decode(wire)).fix is None


def test_it_says_what_was_found_and_what_was_expected() -> None:
    diagnostic = _only(codec.decode('{"format":"image","subformat":"png","content":""}'))

    assert diagnostic.message == (
        'Unknown format "image". Expected text, token, structured, binary, location, error, or '
        "generic. "
        "Did you mean binary, with a subformat such as image/jpeg?"
    )
    assert diagnostic.section == "5.3 Table 1"
    assert diagnostic.span == (11, 16)
    for name, words in (("structured", "xml, html, or the"), ("binary", "sensor, or generic")):
        wire = json.dumps({"format": name, "subformat": "", "content": ""})
        assert words in _only(codec.decode(wire)).message


def test_it_points_at_the_second_of_two_equal_keys() -> None:
    wire = '{"Format":"text","format":"text","Subformat":"English","Content":"Hello"}'

    diagnostic = _only(codec.decode(wire))

    assert wire[slice(*diagnostic.span)] == "format"
    assert '"Format" and "format"' in diagnostic.message


def test_it_points_at_the_object_that_lacks_a_field() -> None:
    wire = json.dumps({**TEXT, "submessages": [{"format": "text", "subformat": "en"}]})

    assert _only(codec.decode(wire)).span.start == wire.index(
        '{"format": "text", "subformat": "en"}'
    )


@pytest.mark.parametrize(
    ("values", "pointer"),
    [
        ({}, "/format"),
        ({"format": "text", "subformat": "en"}, "/content"),
        ({**TEXT, "content": None}, "/content"),
        ({**TEXT, "subformat": 5}, "/subformat"),
        ({**TEXT, "format": "picture"}, "/format"),
        ({**TEXT, "messagetype": 1}, "/messagetype"),
        ({**TEXT, "submessages": []}, "/submessages"),
        ({**TEXT, "submessages": TEXT}, "/submessages"),
        ({**TEXT, "submessages": [TEXT, "x"]}, "/submessages/1"),
        ({**TEXT, "submessages": [{**TEXT, "label": 1}]}, "/submessages/0/label"),
        (
            {**TEXT, "submessages": [{**TEXT, "submessages": [{}]}]},
            "/submessages/0/submessages/0/format",
        ),
        ({**TEXT, "Format": "text"}, "/Format"),
        ({**TEXT, "content": float("nan")}, "/content"),
        ({**TEXT, "content": {"a": b"x"}}, "/content/a"),
        ({**TEXT, "content": "\ud800"}, "/content"),
        ({**TEXT, "content": "x" * 2**20}, ""),
        ({**TEXT, "a/b": 1, "A/b": 2}, "/A~1b"),
    ],
)
def test_it_names_the_value_that_cannot_be_written(values: dict[str, Any], pointer: str) -> None:
    with pytest.raises(Unencodable) as refused:
        codec.encode(values)

    assert refused.value.pointer == pointer
    assert refused.value.reason


def test_it_writes_no_error_in_ecma_430() -> None:
    values = {"format": "error", "subformat": "text", "content": "No."}

    assert (
        codec.encode(values, dialect="nlip/draft")
        == '{"Format":"error","Subformat":"text","Content":"No."}'
    )
    with pytest.raises(Unencodable) as refused:
        codec.encode(values, dialect="nlip/ecma-430")
    assert refused.value.pointer == "/format"


def test_it_writes_keys_in_the_order_and_spelling_of_the_source() -> None:
    part = {"hue": 1, "content": "0,0", "SUBFORMAT": "gps", "format": "Location", "label": "1"}
    values = {"x": [], "submessages": [part], **TEXT, "is_control": False, "messagetype": "Control"}

    assert codec.encode(values) == (
        '{"MessageType":"Control","Format":"text","Subformat":"English","Content":"Hello",'
        '"Submessages":[{"Label":"1","Format":"location","Subformat":"GPS","Content":"0,0",'
        '"hue":1}],"x":[]}'
    )


def test_it_reads_a_message_in_the_dialect_that_was_asked_for() -> None:
    wire = json.dumps({"format": "error", "subformat": "code", "content": "5"})

    assert codec.decode(wire).dialect == "nlip/draft"
    assert codec.decode(wire, dialect="nlip/ecma-430").dialect == "nlip/ecma-430"
    assert not codec.decode(wire, dialect="nlip/ecma-430").valid


def test_the_editions_differ_in_a_table() -> None:
    draft, published = formats.DIALECTS["nlip/draft"], formats.DIALECTS["nlip/ecma-430"]

    assert draft.formats.keys() - published.formats.keys() == {"error"}
    assert draft.returned == ("conversation",)
    assert published.returned == ("",)


@pytest.mark.parametrize(
    "wire",
    [
        '{"format":"text","format":"text","subformat":"en","content":"a"}',
        '{"format":"text","subformat":"en","content":"a","content":5}',
        '{"format":"text","subformat":"en","content":"a","x":{},"x":"\\"\\""}',
        '{"format":"structured","subformat":"json","content":{"a":1,"a":1}}',
        '{"Format":"error","FORMAT":"error","Subformat":"code","Content":1}',
        (
            '{"format":"text","subformat":"en","content":"a","submessages":[{"label":"x",'
            '"label":"y","format":"text","subformat":"en","content":"a"}]}'
        ),
        '{"format":"text","subformat":"en","content":"\\u202e"}',
        '{"format":"text","subformat":"en","content":"\u200b"}',
        '{"format":"text","subformat":"en","content":"\x7f"}',
        '{"format":"text","subformat":"en","content":"\\f"}',
        '{"format":"error","subformat":"code","content":99999999999999999999}',
        '{"format":"text","subformat":"en","content":"a","messagetype":null}',
        '{"format":"text","subformat":"en","content":"a","submessages":[]}',
    ],
)
def test_the_quick_reading_leaves_what_is_doubtful(wire: str) -> None:
    assert quick.glance(wire, formats.DEFAULT) is None
    assert codec.decode(wire).diagnostics


@pytest.mark.parametrize(
    "wire",
    [
        '{"format":"text","subformat":"en","content":"He said \\"go\\"\\nand left"}',
        '{"Format":"error","Subformat":"code","Content":404}',
        '{"format":"structured","subformat":"JSON","content":{"a":[1,"\\"",null]}}',
        '{\n  "FORMAT": "text",\n  "SubFormat": "日本語",\n  "content": "é"\n}\n',
    ],
)
def test_the_quick_reading_takes_what_is_plain(wire: str) -> None:
    assert quick.glance(wire, formats.DEFAULT) == codec.read(wire, None).values


def test_it_stops_after_a_thousand_fields() -> None:
    parts = [TEXT] * 400
    message = codec.decode(json.dumps({"submessages": parts, **TEXT}))

    assert [diagnostic.code for diagnostic in message.diagnostics] == ["nlip.too-many-fields"]
    assert len(message.fields) <= 1001
    assert message.fields[-1].label == "unreadable"
    assert message.fields[-1].span.end == len(message.wire)


def test_it_shows_what_stands_in_an_object_and_is_none_of_it() -> None:
    message = codec.decode('{"format":"generic","subformat":"x","content":{<x>}}')

    assert (
        "".join(message.wire[slice(*tile.span)] for tile in tiles(message.wire, message.fields))
        == message.wire
    )
    assert "<x>" in [field.value for field in message.fields if field.label == "unreadable"]


def test_values_inside_a_content_are_not_counted() -> None:
    content = list(range(5000))

    message = codec.decode(json.dumps({**STRUCTURED, "content": content}))

    assert message.valid
    assert len(message.fields) == 5003


@pytest.mark.parametrize(("numbers", "is_valid"), [(19_996, True), (19_997, False)])
def test_a_message_has_at_most_20_000_values(numbers: int, *, is_valid: bool) -> None:
    """The object, three fields, and the numbers in the content."""
    content = [1] * numbers
    message = codec.decode(json.dumps({**STRUCTURED, "content": content}))

    assert message.valid is is_valid
    assert is_valid or _only(message).message.startswith("More than 20,000 values.")


@pytest.mark.parametrize(("others", "is_near"), [(49, True), (50, False)])
def test_it_compares_fifty_names_with_those_it_knows(others: int, *, is_near: bool) -> None:
    unknown = {f"x{number}": 0 for number in range(others)}
    diagnostics = codec.decode(json.dumps({**TEXT, **unknown, "formta": 0})).diagnostics

    assert len(diagnostics) == others + 1
    assert diagnostics[-1].message.endswith(" Did you mean Format?") is is_near


@pytest.mark.parametrize(
    ("wire", "lowest", "highest"),
    [
        ('{"Format":"text","Subformat":"English","Content":"Hi"}', 1.0, 1.0),
        ('{"format":"txet","subformat":"English","content":"Hi"}', 0.3, 0.95),
        ('{"format":"text","subformat":"English","content":"Hi"', 0.3, 0.95),
        ("{'format':'text','subformat':'English','content':'Hi'}", 0.3, 0.95),
        ('{"format":"text","content":"Hi"}', 0.3, 0.95),
        ('{"messagetype":"control","content":"Hi"}', 0.3, 0.95),
        ('{"role":"user","content":"Hi"}', 0.0, 0.0),
        (
            (
                '{"g":"trip","plan":[["search","web",'
                '{"format":"text","subformat":"x","content":"y"}]]}'
            ),
            0.0,
            0.3,
        ),
        (
            '{"jsonrpc":"2.0","params":{"format":"text","subformat":"English","content":"Hi"}}',
            0.0,
            0.3,
        ),
        ('The "format": of it is "content": enough', 0.0, 0.0),
        ("REQ/TSK|g=42", 0.0, 0.0),
        ("{", 0.0, 0.0),
    ],
)
def test_it_claims_its_own(wire: str, lowest: float, highest: float) -> None:
    sniffed = codec.sniff(wire)

    assert lowest <= (sniffed.score if sniffed else 0.0) <= highest
    assert sniffed is None or sniffed.reasons


PART = '"Submessages":[{"Format":"token","Subformat":"conversation","Content":"c-1"}]'


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ('"Format":"text","Subformat":"English"', "nlip.missing-content"),
        ('"Format":"text","Content":"Hi"', "nlip.missing-subformat"),
        ('"Subformat":"English","Content":"Hi"', "nlip.missing-format"),
    ],
)
def test_a_part_of_an_invalid_message_is_no_message(fields: str, code: str) -> None:
    wire = f"{{{fields},{PART}}}"

    (cut,) = split(f"INFO {wire}").messages

    assert cut.wire == wire
    (diagnostic,) = codec.decode(cut.wire).diagnostics
    assert diagnostic.code == code


def test_a_record_with_submessages_carries_the_message_in_its_content() -> None:
    record = '{"type":"stream","content":"REQ/TSK|g=42,t=1","submessages":[]}'

    (cut,) = split(record).messages

    assert cut.wire == "REQ/TSK|g=42,t=1"
