"""JSON of strangers is read strictly."""

import pytest

from cablese.verify.strict_json import BadJson, parse


def test_an_object_is_read() -> None:
    assert parse(b'{"a":[1,"\xc3\xa9"],"b":{}}') == {"a": [1, "é"], "b": {}}
    assert parse('{"a":null}') == {"a": None}


@pytest.mark.parametrize(
    "data",
    [
        b"", b"{", b"[]", b"1", b'{"a":NaN}', b'{"a":Infinity}', b'{"a":-Infinity}',
        b'{"a":1,"a":1}', b'{"a":{"b":1,"b":2}}', b'{"a":"\xff"}', b"{}{}", b"\xef\xbb\xbf{}",
        b'{"a":' + b"[" * 100_000, b'{"a":' + b"9" * 5_000 + b"}",
    ],
)  # fmt: skip
def test_anything_else_is_refused(data: bytes) -> None:
    with pytest.raises(BadJson):
        parse(data)
