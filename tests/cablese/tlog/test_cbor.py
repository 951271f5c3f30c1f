"""CBOR, against the examples of RFC 8949 and a strange library."""

from contextlib import suppress
from typing import Any

import cbor2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cablese.tlog import cbor
from cablese.tlog.cbor import BadCbor, Tag

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**64), 2**64 - 1)
    | st.binary(max_size=300)
    | st.text(max_size=300),
    lambda inner: (
        st.lists(inner, max_size=30)
        | st.dictionaries(st.integers(-100, 400) | st.text(max_size=5), inner, max_size=30)
    ),
    max_leaves=30,
)


@pytest.mark.parametrize(
    ("value", "data"),
    [
        (0, "00"), (23, "17"), (24, "1818"), (1000, "1903e8"), (1000000, "1a000f4240"),
        (2**64 - 1, "1bffffffffffffffff"), (-1, "20"), (-1000, "3903e7"),
        (-(2**64), "3b" + "ff" * 8),
        (False, "f4"), (True, "f5"), (None, "f6"), (b"\1\2\3\4", "4401020304"), ("ü", "62c3bc"),
        ([1, [2, 3], [4, 5]], "8301820203820405"), ({1: 2, 3: 4}, "a201020304"),
        (Tag(1, 1363896240), "c11a514b67b0"),
    ],
)  # fmt: skip
def test_the_examples_of_the_standard(value: Any, data: str) -> None:
    assert cbor.encode(value).hex() == data
    assert cbor.decode(bytes.fromhex(data)) == value


@given(VALUES)
def test_another_library_reads_what_it_writes_and_the_other_way_round(value: Any) -> None:
    data = cbor.encode(value)
    assert plain(cbor2.loads(data)) == plain(value)
    assert data == cbor2.dumps(value, canonical=True) or isinstance(value, dict | list)
    assert plain(cbor.decode(cbor2.dumps(value))) == plain(value)


def plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if hasattr(value, "items"):
        return {key: plain(one) for key, one in value.items()}
    return value


def test_keys_are_written_in_the_order_of_their_bytes() -> None:
    assert cbor.encode({"a": 1, 395: 2, -1: 3, 1: 4}).hex() == "a4010419018b0220036161" + "01"


@pytest.mark.parametrize(
    "data",
    [
        "", "18", "1900", "0000", "5f42010243030405ff", "9fff", "bf00ff", "f90000", "fb" + "00" * 8,
        "ff", "f7", "e0", "61ff", "a2010201ff", "a201020103", "a1f501", "a14001", "9a7fffffff",
        "5b7fffffffffffffff", "81" * 40 + "00", "c1", "1c", "f816", "d81c",
        "1c" + "00" * 16, "1f" + "00" * 128,
    ],
)  # fmt: skip
def test_anything_else_is_refused(data: str) -> None:
    with pytest.raises(BadCbor):
        cbor.decode(bytes.fromhex(data))


@given(st.binary(max_size=60))
def test_no_bytes_do_anything_but_be_read_or_refused(data: bytes) -> None:
    with suppress(BadCbor):
        cbor.decode(data)
