"""What every codec does alike, beside the rules of its own protocol."""

import pytest

from protocols import registry
from protocols.codec import UNSEEN_LIMIT

SACP = '{"g":"%s","plan":[["run","T",{}]]}'


@pytest.mark.parametrize(("text", "code"), [("a\u200b", "sacp.invisible"), ("a\ud800", "sacp.not-text")])
def test_it_tells_of_a_hundred_places_and_counts_the_others(text: str, code: str) -> None:
    some = registry.get("sacp").decode(SACP % (text * UNSEEN_LIMIT)).diagnostics
    many = registry.get("sacp").decode(SACP % (text * 2500)).diagnostics

    assert [found.code for found in some] == [found.code for found in many] == [code] * UNSEEN_LIMIT
    assert many[:-1] == some[:-1]
    assert "more" not in some[-1].message
    assert many[-1].message.endswith("There are 2,400 more such places.")


def test_it_gives_the_size_of_what_is_too_large_in_bytes() -> None:
    (found,) = registry.get("sacp").decode("é" * 2**20).diagnostics

    assert found.message.startswith("The message has 2,097,152 bytes and was not read.")
