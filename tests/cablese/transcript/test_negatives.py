"""Texts that resemble a protocol are not messages."""

from cablese import registry
from tests.transcript.negatives import is_claimed, is_valid, load

CLAIMED = 4
"""Texts of the 200 that may be cut into messages: 2 %."""


def test_there_are_200_with_a_name_and_a_source_each() -> None:
    negatives = load()
    assert len(negatives) == 200
    assert len({one.name for one in negatives}) == len({one.text for one in negatives}) == 200
    assert all(one.source and one.text.strip() for one in negatives)


def test_each_protocol_is_resembled_by_at_least_five() -> None:
    likenesses = [one.resembles for one in load()]
    for codec in registry.all_codecs():
        assert likenesses.count(codec.name) >= 5, codec.name
    assert set(likenesses) - {None} <= {codec.name for codec in registry.all_codecs()}


def test_they_are_not_claimed() -> None:
    claimed = [one.name for one in load() if is_claimed(one)]
    assert len(claimed) <= CLAIMED, claimed


def test_none_of_them_is_valid() -> None:
    valid = [one.name for one in load() if is_valid(one)]
    assert valid == []
