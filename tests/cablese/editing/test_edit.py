"""One value written anew: the wire says it there, and says the same everywhere else, or the edit is
refused.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cablese import detection, registry
from cablese.codec import Codec, Unencodable
from cablese.editing.edit import Edits, edit, is_editable
from cablese.message import Message
from tests import fuzz
from tests.cablese.hostile import ODD, wires

CODECS = pytest.mark.parametrize("codec", registry.all_codecs(), ids=registry.get_names())
HOSTILE = (
    "|",
    ",",
    ";",
    "=",
    ":",
    "/",
    "a,b=c",
    "a|b",
    "\n",
    "a\r\nb",
    '"',
    "'",
    "\\",
    "\\u0041",
    "\x00",
    "\u202e",
    "\u200b",
    " ",
    " a ",
    "",
    "%",
    "%2C",
    "50%",
    "<script>",
    "🙂",
    "e\u0301",
    "null",
    "true",
    "1",
    "007",
    "-1",
    "1e999",
    "9" * 30,
    "\ud800",
    "{}",
    "[]",
    '"}',
    "REQ",
    "p:1",
    "submessages",
)


def index_of(message: Message, name: str) -> int:
    return next(at for at, field in enumerate(message.fields) if field.name == name)


def edited(wire: str, name: str, value: str) -> str:
    """The wire with the field of that name written anew."""
    message = detection.decode(wire)
    return edit(message, index_of(message, name), value).message.wire


@pytest.mark.parametrize(
    ("wire", "name", "value", "after"),
    [
        ("REQ/TSK|g=42,t=1", "g", "7", "REQ/TSK|g=7,t=1"),
        ("REQ/TSK| g = 42 ,t=1", "g", "7", "REQ/TSK| g = 7 ,t=1"),
        ("REQ/TSK|g=42,@=x", "@", "a,b|c", "REQ/TSK|g=42,@=a%2Cb%7Cc"),
        ("REQ/TSK|g=42", "act", "QRY", "QRY/TSK|g=42"),
        (
            "FETCH|HR|return:A|p:1|aacp:1.1|\nres:x",
            "res",
            "a|b",
            "FETCH|HR|return:A|p:1|aacp:1.1|\nres:a%7Cb",
        ),
        (
            "FETCH|HR|return:A|p:1|aacp:1.1|res:x",
            "res",
            "a\nb",
            "FETCH|HR|return:A|p:1|aacp:1.1|res:a%0Ab",
        ),
        ("T|17|Q|obj=x;ctx=api", "obj", "a b;c", "T|17|Q|obj=a%20b%3Bc;ctx=api"),
        ("SLIP v3 a b Inform Result x y", "dst", "c", "SLIP v3 a c Inform Result x y"),
        (
            '{"g": "X",  "plan":[["s","T",{"n":1}]]}',
            "g",
            'a"b',
            '{"g": "a\\"b",  "plan":[["s","T",{"n":1}]]}',
        ),
        (
            '{"g":"X","plan":[["s","T",{"n":1}]]}',
            "plan.0.2.n",
            "2.5",
            '{"g":"X","plan":[["s","T",{"n":2.5}]]}',
        ),
        (
            '{"g":"X","plan":[["s","T",{"n":1}]]}',
            "plan.0.2.n",
            "two",
            '{"g":"X","plan":[["s","T",{"n":"two"}]]}',
        ),
        (
            '{"g":"X","plan":[["s","T",{"n":"1"}]]}',
            "plan.0.2.n",
            "2",
            '{"g":"X","plan":[["s","T",{"n":"2"}]]}',
        ),
        (
            '{"format":"text","subformat":"English","content":"a"}',
            "content",
            "b\x00\n",
            '{"format":"text","subformat":"English","content":"b\\u0000\\n"}',
        ),
    ],
)
def test_a_value_is_written_anew_and_nothing_else(
    wire: str, name: str, value: str, after: str
) -> None:
    assert edited(wire, name, value) == after


@pytest.mark.parametrize(
    ("wire", "name", "value", "words"),
    [
        ("REQ/TSK|g=42", "act", "A/B", 'would decode as "A"'),
        ("REQ/TSK|g=42,@=x", "@", " x", "cannot start or end with a space"),
        ("SLIP v3 a b Inform Result x", "dst", "b c", "one word without spaces"),
        ("SLIP v3 a b Inform Result x", "force", "Fallback", 'With "Fallback", another'),
        ("FETCH|HR|return:A|p:1|aacp:1.1", "dom", "p:1", "would not decode as"),
        ("FETCH|HR|return:A|p:1|aacp:1.1|json", "", "xml", "This field cannot be edited."),
        ('{"g":"X","plan":[["s","T",{}]]}', "plan", "x", "Only strings, numbers"),
        ('{"g":"X","plan":[["s","T",{}]]}', "g", "\ud800", "Unpaired surrogates cannot be stored"),
    ],
)
def test_what_cannot_be_written_is_refused_in_words(
    wire: str, name: str, value: str, words: str
) -> None:
    with pytest.raises(Unencodable, match=words):
        edited(wire, name, value)


def test_a_value_that_would_leave_no_field_is_refused() -> None:
    message = registry.get("aacp").decode("FETCH")

    with pytest.raises(Unencodable, match='"" would not decode as the field "task"'):
        edit(message, 0, "")


def test_several_values_that_change_another_field_are_all_named() -> None:
    message = detection.decode("SLIP v3 a b Inform Result x")
    values = {index_of(message, "dst"): "c", index_of(message, "force"): "Fallback"}

    with pytest.raises(Unencodable, match='With "c" and "Fallback", another field would change'):
        Edits(message).decode(values)


@pytest.mark.parametrize("index", [-1, 4, 99])
def test_a_field_that_is_not_there_is_refused(index: int) -> None:
    with pytest.raises(Unencodable):
        edit(detection.decode("REQ/TSK|g=42,t=1"), index, "x")


def test_what_holds_other_fields_is_not_editable() -> None:
    message = detection.decode('{"g":"","plan":[["s","T",{}]],"test_mode":true}')

    editable = {field.name for field in message.fields if is_editable(message, field)}
    assert editable == {"g", "plan.0.0", "plan.0.1", "test_mode"}


def test_what_has_no_name_is_not_editable() -> None:
    message = detection.decode("FETCH|HR|return:A|p:1|aacp:1.1|json")
    *named, nameless = message.fields

    assert nameless.value == "json"
    assert not is_editable(message, nameless)
    assert all(is_editable(message, field) for field in named)


def _check(message: Message, index: int, value: str) -> bool:
    """Edits and compares; False when the edit was refused."""
    try:
        done = edit(message, index, value)
    except Unencodable:
        return False
    again = registry.get(message.protocol).decode(done.message.wire)
    before, after = message.fields, again.fields
    assert after[index].value == value
    assert [field.value for at, field in enumerate(after) if at != index] == [
        field.value for at, field in enumerate(before) if at != index
    ]
    start, end = done.span
    assert again.wire == message.wire[:start] + done.text + message.wire[end:]
    return True


@CODECS
@given(
    data=st.data(),
    value=st.one_of(
        st.sampled_from((*HOSTILE, *ODD)), st.text(st.characters(codec=None), max_size=20)
    ),
)
@fuzz.examples(80)
def test_any_value_is_there_and_the_others_stay_or_it_is_refused(
    codec: Codec, data: st.DataObject, value: str
) -> None:
    message = codec.decode(data.draw(st.sampled_from(wires(codec.name))))
    fields = message.fields
    if fields:
        _check(message, data.draw(st.integers(0, len(fields) - 1)), value)


@CODECS
def test_the_value_that_is_there_can_be_written_again(codec: Codec) -> None:
    for wire in wires(codec.name):
        message = codec.decode(wire)
        if message.diagnostics:
            continue
        for index, field in enumerate(message.fields):
            if is_editable(message, field):
                assert _check(message, index, field.value), (wire, field)


@fuzz.mark
@CODECS
def test_most_values_take_a_word(codec: Codec) -> None:
    tried = done = 0
    for wire in wires(codec.name):
        message = codec.decode(wire)
        fields = enumerate(message.fields if message.valid else ())
        editable = [index for index, field in fields if is_editable(message, field)]
        for index in fuzz.some(editable, 10):
            tried += 1
            done += _check(message, index, "word")

    assert done > 0.6 * tried > 0
