"""The page: each number is right, and leads to a search that finds as many packets."""

import html
import re
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth.models import User
from django.test import Client

from auditlog.ingest.item import Item
from auditlog.log import logs
from auditlog.models import Packet, Rollup, RollupPosition, Source
from auditlog.rollup import counting
from auditlog.rollup.read import Span
from auditlog.search.find import find
from playground.statistics import chart, panels, queries
from playground.statistics.chart import Part
from playground.statistics.scope import Scope
from tests.auditlog.findings.following.steps import follow
from tests.auditlog.rollup import oracle
from tests.auditlog.sending import append, make_sender
from tests.playground.audit.pages import read

pytestmark = pytest.mark.django_db
PAGE = "/audit/statistics"
HOSTILE = ('a (b) "c" \\ d*', "<script>alert(1)</script>", "-x", "OR", "a:b", "*", "@tag", "ß é")


@pytest.fixture(autouse=True)
def ada(client: Client) -> None:
    client.force_login(User.objects.create_user("ada"))
    counting.forget()


def fill(seed: int = 2) -> Scope:
    senders = [make_sender("one"), make_sender('two "(x)"')]
    oracle.send(Random(seed), 12, senders, ("default",))
    log = Packet.objects.select_related("log")[0].log
    return Scope(log, Span(date(2026, 10, 31), date(2026, 11, 2)), None, date(2026, 11, 5))


def count(query: str) -> int:
    return find(["default"], query, now=datetime.now(UTC)).count.value


def links(page: str) -> list[tuple[str, str]]:
    """The query of each row of a table, and its number of packets."""
    rows = re.findall(r'<tr><th scope="row"><a href="([^"]*)">.*?</th>\s*<td>([\d,]+)</td>', page)
    return [(query_of(html.unescape(href)), number) for href, number in rows]


def query_of(href: str | None) -> str:
    assert href is not None
    return parse_qs(urlsplit(href).query)["q"][0]


def test_each_bar_and_row_leads_to_as_many_packets(monkeypatch: pytest.MonkeyPatch) -> None:
    # A name within another one is found with it.
    plain = [name for name in oracle.NAMES if " " not in name.strip()]
    monkeypatch.setattr(oracle, "NAMES", [*plain, HOSTILE[1], " "])
    scope = fill()
    names = ("protocol", "act", "from", "to", "source")
    for one in (scope, Scope(scope.log, scope.span, Source.objects.all()[1], scope.newest)):
        total = sum(counts.packets for counts in one.read_days().values())
        for name in names:
            panel = panels.draw_values(one, name, "", "", total, None)
            assert panel.rows
            for row in panel.rows:
                query = query_of(row.href)
                # A packet with another sender in its metadata can be in a shown row and in Other.
                is_part = row.label == "Other" and name in ("from", "to")
                found = count(query)
                assert found == row.counts.packets or (is_part and found < row.counts.packets), (
                    query
                )
        for row in panels.draw_time(one, one.read_days(), None):
            assert count(query_of(row.href)) == row.counts.packets


@pytest.mark.parametrize("name", HOSTILE)
def test_any_name_is_escaped_and_found(client: Client, name: str) -> None:
    append(Item("REQ/TSK|g=1", from_=name), Item("REQ/TSK|g=2"), sender=make_sender())

    page = read(client, PAGE)

    assert "<script>alert" not in page
    senders = page[page.index('id="by-from"') : page.index('id="by-to"')]
    ((query, number),) = links(senders)
    assert number == "1" == str(count(query))


def test_the_sentence_names_baselines_and_tokenizer(client: Client) -> None:
    append(Item("REQ/TSK|g=1,t=1"), Item("RJE/TSK|g"), sender=make_sender())
    follow()

    page = read(client, PAGE)

    assert "2 packets from 1 source; 50% invalid; " in page
    assert re.search(r"% (fewer|more) tokens than minified JSON, .*English \(o200k_base\)", page)
    assert "packets so far" not in page


def test_english_that_is_not_counted_yet_is_said(client: Client) -> None:
    append(Item("REQ/TSK|g=1,t=1"), sender=make_sender())

    page = " ".join(read(client, PAGE).split())

    assert "English is counted for 0 of 1 packets so far." in page


def test_dollars_come_when_they_are_asked_for(client: Client) -> None:
    append(Item("REQ/TSK|g=1,t=1"), sender=make_sender())
    Rollup.objects.update(tokens=2_000_000, json_sent=2_000_000, json_tokens=3_000_000)

    assert "Saved" not in read(client, PAGE)
    listed = read(client, PAGE, price_model="openai/gpt-4o")
    typed = read(
        client, PAGE, price_model="openai/gpt-4o", price_for="openai/gpt-4o", price_input="10"
    )

    assert "Saved" in listed
    assert "the list price is" not in listed
    assert "<td>$10.00</td>" in typed
    assert "<td>$20.00</td>" in typed
    assert "Using your price" in typed


def test_an_empty_log_says_what_to_do(client: Client) -> None:
    page = read(client, PAGE)

    assert "This log is empty" in page
    assert "manage.py demo" in page
    assert "<svg class=" not in page


