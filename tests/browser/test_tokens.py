"""In a browser: the Tokens panel with and without JavaScript, its sliders by keys, and on a small
screen.
"""

from typing import Literal

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from cablese import tokens
from playground.tokens.forms import SECTIONS
from tests.browser.axe import require_accessible
from tests.browser.workbench.elements import show_tab
from tests.installation import Installation

pytestmark = pytest.mark.browser
SLOW = 15_000
"""The first count of a process loads its tokenizers."""


def unfold(page: Page, name: str) -> Locator:
    part = page.locator(f"#spend-{name}")
    part.locator("> summary").click()
    expect(part.locator(".filled table, .filled p").first).to_be_visible(timeout=SLOW)
    return part


def test_all_tokenizers_stand_side_by_side_and_follow_the_text(page: Page) -> None:
    page.goto("/?example=conversation")
    counts = page.locator("#panel-tokens .strip .counted")
    expect(counts).to_have_count(len(tokens.names()), timeout=SLOW)

    page.locator("#text").fill("ACC/PLN|g=7")
    for name, count in zip(tokens.names(), range(len(tokens.names())), strict=True):
        expected = f"{tokens.count('ACC/PLN|g=7', name).count} {tokens.info(name).title}"
        expect(counts.nth(count)).to_have_text(expected)


def test_the_bill_lights_with_its_field_and_adds_up_over_all_messages(page: Page) -> None:
    page.goto("/?example=conversation")
    lines = page.locator(".bill-lines tbody tr")
    lines.filter(has_text="@").hover()
    expect(page.locator("#panel-fields tr.lit")).to_have_attribute("data-f", "@")
    expect(page.locator(".bill-all .lit")).to_have_count(1)
    expect(page.locator(".bill-lines tfoot .number").first).to_have_text("19")

    page.get_by_role("button", name="all 6").click()
    expect(page.get_by_role("button", name="all 6")).to_have_attribute("aria-pressed", "true")
    total = int(page.locator(".bill-lines tfoot .number").first.inner_text())
    show_tab(page, "Messages")
    counts = page.locator(".message .count")
    expect(counts).to_have_count(6)
    assert total == sum(map(int, counts.all_inner_texts()))

    page.locator("#text").press("Control+End")
    page.keyboard.insert_text("\nREQ/TSK|g=43,t=2")
    expect(page.get_by_role("button", name="all 7")).to_have_attribute("aria-pressed", "true")


def test_an_open_part_outlives_the_typing_and_follows_it(page: Page) -> None:
    page.goto("/?example=conversation")
    part = unfold(page, "baselines")
    expect(part.locator("tr.itself .number").first).to_have_text("19")

    page.locator("#text").fill("ACC/PLN|g=7")
    expect(part.locator("tr.itself .number").first).to_have_text(
        str(tokens.count("ACC/PLN|g=7").count)
    )
    expect(part).to_have_attribute("open", "")


def test_a_baseline_is_chosen_by_keys_and_holds_for_every_part(page: Page) -> None:
    page.goto("/?example=conversation")
    even = unfold(page, "break-even")
    expect(even.locator(".outcome")).to_contain_text("compared with minified JSON (o200k_base)")
    part = unfold(page, "baselines")
    part.locator("#baseline-json").focus()
    page.keyboard.press("ArrowDown")

    expect(part.locator("caption")).to_contain_text("compared with JSON with short keys")
    expect(part.locator("#baseline-short-keys")).to_be_focused()
    expect(even.locator(".outcome")).to_contain_text("with JSON with short keys (o200k_base)")


def test_the_sliders_move_by_keys_and_the_chart_and_its_words_follow(page: Page) -> None:
    page.goto("/?example=conversation")
    part = unfold(page, "break-even")
    expect(part.locator("svg.linechart .crossing")).to_have_count(1)
    before = part.locator("svg.linechart .ours").first.get_attribute("y1")
    expect(part.locator(".outcome")).to_contain_text("A conversation of 20 messages costs")

    part.get_by_label("Messages in a conversation, slider").focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    expect(part.locator("#teach_messages")).to_have_value("25")
    expect(part.locator(".outcome")).to_contain_text("A conversation of 25 messages costs")
    expect(part.get_by_label("Messages in a conversation, slider")).to_be_focused()

    part.get_by_label("Prompt sent (times), slider").focus()
    page.keyboard.press("End")
    expect(part.locator("#teach_repeats")).to_have_value("50")
    expect(part.locator("svg.linechart .ours").first).not_to_have_attribute("y1", before or "")
    many = part.locator(".outcome strong").first.inner_text()
    part.get_by_label("Prompt is cached after the first time").check()
    expect(part.locator(".outcome strong").first).not_to_have_text(many)

    part.locator("#teach_messages").fill("300")
    part.locator("#teach_messages").press("Enter")
    expect(part.locator(".outcome")).to_contain_text("A conversation of 300 messages costs")
    expect(page).to_have_url("/?example=conversation")


