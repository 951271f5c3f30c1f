"""The bytes that are hashed: canonical, small, without user text, and true to their commitments."""

import hmac
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from auditlog.log import leaf

SEED = bytes(range(32))
TEXT = st.text(st.characters(codec="utf-8"))
HEX = st.binary(min_size=32, max_size=32).map(bytes.hex)


def test_the_leaf_hash_is_that_of_rfc_6962() -> None:
    # The hash of the empty leaf, as certificate transparency's own test vectors have it.
    assert (
        leaf.hash_leaf(b"").hex()
        == "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
    )


@given(
    event=st.none() | HEX,
    index=HEX,
    raw=HEX,
    dialect=st.sampled_from(["nslip/1", "unknown"]),
    source=st.integers(1, 2**53 - 1),
)
def test_a_packets_leaf_is_canonical_json(
    event: str | None, index: str, raw: str, dialect: str, source: int
) -> None:
    commit = {"index": index, "raw": raw} | ({"event": event} if event else {})
    written = leaf.format_packet(
        commit=leaf.canonical(commit).decode(),
        log="night-run",
        dialect=dialect,
        received="2026-11-20T10:00:01.000250Z",
        source=source,
    )
    assert written == rfc8785.dumps(
        {
            "v": 1,
            "kind": "packet",
            "log": "night-run",
            "recv": "2026-11-20T10:00:01.000250Z",
            "proto": dialect,
            "src": source,
            "commit": commit,
        }
    )
    assert len(written) <= leaf.LIMIT


@given(event=st.none() | TEXT)
def test_a_packets_commitments_are_canonical_json_and_leave_out_an_absent_event(
    event: str | None,
) -> None:
    def committed(field: str, data: bytes) -> str:
        return leaf.commit(leaf.salt(SEED, field), field, data).hex()

    expected = {"raw": committed("raw", b"wire"), "index": committed("index", b"{}")}
    if event is not None:
        expected["event"] = committed("event", event.encode())
    assert leaf.commit_packet(
        SEED, raw=b"wire", index=b"{}", event=event
    ).encode() == rfc8785.dumps(expected)


@given(
    meaning=st.dictionaries(st.sampled_from(["act", "goal", "topic"]), TEXT),
    supplied=st.dictionaries(st.sampled_from(["from", "to", "tags"]), TEXT | st.lists(TEXT)),
    sent_at=st.none() | TEXT,
    content=st.none() | TEXT,
)
def test_facts_are_canonical_json(
    meaning: dict[str, str], supplied: dict[str, Any], sent_at: str | None, content: str | None
) -> None:
    written = leaf.facts_bytes(
        meaning=leaf.canonical(meaning).decode(),
        supplied=leaf.canonical(supplied).decode(),
        sent_at=sent_at,
        content=None if content is None else content.encode(),
    )
    given_facts: dict[str, Any] = {
        "meaning": meaning,
        "supplied": supplied,
        "sent_at": sent_at,
        "content": content,
    }
    assert written == rfc8785.dumps(
        {name: fact for name, fact in given_facts.items() if fact is not None}
    )


@given(
    st.recursive(
        TEXT | st.integers(1 - 2**53, 2**53 - 1) | st.booleans(), lambda inner: st.lists(inner)
    )
)
def test_canonical_is_rfc_8785_for_all_that_we_hash(value: Any) -> None:
    assert leaf.canonical(value) == rfc8785.dumps(value)


NUMBER = st.integers(1 - 2**53, 2**53 - 1) | st.floats(
    -(2.0**53), 2.0**53, exclude_min=True, exclude_max=True
)


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


def test_a_commitment_is_the_hash_that_the_design_writes_down() -> None:
    salt = hmac.new(SEED, b"cablese/salt/v1\0raw", sha256).digest()
    hashed = b"cablese/commit/v1\0" + b"\0\0\0\3raw" + salt + b"\0\0\0\4wire"
    assert leaf.salt(SEED, "raw") == salt
    assert leaf.commit(salt, "raw", b"wire") == sha256(hashed).digest()


@pytest.mark.parametrize("at", range(4))
def test_a_commitment_fails_when_one_byte_differs(at: int) -> None:
    salt = leaf.salt(SEED, "raw")
    commitment = leaf.commit(salt, "raw", b"wire")
    changed = bytearray(b"wire")
    changed[at] ^= 1
    assert commitment == leaf.commit(salt, "raw", b"wire")
    assert commitment != leaf.commit(salt, "raw", bytes(changed))


def test_a_commitment_holds_for_its_own_field_and_salt_only() -> None:
    salt = leaf.salt(SEED, "raw")
    commitment = leaf.commit(salt, "raw", b"wire")
    assert commitment != leaf.commit(salt, "index", b"wire")
    assert commitment != leaf.commit(leaf.salt(SEED, "index"), "raw", b"wire")
    assert commitment != leaf.commit(leaf.salt(bytes(32), "raw"), "raw", b"wire")


def test_a_reviews_leaf_is_canonical_and_says_nothing_of_the_decision() -> None:
    written = leaf.format_review(
        SEED, decision=b"secret", log="default", received="2026-11-20T10:00:01.000250Z", leaf=7
    )
    decision = leaf.commit(leaf.salt(SEED, "decision"), "decision", b"secret").hex()
    assert written == rfc8785.dumps(
        {
            "v": 1,
            "kind": "review",
            "log": "default",
            "recv": "2026-11-20T10:00:01.000250Z",
            "leaf": 7,
            "commit": {"decision": decision},
        }
    )


def test_leaves_about_the_clock_are_canonical() -> None:
    newest, now = "2036-11-20T10:00:01.000250Z", "2026-11-20T10:00:01.000250Z"
    noted = leaf.format_clock(
        log="default", clock=now, newest=newest, received=newest, state="behind", expected=None
    )
    assert noted.decode() == (
        f'{{"clock":"{now}","kind":"clock","log":"default","newest":"{newest}","recv":"{newest}",'
        '"state":"behind","v":1}'
    )
    accepted = leaf.format_acceptance(log="default", newest=newest, received=now)
    assert accepted.decode() == (
        f'{{"act":"clock.accept","kind":"admin","log":"default","newest":"{newest}",'
        f'"recv":"{now}","v":1}}'
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