def test_a_log_that_is_counted_again_says_so(client: Client) -> None:
    append(Item("REQ/TSK|g=1,t=1"), sender=make_sender())
    assert "manage.py rollup" not in read(client, PAGE)

    RollupPosition.objects.create(log_id=1, until=1, english=1)

    assert "1 leaf of this log is not counted yet" in " ".join(read(client, PAGE).split())


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"from": "yesterday"}, "Enter a date such as"),
        ({"from": "2026-11-20", "to": "2026-11-19"}, "The range ends before it starts."),
        ({"from": "1990-01-01"}, "longer than the limit of 3,660 days"),
        ({"log": "nowhere"}, "Unknown log."),
        ({"source": "nobody"}, "Unknown source."),
        ({"days": "8"}, "Expected 7, 30, 90, or all."),
        ({"price_input": "-1", "price_model": "x"}, "greater than or equal to 0"),
        ({"to": "0001-01-01"}, "Expected a year from 1970 to 9998."),
        ({"from": "9999-12-31"}, "Expected a year from 1970 to 9998."),
        ({"from": "9998-12-30", "to": "9998-12-31"}, ""),
    ],
)
def test_a_wrong_choice_is_explained(client: Client, wrong: dict[str, Any], message: str) -> None:
    append(Item("REQ/TSK|g=1,t=1"), sender=make_sender())

    page = read(client, PAGE, 400 if message else 200, **wrong)

    assert message in page


def test_a_wrong_choice_stays_in_its_field_and_keeps_the_others(client: Client) -> None:
    logs.create(slug="second")
    append(Item("REQ/TSK|g=1", log="second"), sender=make_sender("bot"))
    choices = {"log": "second", "from": "2026-11-20", "to": "2026-11-19", "source": "bot"}

    page = read(client, PAGE, 400, **choices)

    assert "To:\n      The range ends before it starts." in page
    for value in ('name="from" value="2026-11-20"', 'name="to" value="2026-11-19"'):
        assert value in page
    for chosen in ("second", "bot"):
        assert re.search(rf'value="{chosen}"\s+selected', page), chosen
    hostile = read(client, PAGE, 400, **{"from": '"><script>'})
    assert 'name="from" value="&quot;&gt;&lt;script&gt;"' in hostile


@pytest.mark.parametrize("days", ["7", "30", "90", "all"])
def test_presets_keep_log_and_source(client: Client, days: str) -> None:
    logs.create(slug="second")
    append(Item("REQ/TSK|g=1", log="second"), sender=make_sender("bot"))

    page = read(client, PAGE, log="second", source="bot", days=days)

    assert "1 packet from bot" in page
    assert f'href="?log=second&amp;source=bot&amp;days={days}"\n      aria-current="true"' in page


def test_the_form_of_the_cost_keeps_log_span_and_source(client: Client) -> None:
    logs.create(slug="second")
    append(Item("REQ/TSK|g=1", log="second"), sender=make_sender("bot"))

    page = read(client, PAGE, log="second", source="bot", days="7")
    form = page.partition('id="cost-title"')[2].partition("</form>")[0]

    hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form))
    assert (hidden["log"], hidden["source"]) == ("second", "bot")
    days = [date.fromisoformat(hidden[name]) for name in ("from", "to")]
    assert days[1] - days[0] == timedelta(days=6)


def test_strangers_sign_in_first(client: Client) -> None:
    client.logout()

    assert client.get(PAGE).status_code == 302


def test_long_ranges_have_wide_columns() -> None:
    def steps(days: int) -> int:
        first = date(2026, 1, 1)
        return len(list(panels._cut(Span(first, first + timedelta(days - 1)))))

    assert (steps(1), steps(92), steps(93), steps(732), steps(733)) == (1, 92, 14, 105, 25)


def test_columns_stand_on_each_other_and_beside_each_other() -> None:
    stacked = chart.stack([[Part("valid", 3), Part("invalid", 1)], [Part("valid", 0)]])
    (valid, invalid), nothing = stacked[0].boxes, stacked[1].boxes

    assert (valid.y + valid.height, invalid.y + invalid.height) == (158, valid.y)
    assert valid.height == 3 * invalid.height
    assert nothing == ()
    left, right = chart.group([[Part("sent", 2), Part("json", 1)]])[0].boxes
    assert left.x + left.width < right.x
    assert left.height == 2 * right.height


def test_a_link_has_its_query_whatever_signs_it_has() -> None:
    scope = fill()
    query = 'act:"a&log=x#y+z%41" \u00e9'

    address = urlsplit(queries.link(scope, query))

    assert parse_qs(address.query) == {"log": [scope.log.slug], "q": [query]}
    assert address.fragment == ""


def test_a_preset_keeps_the_source_whatever_signs_it_has(client: Client) -> None:
    make_sender("a&days=90#b+c")

    page = client.get(PAGE, {"source": "a&days=90#b+c"}).content.decode()

    presets = [html.unescape(each) for each in re.findall(r'href="\?([^"]*days=[^"]*)"', page)]
    assert [parse_qs(each)["source"] for each in presets] == [["a&days=90#b+c"]] * len(presets)
    assert [parse_qs(each)["days"] for each in presets] == [["7"], ["30"], ["90"], ["all"]]
