from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditlog.ingest.item import Item
from auditlog.models import Log
from auditlog.search.completion.complete import MOST, TAGS, complete
from auditlog.search.completion.suggestion import Suggestions
from auditlog.search.find import find
from auditlog.search.language.written import quote
from auditlog.search.query import MAX_CLAUSES, MAX_LENGTH, Clause, QueryError, Text, parse
from tests.auditlog.sending import append, make_sender

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 20, 10, tzinfo=UTC)
WIRES = (
    "REQ/TSK|g=42,t=1,p=2,@=auth_refactor",
    "REQ/TSK|g=42,t=1,@=auth_health",
    "REQ/TSK|g=43,t=2,@=auth_refactor",
    "REJ/PLN|g=42,t=1,!=scope too large",
    "T|1|Q|obj=door;res=emp_salary",
)


@pytest.fixture(autouse=True)
def filled() -> None:
    facts = {"model": "gpt-4o", "api_key": "xyz", "region": "eu west"}
    items = [Item(wire, from_="HR-Agent", attributes=facts) for wire in WIRES]
    append(*items, sender=make_sender())


def get_log() -> Log:
    return Log.objects.select_related("end").get(slug="default")


def suggest(marked: str) -> Suggestions:
    """Complete a query at its bar."""
    return complete(get_log(), marked.replace("|", "", 1), marked.index("|"), now=NOW)


def inserts(marked: str) -> list[str]:
    return [one.insert for one in suggest(marked).items]


def test_keys_come_first_the_usual_ones_before_fields_and_attributes() -> None:
    assert inserts("a|")[:2] == ["act:", "answer:"]
    assert inserts("|")[:3] == ["act:", "from:", "to:"]
    assert inserts("obj|") == ["object:", "obj:"]
    assert inserts("mod|") == ["attr.model:"]
    assert inserts("attr.re|") == ["attr.region:"]
    assert inserts("tline.re|") == ["tline.res:"]
    assert suggest("a|").items[0].detail == "what a message does"


def test_values_come_by_frequency_with_their_counts() -> None:
    found = suggest("act:|")

    assert [(one.label, one.count) for one in found.items[:3]] == [
        ("request", 3),
        ("query", 1),
        ("reject", 1),
    ]
    assert found.exact
    assert ("accept ", None) in [(one.insert, one.count) for one in found.items]
    assert inserts("@auth|") == ["auth_refactor ", "auth_health "]
    assert inserts("au|") == ["@auth_refactor ", "@auth_health "]
    assert inserts("from:hr|") == inserts("from:AGENT|") == ["hr-agent "]
    assert inserts("attr.model:|") == ["gpt-4o "]
    assert inserts("res:|") == inserts("tline.res:|") == ["emp_salary "]
    assert inserts("act:(request OR rej|)") == ["reject"]


def test_values_of_several_words_are_quoted() -> None:
    assert inserts("reason:sc|") == ['"scope too large" ']
    assert inserts('reason:"scope t|') == ['"scope too large" ']
    assert inserts('reason:"scope t|oo" x') == ['"scope too large"']
    assert inserts("attr.region:|") == ['"eu west" ']


def test_choices_and_times_are_offered_where_they_fit() -> None:
    assert inserts("is:un|") == ["unreviewed "]
    assert inserts("finding:s|") == ["sensitive "]
    assert inserts("proto:|")[:2] == ["nslip ", "tline "]
    assert "unknown " in inserts("proto:|")
    assert inserts("since:|")[:3] == ["1h ", "24h ", "7d "]
    assert inserts("since:tod|") == ["2026-11-20 "]
    assert inserts("ts:last|") == ["2026-11-14..2026-11-20 "]
    assert "reason " in inserts("has:re|")
    assert inserts("has:sen|") == ["sent "]
    assert inserts("leaf:1|") == inserts("prio:<=|") == inserts("goal:1..|") == []
    for time in ("since", "until", "ts", "sent"):
        for one in suggest(f"{time}:|").items:
            find(["default"], f"{time}:{one.insert}", now=NOW)


def test_what_follows_the_caret_stays() -> None:
    assert suggest("pro|to:nslip").span == (0, 6)
    assert inserts("pro|to:nslip") == ["proto:"]
    assert inserts("act:|request") == []
    assert inserts("act:req| goal:42") == ["request"]


def test_secrets_and_sensitive_values_are_not_offered() -> None:
    facts = {"note": "bob@acme.example", "cloud": "AKIAIOSFODNN7EXAMPLE", "bank": "x"}
    append(Item("REQ/TSK|g=1", attributes=facts), sender=make_sender("other"))

    assert inserts("attr.api_key:|") == inserts("attr.note:|") == inserts("attr.cloud:|") == []
    assert inserts("attr.bank:|") == ["x "]


def test_a_query_that_is_at_its_limit_gets_no_more_terms() -> None:
    full = " ".join(["x"] * MAX_CLAUSES)

    assert suggest(f"{full} |").items == ()
    assert suggest(f"{full}|").items == ()
    assert suggest(f"{full} act:{'y' * 4000}|").items == ()


def test_a_query_that_is_too_long_gets_no_suggestion_that_would_shorten_it() -> None:
    spaces = MAX_LENGTH - len('reason:"scopeto')

    assert inserts(f'reason:"scope{" " * spaces}to|') == ['"scope too large" ']
    assert inserts(f'reason:"scope {" " * spaces}to|') == []


def test_a_list_has_a_limit_and_few_tags() -> None:
    append(Item("REQ/TSK|g=1", tags=["author", "authority", "auto"]), sender=make_sender("other"))

    assert len(inserts("|")) == MOST
    assert len([one for one in inserts("aut|") if one.startswith("@")]) == TAGS


@given(st.text(min_size=1, max_size=60).filter(lambda text: "\x00" not in text))
def test_a_value_is_read_back_as_it_is(value: str) -> None:
    for query in (f"k:{quote(value)}", f"@{quote(value)}", f"k:({quote(value)})"):
        tree = parse(query)
        assert isinstance(tree, Clause)
        assert isinstance(tree.value, Text)
        assert (tree.value.text, tree.value.prefix) == (value, False)


PIECES = st.sampled_from(
    ["act:", "re", "@", "au", "(", ")", '"', "\\", " ", "-", "NOT ", "OR ", "goal:42", "reason:",
     "scope", "*", "..", "<", ":", "since:", "\U0001f600", "is:", "attr.", "tline.", "x", "tag:"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=9).map("".join), st.integers(-2, 60))
def test_a_suggestion_spoils_nothing(query: str, caret: int) -> None:
    found = complete(get_log(), query, caret, now=NOW)

    assert len(found.items) <= MOST
    start, end = found.span
    assert 0 <= start <= end <= len(query)
    for one in found.items:
        after = query[:start] + one.insert + query[end:]
        value = "x" if one.insert.endswith(":") else ""
        finished = query[:start] + one.insert + value + query[end:]
        assert reach(after) >= min(reach(query), start), (query, after)
        if reach(query) == len(query):
            assert reach(finished) == len(finished), (query, finished)


def reach(query: str) -> int:
    try:
        parse(query)
    except QueryError as error:
        return error.span.start
    return len(query)
