"""Where the strings and the objects of a JSON text are."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cablese.transcript import split
from cablese.transcript.places import Places
from tests import fuzz

TEXTS = st.text(st.sampled_from('ab"\\{}[]:,é\n'), max_size=6)
VALUES = st.recursive(
    TEXTS | st.integers(),
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
    max_leaves=12,
)


def _strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [one for key, inner in value.items() for one in (key, *_strings(inner))]
    if isinstance(value, list):
        return [one for inner in value for one in _strings(inner)]
    return [value] if isinstance(value, str) else []


def _objects(value: Any) -> list[Any]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    below = [one for item in inner for one in _objects(item)]
    return [value, *below] if isinstance(value, dict) else below


@given(value=VALUES, indent=st.none() | st.just(1), ascii_only=st.booleans())
@fuzz.examples(40)
def test_strings_and_objects_are_counted_in_the_order_of_the_text(
    value: Any, indent: int | None, *, ascii_only: bool
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    places = Places(text)

    for number, one in enumerate(_strings(value)):
        at = places.string(number)
        assert json.loads(f'"{text[slice(*at)]}"') == one
        assert places.strings_before(at.start) == number + 1
    for number, one in enumerate(_objects(value)):
        at = places.object(number)
        assert json.loads(text[slice(*at)]) == one
        assert places.objects_before(at.start + 1) == number + 1


def test_every_text_of_a_record_is_read() -> None:
    """A record may hold 20,000 values."""
    wires = [f"REQ/TSK|g={number},t=1" for number in range(15_000)]

    messages = split(json.dumps({"lines": wires})).messages

    assert [cut.wire for cut in messages] == wires
