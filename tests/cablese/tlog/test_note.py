"""Signed notes, checkpoints, and cosignatures, and what is wrong with them."""

from base64 import b64decode

import pytest

from cablese.tlog import checkpoint, cosignature, note
from cablese.tlog.checkpoint import Checkpoint
from cablese.tlog.note import BadKey, BadNote

LOG = note.make_signer("example.com/log/default", bytes(range(32)))
TEXT = checkpoint.format_checkpoint(Checkpoint(LOG.name, 812, bytes(32)))


def test_a_key_is_written_and_read() -> None:
    verifier = LOG.verifier
    assert note.parse_signer(note.format_signer(LOG)) == LOG
    assert note.parse_verifier(note.format_verifier(verifier)) == verifier
    name, key_id, data = note.format_verifier(verifier).split("+", 2)
    assert (name, len(key_id), b64decode(data)[0]) == (LOG.name, 8, note.ED25519)
    assert "secret" not in repr(LOG)


@pytest.mark.parametrize(
    "text",
    ["", "a+b", "a+00000000+AQ==", note.format_verifier(LOG.verifier).replace("/log", "/ log"),
     note.format_verifier(LOG.verifier).replace("example", "examples"),
     note.format_verifier(LOG.verifier)[:-1]],
)  # fmt: skip
def test_another_key_is_refused(text: str) -> None:
    with pytest.raises(BadKey):
        note.parse_verifier(text)
    with pytest.raises(BadKey):
        note.parse_signer(text)


def test_a_note_opens_with_the_keys_that_signed_it() -> None:
    other = note.generate("example.com/log/default")
    signed = note.sign(TEXT, [LOG, other])
    opened = note.open(signed, [LOG.verifier])
    assert opened.text == TEXT
    assert [one.key_id for one in opened.signatures] == [LOG.key_id]
    assert [one.key_id for one in opened.unknown] == [other.key_id]
    with pytest.raises(BadNote):
        note.open(signed, [note.generate("example.com/log/default").verifier])


def test_a_signature_that_is_there_twice_counts_once() -> None:
    line = note.sign_line(TEXT, LOG)

    opened = note.open(f"{TEXT}\n{line}{line}", [LOG.verifier])

    assert opened.signatures == (note.parse_line(line[:-1]),)
    assert opened.unknown == ()


def test_a_note_with_any_changed_character_is_refused() -> None:
    signed = note.sign(TEXT, [LOG])
    for at, character in enumerate(signed):
        changed = signed[:at] + ("A" if character != "A" else "B") + signed[at + 1 :]
        with pytest.raises(BadNote):
            note.open(changed, [LOG.verifier])


@pytest.mark.parametrize("text", ["", "a", "a\tb\n", "a\r\n"])
def test_a_text_that_is_no_note_is_not_signed(text: str) -> None:
    with pytest.raises(BadNote):
        note.sign(text, [LOG])


@pytest.mark.parametrize(
    "text",
    ["a\n0\n", "a\n01\nAAAA\n", "\n1\nAAAA\n", f"a\n1\n{'A' * 44}\n", f"a\n+1\n{'A' * 43}=\n",
     f"a\n{1 << 63}\n{'A' * 43}=\n", f"a\n1\n{'A' * 43}=", f"a\n1\n{'A' * 43}=\n\nb\n"],
)  # fmt: skip
def test_a_malformed_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(BadNote):
        checkpoint.parse_checkpoint(text)


def test_a_checkpoint_is_written_and_read() -> None:
    found = Checkpoint("example.com/log/default", 0, bytes(range(32)))
    text = checkpoint.format_checkpoint(found)
    assert checkpoint.parse_checkpoint(text) == found
    assert checkpoint.parse_checkpoint(text + "an extension\n") == found
    with pytest.raises(BadNote):
        checkpoint.open_checkpoint(note.sign(text, [LOG]), [LOG.verifier], origin="another")


def test_a_checkpoint_needs_a_key_of_its_own_log() -> None:
    text = checkpoint.format_checkpoint(Checkpoint(LOG.name, 0, bytes(32)))
    witness = note.generate("witness.example", note.COSIGNATURE)
    other = note.generate("example.com/log/other")
    line = cosignature.cosign(text, witness, 1_700_000_000)
    namesake = note.generate(LOG.name, note.COSIGNATURE)
    own = cosignature.cosign(text, namesake, 1_700_000_000)
    verifiers = [LOG.verifier, witness.verifier, other.verifier, namesake.verifier]
    assert checkpoint.open_checkpoint(note.sign(text, [LOG]) + line, verifiers).size == 0
    signed = note.sign(text, [other])
    for foreign in (f"{text}\n{line}", f"{text}\n{own}", signed, signed + line):
        with pytest.raises(BadNote, match="No known key of"):
            checkpoint.open_checkpoint(foreign, verifiers)


