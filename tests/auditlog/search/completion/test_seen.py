"""Signs that LIKE reads as a pattern are only themselves, and no list is longer than its limit."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from auditlog.ingest.item import Item
from auditlog.models import Log
from auditlog.search.completion import seen
from tests.auditlog.search.packets import put
from tests.auditlog.sending import append, make_sender

pytestmark = pytest.mark.django_db

TAGS = ["auth", "a!b", "50%off", "of_them", "offthem", "b"]


@pytest.fixture
def log() -> Log:
    """A log of packets with tags, and with fields of a protocol."""
    append(Item("REQ/TSK|g=1", tags=TAGS), sender=make_sender())
    put(["REQ/TSK|k1=x,k2=x,k3=x,kind=x"])
    return Log.objects.get(slug="default")


def values(log: Log, typed: str) -> set[str]:
    return {value.text for value in seen.find_values(log, "tag", typed, 12)}


def test_a_typed_sign_of_a_pattern_is_found_as_it_is(log: Log) -> None:
    assert values(log, "%") == {"50%off"}
    assert values(log, "_") == {"of_them"}
    assert values(log, "!") == {"a!b"}
    assert values(log, "!b") == {"a!b"}
    assert values(log, "u%h") == set()
    assert values(log, "f_them") == {"of_them"}


def test_a_typed_sign_of_a_pattern_begins_no_other_key(log: Log) -> None:
    assert seen.find_keys(log, "nslip", "k", 12) == ["k1", "k2", "k3", "kind"]
    assert seen.find_keys(log, "nslip", "ki", 12) == ["kind"]
    for typed in ("%", "_", "k_", "k%d", "!k", "!"):
        assert seen.find_keys(log, "nslip", typed, 12) == []


def test_no_more_are_found_than_asked_for(log: Log) -> None:
    assert seen.find_keys(log, "nslip", "k", 2) == ["k1", "k2"]
    assert [value.text for value in seen.find_values(log, "tag", "", 2)] == ["50%off", "a!b"]
    assert [value.text for value in seen.find_values(log, "tag", "b", 1)] == ["b"]


@pytest.mark.parametrize(("limit", "statements"), [(2, 1), (3, 2)])
def test_enough_values_that_begin_so_are_not_looked_for_inside_of_others(
    log: Log, limit: int, statements: int
) -> None:
    with CaptureQueriesContext(connection) as queries:
        found = seen.find_values(log, "tag", "of", limit)

    assert [value.text for value in found] == ["of_them", "offthem", "50%off"][:limit]
    assert len(queries) == statements
