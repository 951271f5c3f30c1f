"""Every kind of leaf: made by one function, canonical, small, without user text, written down."""

import json
import re
from pathlib import Path
from typing import get_args

import pytest
import rfc8785

from auditlog.log import leaf
from auditlog.log.leaf.event_leaf import Access, Change, HoldAct, Incident, KeyAct, SigningAct
from auditlog.models import Leaf
from tests.auditlog.log.leaf.examples import AT, EXAMPLES, LOG, SEED, Example

DESIGN = Path(__file__).parents[4] / "docs/design/audit.md"
KINDS: tuple[str, ...] = get_args(leaf.Kind)
WORDS = {
    word
    for words in (Access, Change, HoldAct, Incident, KeyAct, SigningAct, leaf.ClockState)
    for word in get_args(words)
}
PUBLIC = re.compile(
    r"[A-Za-z0-9+/]{43}=|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"
    r"|default|nslip/1|[0-9A-Za-z]{12}|[0-9a-f]{8}|ingest|read"
)
"""Hashes and public keys, times, slugs, dialects, the IDs of keys, and scopes."""
BIGGEST = 2**53 - 1


def test_every_kind_is_made_by_one_function_of_its_name() -> None:
    made = {name for name in leaf.__all__ if name.startswith("format_")} - {"format_time"}
    assert sorted(made) == sorted(f"format_{kind.replace('-', '_')}" for kind in KINDS)


def test_every_kind_has_an_example() -> None:
    assert {json.loads(example.data)["kind"] for example in EXAMPLES} == set(KINDS)


def test_every_kind_fits_into_its_column() -> None:
    assert max(map(len, KINDS)) <= (Leaf._meta.get_field("kind").max_length or 0)


@pytest.mark.parametrize("example", EXAMPLES)
def test_it_is_canonical_and_begins_as_every_leaf_does(example: Example) -> None:
    said = json.loads(example.data)
    assert rfc8785.dumps(said) == example.data
    assert (said["v"], said["log"]) == (2, LOG)
    assert said["recv"].endswith("000250Z")


@pytest.mark.parametrize("example", EXAMPLES)
def test_its_commitments_open(example: Example) -> None:
    assert json.loads(example.data).get("commit", {}) == {
        field: leaf.spell(leaf.commit(leaf.salt(SEED, field), field, opened))
        for field, opened in example.opened.items()
    }


@pytest.mark.parametrize("example", EXAMPLES)
def test_it_says_nothing_that_a_person_or_an_agent_wrote(example: Example) -> None:
    said = json.loads(example.data)
    said |= said.pop("commit", {})
    del said["kind"]
    texts = [*said.pop("scopes", ()), *(one for one in said.values() if isinstance(one, str))]
    assert [text for text in texts if text not in WORDS and not PUBLIC.fullmatch(text)] == []
    assert {type(value) for value in said.values()} <= {str, int}


def test_the_largest_leaf_is_within_the_limit() -> None:
    largest = leaf.format_api_key(
        SEED, log="x" * 40, received=AT, act="revoke", key="0" * 12,
        scopes=("ingest", "read", "export", "admin"), expires=AT, by=b"", source=b"",
    )  # fmt: skip
    hold = leaf.format_hold(
        SEED, log="x" * 40, received=AT, act="release", placed=BIGGEST,
        by=b"x" * leaf.LIMIT, what=b"x" * leaf.LIMIT, reason=b"x" * leaf.LIMIT,
    )  # fmt: skip
    assert max(map(len, (largest, hold))) <= leaf.LIMIT // 8


def test_the_design_shows_the_bytes_of_every_example() -> None:
    shown = re.findall(r"^    (\{.*\})$", DESIGN.read_text(), re.MULTILINE)
    assert shown == [example.data.decode() for example in EXAMPLES]
