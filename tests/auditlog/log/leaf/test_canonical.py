"""RFC 8785 bytes, leaf hashes, and times."""

from datetime import UTC, datetime
from typing import Any

import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from auditlog.log import leaf

TEXT = st.text(st.characters(codec="utf-8"))
NUMBER = st.integers(1 - 2**53, 2**53 - 1) | st.floats(
    -(2.0**53), 2.0**53, exclude_min=True, exclude_max=True
)


def test_the_leaf_hash_is_that_of_rfc_6962() -> None:
    # The hash of the empty leaf, as certificate transparency's own test vectors have it.
    assert (
        leaf.hash_leaf(b"").hex()
        == "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
    )


@given(
    st.recursive(
        TEXT | st.integers(1 - 2**53, 2**53 - 1) | st.booleans(), lambda inner: st.lists(inner)
    )
)
def test_canonical_is_rfc_8785_for_all_that_we_hash(value: Any) -> None:
    assert leaf.canonical(value) == rfc8785.dumps(value)


@given(
    st.recursive(
        st.none() | st.booleans() | TEXT | NUMBER,
        lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner),
    )
)
def test_canonical_json_is_rfc_8785_for_any_value(value: Any) -> None:
    assert leaf.canonical_json(value) == rfc8785.dumps(value)


def test_canonical_json_sorts_keys_by_utf_16_and_spells_fractions_as_the_rfc_does() -> None:
    value = {"\ue000": 1e-7, "\U00010000": 2.0, "a": [0.1, 1e15, -0.0]}
    assert (
        leaf.canonical_json(value)
        == '{"a":[0.1,1000000000000000,0],"\U00010000":2,"\ue000":1e-7}'.encode()
    )


def test_times_have_six_digits_and_z() -> None:
    assert (
        leaf.format_time(datetime(2026, 11, 20, 10, 0, 1, tzinfo=UTC))
        == "2026-11-20T10:00:01.000000Z"
    )
    assert (
        leaf.format_time(datetime(2026, 11, 20, 10, 0, 1, 250, tzinfo=UTC))
        == "2026-11-20T10:00:01.000250Z"
    )
