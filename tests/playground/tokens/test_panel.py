"""The Tokens panel: the bill, what else it would cost, and whether teaching pays."""

import re
from decimal import Decimal
from html import unescape
from itertools import pairwise

import pytest
from django.http import QueryDict
from django.test import Client

from cablese import tokens
from playground.templatetags.spending import draw_stripes, signed
from playground.tokens.forms import SECTIONS
from playground.tokens.panel import ROWS, TokenPanel
from playground.tokens.prices import format_dollars
from playground.workbench.document import Reading
from playground.workbench.examples import CONVERSATION

REQUEST = "REQ/TSK|g=42,t=1,p=2,@=auth_refactor"
AT_ONCE = {"HX-Request": "true"}


def panel(text: str, query: str = "", tokenizer: str = "o200k_base") -> TokenPanel:
    reading = Reading(text, protocol=None, tokenizer=tokenizer)
    assert reading.shown is not None
    return TokenPanel(reading.shown, reading, QueryDict(query))


def ask(client: Client, part: str, **sent: str) -> str:
    """A part of the panel as words, its tags taken away."""
    page = client.post(
        f"/reading/spending/{part}", {"text": REQUEST} | sent, headers=AT_ONCE
    ).content.decode()
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def test_the_bill_is_drawn_in_the_hues_and_with_the_marks_of_the_fields() -> None:
    made = panel(REQUEST)
    rows = {row.mark: row.hue for row in made.shown.rows}

    assert [share.line.field for share in made.shares] == ["act", "frame", "g", "t", "p", "@"]
    assert {share.marks: share.hue for share in made.shares} == rows
    assert sum(share.line.tokens for share in made.shares) == made.total.count == 19
    assert [share.label for share in made.shares][:3] == [row.label for row in made.shown.rows][:3]


def test_the_shares_lie_side_by_side_in_the_bar_of_all() -> None:
    made = panel('{"g":"find","ctx":{"loc":"Paris"},"plan":[["search","web",{}]]}')
    assert made.bill is not None

    at = 0
    for share in made.shares:
        assert share.start == at
        at += share.line.tokens
    assert at == made.bill.count - made.bill.rest
    stripes = re.findall(
        r'x="([\d.]+)" width="([\d.]+)"', draw_stripes(made.shares, made.bill.count)
    )
    for (start, width), (following, _) in pairwise(stripes):
        assert float(start) + float(width) == pytest.approx(float(following), abs=0.02)


def test_many_fields_are_one_line_and_the_sum_stays() -> None:
    text = "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|" + "|".join(f"k{n}:v{n}" for n in range(40))
    made = panel(text)
    assert made.bill is not None

    assert len(made.shares) == ROWS
    assert made.shares[-1].line.field == "30 more"
    assert sum(share.line.tokens for share in made.shares) + made.bill.rest == made.total.count


def test_all_messages_are_added_up_when_that_is_asked_for() -> None:
    one, every = panel(CONVERSATION), panel(CONVERSATION, "over=message&over=all")
    assert every.reading is not None
    assert every.bill is not None

    assert one.over_all is False
    assert every.over_all is True
    wires = [message.wire for message in every.reading.messages]
    assert (
        every.bill.count
        == every.total.count
        == sum(count.count for count in tokens.count_batch(wires))
    )
    assert [count.count for _, count in every.others] == [
        sum(count.count for count in tokens.count_batch(wires, name)) for name in tokens.names()[1:]
    ]


def test_of_many_messages_the_first_are_added_up_and_fewer_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("playground.tokens.panel.MESSAGES", 4)
    monkeypatch.setattr("playground.tokens.formats.MOST", 3)
    made = panel("".join(f"REQ/TSK|g={at},t=1\n" for at in range(6)), "over=all")
    own = tokens.count("REQ/TSK|g=0,t=1").count
    assert made.bill is not None

    assert (made.bill.count, made.total.count, made.left) == (4 * own, 4 * own, 2)
    assert (made.strip.rows[0].count, made.uncompared) == (3 * own, 3)


def test_of_one_message_there_is_no_choice(client: Client) -> None:
    assert panel(REQUEST, "over=all").over_all is False
    assert 'name="over"' not in client.post("/reading", {"text": REQUEST}).content.decode()
    assert 'name="over"' in client.post("/reading", {"text": CONVERSATION}).content.decode()