def test_the_prompt_can_be_read_and_replaced(page: Page) -> None:
    page.goto("/?example=conversation")
    part = unfold(page, "break-even")
    part.get_by_text("Protocol prompt: built-in short specification").click()
    expect(part.locator("details.prompt pre")).to_contain_text("Acts: REQ REQUEST; PRO PROPOSE")

    part.get_by_role("button", name="Edit a copy").click()
    own = part.locator("#teach_prompt")
    expect(own).to_be_focused()
    assert "REQ REQUEST" in own.input_value()
    own.fill("Write nSLIP.")
    expect(
        part.get_by_text(f"your prompt, {tokens.count('Write nSLIP.').count} tokens")
    ).to_be_visible()


def test_prices_are_off_until_asked_for_and_can_be_changed(page: Page) -> None:
    page.goto("/?example=conversation")
    assert "genai-prices" not in page.content()
    part = unfold(page, "prices")
    expect(part).to_contain_text("newest price 20", timeout=SLOW)

    part.get_by_label("Model").select_option("openai/gpt-4o-mini")
    expect(part.get_by_label("Input price ($ per 1M tokens)", exact=True)).to_have_value("0.15")
    part.get_by_label("Input price ($ per 1M tokens)", exact=True).fill("2")
    part.get_by_label("Input price ($ per 1M tokens)", exact=True).press("Enter")
    expect(part).to_contain_text("Using your prices; the list prices are $0.15 and $0.60.")


def test_what_is_chosen_while_an_answer_is_under_way_is_not_drawn_over_by_it(page: Page) -> None:
    page.goto("/?example=conversation")
    part = unfold(page, "prices")
    page.wait_for_load_state("networkidle")
    held: list[Route] = []
    page.route("**/reading/spending/prices", lambda route: held.append(route), times=1)
    with page.expect_request("**/reading/spending/prices"):
        part.evaluate("(one) => htmx.trigger(one, 'refresh')")

    part.get_by_label("Model").select_option("openai/gpt-4o-mini")
    for late in held:
        late.continue_()

    expect(part.get_by_label("Input price ($ per 1M tokens)", exact=True)).to_have_value(
        "0.15", timeout=SLOW
    )
    expect(part.get_by_label("Model")).to_have_value("openai/gpt-4o-mini")


@pytest.mark.parametrize("name", SECTIONS)
def test_without_script_every_part_has_a_button(bare: Page, name: str) -> None:
    bare.goto("/?example=conversation")
    part = bare.locator(f"#spend-{name}")
    part.locator("> summary").click()
    if name == "break-even":
        part.get_by_label("Messages in a conversation", exact=True).fill("30")
    part.get_by_role("button").first.click()

    expect(bare.locator(f"#spend-{name}[open] .filled")).not_to_be_empty()
    if name == "break-even":
        expect(bare.locator(".outcome")).to_contain_text("A conversation of 30 messages costs")
    bare.get_by_role("button", name="all 6").click()
    expect(bare.get_by_role("button", name="all 6")).to_have_attribute("aria-pressed", "true")
    expect(bare.locator(f"#spend-{name}[open] .filled")).not_to_be_empty()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_panel_is_readable_by_everyone_on_a_small_screen(
    chromium: Browser, server: Installation, scheme: Literal["light", "dark"]
) -> None:
    context = chromium.new_context(
        base_url=server.base_url, color_scheme=scheme, viewport={"width": 360, "height": 800}
    )
    page = context.new_page()
    page.goto("/?example=conversation")
    for name in SECTIONS:
        unfold(page, name)
    expect(page.locator("#spend-prices")).to_contain_text("newest price 20", timeout=SLOW)
    require_accessible(page, "#panel-tokens")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    context.close()