def test_a_witness_cosigns_a_text_at_a_time() -> None:
    witness = note.generate("witness.example", note.COSIGNATURE)
    line = cosignature.cosign(TEXT, witness, 1_700_000_000)
    signed = note.sign(TEXT, [LOG]) + line
    opened = note.open(signed, [LOG.verifier, witness.verifier])
    assert [one.name for one in opened.signatures] == [LOG.name, "witness.example"]
    signature = note.parse_line(line[:-1])
    assert cosignature.verify(TEXT, signature, witness.verifier) == 1_700_000_000
    later = signature._replace(value=(1_700_000_001).to_bytes(8, "big") + signature.value[8:])
    assert cosignature.verify(TEXT, later, witness.verifier) is None
    assert cosignature.verify(TEXT + "x\n", signature, witness.verifier) is None


@pytest.mark.parametrize(("at", "is_time"), [((1 << 63) - 1, True), (1 << 63, False)])
def test_the_time_of_a_cosignature_has_63_bits(at: int, *, is_time: bool) -> None:
    witness = note.generate("witness.example", note.COSIGNATURE)
    signed = note.sign_bytes(witness.secret, note.stamp(TEXT, at))
    signature = note.Signature(witness.name, witness.key_id, at.to_bytes(8, "big") + signed)

    assert note.verify(TEXT, signature, witness.verifier) is is_time
    assert cosignature.verify(TEXT, signature, witness.verifier) == (at if is_time else None)


def test_a_key_signs_only_what_its_kind_may() -> None:
    witness = note.generate("witness.example", note.COSIGNATURE)
    with pytest.raises(BadKey):
        note.sign(TEXT, [witness])
    with pytest.raises(BadKey):
        cosignature.cosign(TEXT, LOG, 1_700_000_000)
    line = note.parse_line(note.sign_line(TEXT, LOG)[:-1])
    assert cosignature.verify(TEXT, line, LOG.verifier) is None


def test_a_signature_is_of_the_key_that_it_names() -> None:
    witness = note.generate("witness.example", note.COSIGNATURE)
    signature = note.parse_line(cosignature.cosign(TEXT, witness, 1)[:-1])
    other = witness.verifier._replace(name="other.example")

    assert cosignature.verify(TEXT, signature, witness.verifier) == 1
    assert cosignature.verify(TEXT, signature, other) is None


def test_a_note_has_at_most_64_signatures() -> None:
    line = note.sign_line(TEXT, LOG)

    assert len(note.split(f"{TEXT}\n{line * 64}")[1]) == 64
    with pytest.raises(BadNote, match=r"65 signatures\. The limit is 64"):
        note.split(f"{TEXT}\n{line * 65}")


@pytest.mark.parametrize("secret", [bytes(31), bytes(33)])
def test_a_secret_has_32_bytes(secret: bytes) -> None:
    text = note.format_signer(LOG._replace(secret=secret))

    with pytest.raises(BadKey, match="32 bytes"):
        note.parse_signer(text)


@pytest.mark.parametrize(
    ("name", "public", "algorithm"),
    [("a b", bytes(32), 1), ("a+b", bytes(32), 1), ("a", bytes(31), 1), ("a", bytes(32), 2)],
)
def test_a_key_has_a_name_a_kind_and_a_length(name: str, public: bytes, algorithm: int) -> None:
    with pytest.raises(BadKey):
        note.make_verifier(name, public, algorithm)


def test_a_signing_key_says_that_it_is_one_and_has_its_own_id() -> None:
    text = note.format_signer(LOG)

    for other in (text.removeprefix("PRIVATE+KEY+"), text.replace(LOG.key_id.hex(), "00000000")):
        with pytest.raises(BadKey):
            note.parse_signer(other)


def test_a_signed_text_has_no_control_characters() -> None:
    with pytest.raises(BadNote):
        note.split(f"a\tb\n\n{note.sign_line(TEXT, LOG)}")