@pytest.mark.parametrize(("over", "pressed"), [("message", "true false"), ("all", "false true")])
def test_the_choice_that_is_counted_is_pressed(client: Client, over: str, pressed: str) -> None:
    page = client.post("/reading", {"text": CONVERSATION, "over": over}).content.decode()

    found = re.findall(r'name="over" value="(?:message|all)"\s+aria-pressed="(\w+)"', page)
    assert found == pressed.split()


@pytest.mark.requirement("NSLIP-22")
def test_the_page_has_the_bill_and_leaves_the_rest_for_later(client: Client) -> None:
    page = client.post("/reading", {"text": REQUEST}).content.decode()

    assert "Tokens by field" in page
    assert "full English" not in page
    assert "Never pays back" not in page
    assert "genai-prices" not in page
    assert page.count("hx-preserve") == 3


@pytest.mark.parametrize("part", ["strip", *SECTIONS])
def test_every_part_comes_by_itself_and_takes_nothing_nonsense_and_hostile_text(
    client: Client, part: str
) -> None:
    hostile = "REQ/TSK|@=<script>alert(1)</script>,\u202e=\x00,p=9"
    for sent in (
        {},
        {"text": "x"},
        {"text": hostile},
        {"text": CONVERSATION, "over": "all"},
        {"text": REQUEST, "baseline": "<script>alert(1)</script>"},
    ):
        answer = client.post(f"/reading/spending/{part}", sent, headers=AT_ONCE)
        assert answer.status_code == 200
        assert "<html" not in answer.content.decode()
        assert "<script>" not in answer.content.decode()


def test_a_part_that_is_none_is_not_there(client: Client) -> None:
    assert client.post("/reading/spending/nonsense", {"text": REQUEST}).status_code == 404
    assert client.get("/reading/spending/strip").status_code == 405


@pytest.mark.parametrize("part", SECTIONS)
def test_without_script_a_part_comes_open_in_the_whole_page_and_stays_so(
    client: Client, part: str
) -> None:
    page = client.post(
        f"/reading/spending/{part}", {"text": REQUEST, "open": part}
    ).content.decode()

    assert "<html" in page
    assert re.search(rf'<details class="spend" id="spend-{part}"[^>]* open>', page)
    assert re.search(rf'<input type="hidden" name="open" value="{part}"', page)


def test_without_script_open_sections_stay_open_after_a_fix(client: Client) -> None:
    sent = {"text": "RJE/PLN|g=1", "open": ["prices", "claims"], "examine": ["lens", "corruption"]}

    page = client.post("/", sent | {"fix": "1:1"}).content.decode()

    assert "REJ/PLN|g=1" in page
    for part in ("spend-prices", "spend-claims", "examine-lens", "examine-corruption"):
        assert re.search(rf'id="{part}"[^>]* open>', page)


def test_the_strip_counts_with_every_other_tokenizer_and_makes_none_up(client: Client) -> None:
    words = ask(client, "strip")

    assert words == " ".join(
        f"{tokens.count(REQUEST, name).count} {tokens.info(name).title}"
        for name in tokens.names()[1:]
    )
    costs = ask(client, "costs")
    assert "Anthropic publishes no tokenizer for Claude" in costs
    for name in tokens.names():
        title, family = tokens.info(name).title, tokens.info(name).family
        assert f"{title} {family} {tokens.count(REQUEST, name).count} " in costs


@pytest.mark.requirement("TLINE-20")
def test_a_t_line_is_counted_beside_english_and_json(client: Client) -> None:
    words = ask(client, "baselines", text="T|17|Q|obj=test_scope;ctx=api_auth")

    assert "T-line as sent 14 −5 −26.3%" in words
    assert "full English one-way 23 +4 +21.1%" in words
    assert "minified JSON lossless 19 baseline" in words


def test_what_is_said_otherwise_names_its_baseline_its_tokenizer_and_its_losses(
    client: Client,
) -> None:
    words = ask(client, "baselines")

    assert "This message compared with minified JSON o200k_base" in words
    assert "nSLIP as sent 19 −8 −29.6%" in words
    assert "short English lossy Omits frame." in words
    assert re.search(r"pretty JSON lossless \d+ \+\d+ \+\d+\.\d%", words)
    assert "SLIP v3 lossy" in words

    words = ask(client, "baselines", baseline="short", tokenizer="cl100k_base")
    assert "compared with short English cl100k_base" in words


