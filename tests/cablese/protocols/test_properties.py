"""What holds for every codec and every text."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cablese import detection, registry
from cablese.codec import Codec
from cablese.message import Message, tiles
from tests import fuzz
from tests.cablese.hostile import mutate, random_text, wires

CODECS = pytest.mark.parametrize("codec", registry.all_codecs(), ids=registry.get_names())


def _check(codec: Codec, wire: str) -> Message:
    message = codec.decode(wire)
    covered = tiles(message.wire, message.fields)
    assert "".join(wire[slice(*tile.span)] for tile in covered) == wire
    for tile in covered:
        if tile.kind == "separator":
            assert set(wire[slice(*tile.span)]) <= set(codec.separators), wire
    for diagnostic in message.diagnostics:
        assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(wire)
        assert diagnostic.message
        assert (
            diagnostic.fix is None
            or 0 <= diagnostic.fix.span.start <= diagnostic.fix.span.end <= len(wire)
        )
    names = {field.name for field in message.fields}
    words = codec.describe(message)
    assert "".join(piece.text for piece in words)
    assert all(piece.field is None or piece.field in names for piece in words), (wire, words, names)
    codec.meaning(message)
    codec.plain(message)
    if message.valid:
        _check_canonical(codec, message)
    return message


def _check_canonical(codec: Codec, message: Message) -> None:
    canonical = codec.canonical(message)
    assert canonical is not None
    again = codec.decode(canonical, dialect=message.dialect)
    assert again.valid, (message.wire, canonical, again.diagnostics)
    assert again.values == message.values
    assert codec.canonical(again) == canonical


@CODECS
@given(data=st.data())
@fuzz.examples(60)
def test_any_text_decodes_and_its_spans_tile_the_wire(codec: Codec, data: st.DataObject) -> None:
    _check(codec, data.draw(st.text(st.characters(codec=None))))


@CODECS
@given(seed=st.integers(0, 2**32), data=st.data())
@fuzz.examples(100)
def test_a_spoilt_message_decodes_and_its_spans_tile_the_wire(
    codec: Codec, seed: int, data: st.DataObject
) -> None:
    _check(codec, mutate(data.draw(st.sampled_from(wires(codec.name))), Random(seed)))


@CODECS
@given(seed=st.integers(0, 2**32), data=st.data())
@fuzz.examples(100)
def test_the_quick_reading_equals_the_careful_one(
    codec: Codec, seed: int, data: st.DataObject
) -> None:
    wire = data.draw(st.sampled_from(wires(codec.name)))
    if data.draw(st.booleans()):
        wire = mutate(wire, Random(seed))
    quick = codec.glance(wire, None)
    if quick is not None:
        careful = codec.read(wire, None)
        assert quick.diagnostics == tuple(sorted(careful.diagnostics, key=lambda found: found.span))
        assert quick.values == careful.values
        assert list(quick.values) == list(careful.values)
        assert quick.dialect == codec.dialect_of(careful.values, None)
        assert quick.fields == careful.fields


@CODECS
def test_the_quick_reading_is_taken_by_most_valid_messages(codec: Codec) -> None:
    valid = [wire for wire in wires(codec.name) if not codec.decode(wire).diagnostics]
    assert sum(codec.glance(wire, None) is not None for wire in valid) >= len(valid) / 2


@fuzz.mark
@CODECS
def test_random_and_spoilt_texts_raise_nothing(codec: Codec) -> None:
    random = fuzz.dice()
    whole = wires(codec.name)
    for turn in range(fuzz.many(2_000)):
        wire = random_text(random) if turn % 4 == 0 else mutate(random.choice(whole), random)
        message = codec.decode(wire)
        assert message.wire == wire
        if turn % 10 == 0:
            tiles(message.wire, message.fields)


@CODECS
def test_its_own_valid_messages_are_detected_as_its_own(codec: Codec) -> None:
    for wire in wires(codec.name):
        if codec.decode(wire).valid:
            assert detection.first(wire) == codec.name, wire
            assert detection.rank(wire)[0].protocol == codec.name


@given(wire=st.text(st.characters(codec=None)))
@fuzz.examples(60)
def test_detection_takes_any_text(wire: str) -> None:
    ranked = detection.rank(wire)
    assert all(0 < guess.score <= 1 and guess.reasons for guess in ranked)
    assert detection.first(wire) == (ranked[0].protocol if ranked else None)
    assert detection.decode(wire).wire == wire
