"""Commitments are the hashes that the design writes down, and true to their bytes."""

import hmac
from base64 import b64encode
from hashlib import sha256

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from cablese.tlog import commitment

SEED = bytes(range(32))
TEXT = st.text(st.characters(codec="utf-8"))


@given(
    seed=st.binary(min_size=32, max_size=32),
    event=st.none() | TEXT,
    raw=st.binary(),
    reading=st.binary(max_size=300),
)
def test_a_packets_commitments_are_canonical_json_and_omit_an_absent_event(
    seed: bytes, event: str | None, raw: bytes, reading: bytes
) -> None:
    def committed(field: str, data: bytes) -> str:
        return b64encode(commitment.commit(commitment.salt(seed, field), field, data)).decode()

    fields = {"raw": raw, "index": b"{}", "reading": reading, "by": b'{"source":"a"}'}
    if event is not None:
        fields["event"] = event.encode()
    assert commitment.commit_packet(
        seed, by=fields["by"], event=event, index=b"{}", raw=raw, reading=reading
    ) == rfc8785.dumps({field: committed(field, data) for field, data in fields.items()})


def test_a_commitment_is_the_hash_that_the_design_writes_down() -> None:
    salt = hmac.new(SEED, b"cablese/salt/v1\0raw", sha256).digest()
    hashed = b"cablese/commit/v1\0" + b"\0\0\0\3raw" + salt + b"\0\0\0\4wire"
    assert commitment.salt(SEED, "raw") == salt
    assert commitment.commit(salt, "raw", b"wire") == sha256(hashed).digest()


@pytest.mark.parametrize("at", range(4))
def test_a_commitment_fails_when_one_byte_differs(at: int) -> None:
    salt = commitment.salt(SEED, "raw")
    made = commitment.commit(salt, "raw", b"wire")
    changed = bytearray(b"wire")
    changed[at] ^= 1
    assert made == commitment.commit(salt, "raw", b"wire")
    assert made != commitment.commit(salt, "raw", bytes(changed))


def test_a_commitment_holds_for_its_own_field_and_salt_only() -> None:
    salt = commitment.salt(SEED, "raw")
    made = commitment.commit(salt, "raw", b"wire")
    assert made != commitment.commit(salt, "index", b"wire")
    assert made != commitment.commit(commitment.salt(SEED, "index"), "raw", b"wire")
    assert made != commitment.commit(commitment.salt(bytes(32), "raw"), "raw", b"wire")


def test_a_hash_is_spelled_in_44_characters() -> None:
    assert commitment.spell(bytes(32)) == "A" * 43 + "="
    assert commitment.spell(b"\xfb\xff" * 16) == b64encode(b"\xfb\xff" * 16).decode()


def test_a_commitment_opens_to_its_bytes_alone_and_an_absent_one_to_none() -> None:
    made = commitment.commit(commitment.salt(SEED, "raw"), "raw", b"REQ")
    committed = {"raw": b64encode(made).decode()}
    assert commitment.opens(committed, SEED, "raw", b"REQ")
    assert commitment.opens(committed, SEED, "event", None)

    assert not commitment.opens(committed, SEED, "raw", b"REQ ")
    assert not commitment.opens(committed, bytes(32), "raw", b"REQ")
    assert not commitment.opens(committed, SEED, "raw", None)
    assert not commitment.opens(committed, SEED, "event", b"REQ")
