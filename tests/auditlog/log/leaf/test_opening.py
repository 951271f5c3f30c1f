"""What a packet's leaf commits to: RFC 8785 objects that differ when a column does."""

from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from auditlog.log import leaf

TEXT = st.text(st.characters(codec="utf-8"))
COUNT = st.integers(0, 2**31 - 1)


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
    numbers=st.tuples(COUNT, COUNT, COUNT, st.none() | COUNT),
    texts=st.tuples(TEXT, TEXT, TEXT, TEXT, st.none() | TEXT),
    valid=st.booleans(),
)
def test_a_reading_is_canonical_json(
    numbers: tuple[int, int, int, int | None],
    texts: tuple[str, str, str, str, str | None],
    *,
    valid: bool,
) -> None:
    baseline, codec, tokens, tokens_json = numbers
    diagnostics, protocol, tokenizer, uid, canonical = texts
    written = leaf.reading_bytes(
        leaf.Reading(
            baseline_version=baseline,
            codec_version=codec,
            diagnostics=diagnostics,
            protocol=protocol,
            tokenizer=tokenizer,
            tokens=tokens,
            uid=uid,
            valid=valid,
            canonical=canonical,
            tokens_json=tokens_json,
        )
    )
    values = {
        "baseline_version": baseline,
        "canonical": canonical,
        "codec_version": codec,
        "diagnostics": diagnostics,
        "protocol": protocol,
        "tokenizer": tokenizer,
        "tokens": tokens,
        "tokens_json": tokens_json,
        "uid": uid,
        "valid": valid,
    }
    assert written == rfc8785.dumps(
        {name: value for name, value in values.items() if value is not None}
    )


@pytest.mark.parametrize(
    ("key", "person", "source", "written"),
    [
        ("5fK2", None, "hr-bot", '{"key":"5fK2","source":"hr-bot"}'),
        (None, 3, "user:añn", '{"person":3,"source":"user:añn"}'),
        (None, None, "nobody:door", '{"source":"nobody:door"}'),
        ("", 0, "", '{"key":"","person":0,"source":""}'),
    ],
)
def test_the_sender_is_canonical_json(
    key: str | None, person: int | None, source: str, written: str
) -> None:
    assert leaf.by_bytes(key=key, person=person, source=source) == written.encode()