def test_break_even_says_when_and_how_it_was_reckoned(client: Client) -> None:
    words = ask(client, "break-even", teach_tokens="300", teach_messages="100")

    assert (
        "Breaks even after 38 messages. Each message saves 8 tokens compared with minified JSON "
        "(o200k_base)" in words
    )
    assert "A conversation of 100 messages costs 500 fewer tokens than minified JSON." in words
    assert "= 300 × 1 ÷ 8" in words
    assert "your length, 300 tokens" in words


def test_a_cached_prompt_pays_back_sooner(client: Client) -> None:
    sent = {"teach_tokens": "300", "teach_repeats": "5"}

    assert "Breaks even after 188 messages." in ask(client, "break-even", **sent)
    assert "Breaks even after 53 messages." in ask(client, "break-even", **sent, teach_cached="on")
    assert "Breaks even after 113 messages." in ask(
        client, "break-even", **sent, teach_cached="on", teach_factor="0.5"
    )


def test_what_never_pays_back_is_said_plainly(client: Client) -> None:
    words = ask(client, "break-even", baseline="slip")

    assert "Never breaks even. Each message uses" in words
    assert "more tokens than SLIP v3 (o200k_base)." in words
    assert "more tokens than SLIP v3 (o200k_base). A conversation" in words


def test_a_prompt_of_ones_own_is_counted(client: Client) -> None:
    words = ask(client, "break-even", teach_prompt="Write nSLIP.")

    assert f"your prompt, {tokens.count('Write nSLIP.').count} tokens" in words


def test_wrong_numbers_are_said_and_left_out(client: Client) -> None:
    words = ask(client, "break-even", teach_messages="-3", teach_factor="2", teach_tokens="300")

    assert "Messages: Ensure this value is greater than or equal to 1." in words
    assert "Cached price: Ensure this value is less than or equal to 1." in words
    assert "A conversation of 20 messages costs" in words


def test_without_a_baseline_there_is_nothing_to_break_even_with(client: Client) -> None:
    words = ask(client, "break-even", text="SLIP v3 a b Request Task x", baseline="slip")
    assert "Never breaks even. Each message has the same token count as SLIP v3" in words

    assert "can’t be written as minified JSON" in ask(
        client, "break-even", text="RJE/PLN|g=1", protocol="nslip"
    )


def test_prices_come_with_their_date_and_can_be_changed(client: Client) -> None:
    words = ask(client, "prices", price_model="openai/gpt-4o")
    assert "$0.0000475 $0.00019 $0.0475 $1.43 in 30 days" in words
    assert re.search(
        r"\(genai-prices \d[\d.]+, newest price 20\d\d-\d\d-\d\d\); nothing is fetched",
        words,
    )
    assert "A cached token costs 0.50 times the price of an uncached one." in words

    sent = {
        "price_model": "openai/gpt-4o",
        "price_for": "openai/gpt-4o",
        "price_input": "5",
        "price_output": "10",
    }
    assert "Using your prices; the list prices are $2.50 and $10.00." in ask(
        client, "prices", **sent
    )
    assert "$0.000095" in ask(client, "prices", **sent)

    other = sent | {"price_model": "openai/gpt-4o-mini"}
    assert "as you changed" not in ask(client, "prices", **other)


def test_the_claims_of_the_protocol_stand_beside_counts(client: Client) -> None:
    words = ask(client, "claims")
    assert "One request: English and nSLIP" in words
    assert "nSLIP 12 −82.0% 19" in words
    assert "AACP" not in words

    assert "We know of no published token claims" in ask(
        client, "claims", text="SLIP v3 a b Request Task x"
    )


def test_money_is_written_with_the_digits_that_count() -> None:
    assert [
        format_dollars(Decimal(one)) for one in ("0", "0.0000475", "0.0475", "1.425", "1234.5")
    ] == [
        "$0",
        "$0.0000475",
        "$0.0475",
        "$1.43",
        "$1,234.50",
    ]
    assert [signed(one) for one in (0, 1200, -8)] == ["0", "+1,200", "−8"]
