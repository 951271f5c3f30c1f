"""The autopilot in a browser: copying, the panel as a tab would load it, and without JavaScript."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from playground.workbench.examples import CONVERSATION
from tests.browser.axe import require_accessible
from tests.installation import Installation

pytestmark = pytest.mark.browser
INSIDE = "() => document.documentElement.scrollWidth <= innerWidth"


def answer(page: Page, text: str) -> None:
    page.goto("/autopilot")
    page.get_by_role("textbox", name="Messages").fill(text)
    page.get_by_role("button", name="Find cheapest format").click()
    page.locator(".autopilot .answer").wait_for()


def copied(page: Page) -> str:
    return str(page.evaluate("() => navigator.clipboard.readText()"))


def test_the_prompt_and_the_texts_are_copied_exactly(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    answer(page, CONVERSATION)
    prompt = page.locator("details.prompt")
    prompt.locator("summary").click()
    prompt.get_by_role("button", name="Copy prompt").click()
    expect(prompt.get_by_role("button", name="Copied")).to_be_visible()

    assert copied(page) == prompt.locator("pre").text_content()
    assert copied(page).startswith("Write to other agents in nSLIP, one message at a time")

    toon = page.locator("#way-toon")
    toon.get_by_text("Show the text").click()
    toon.get_by_role("button", name="Copy text").click()
    expect(toon.get_by_role("button", name="Copied")).to_be_visible()
    assert copied(page).startswith("act: REQUEST\nframe: TASK\n")


def test_the_workbench_leads_here_with_its_text(page: Page) -> None:
    page.goto("/?example=conversation")
    page.get_by_role("button", name="Find cheapest format").click()

    expect(page.locator(".answer")).to_contain_text("Keep these 6 messages in nSLIP")
    expect(page.get_by_role("textbox", name="Messages")).to_have_value(CONVERSATION)


def test_a_tab_of_the_workbench_can_load_the_panel(page: Page) -> None:
    page.goto("/?example=conversation")
    page.evaluate(
        "() => { const tab = document.createElement('section'); tab.id = 'tab';"
        " tab.setAttribute('hx-post', '/autopilot/panel');"
        " tab.setAttribute('hx-include', '#workbench'); tab.setAttribute('hx-trigger', 'refresh');"
        " tab.setAttribute('hx-target', 'this'); tab.setAttribute('hx-swap', 'innerHTML');"
        " document.querySelector('#workbench').append(tab);"
        " htmx.process(tab); htmx.trigger(tab, 'refresh'); }"
    )

    expect(page.locator("#tab .answer")).to_contain_text("Keep these 6 messages in nSLIP")
    page.locator("#tab details.prompt summary").click()
    expect(page.locator("#tab #autopilot-prompt")).to_be_visible()


@pytest.mark.parametrize("width", [360, 390, 1280])
def test_candidates_are_cards_where_it_is_narrow(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    answer(page, CONVERSATION)
    for summary in page.locator(".autopilot summary").all():
        summary.click()

    assert page.evaluate(INSIDE)
    require_accessible(page)
    shown = page.locator("#way-nslip .label").first
    expect(shown).to_be_visible() if width < 800 else expect(shown).to_be_hidden()
    expect(page.get_by_role("row", name=re.compile("^nSLIP"))).to_be_visible()
    expect(page.get_by_role("columnheader", name="Tokens")).to_be_attached()


def test_it_answers_without_javascript(chromium: Browser, server: Installation) -> None:
    context = chromium.new_context(base_url=server.base_url, java_script_enabled=False)
    try:
        page = context.new_page()
        answer(page, CONVERSATION)
        page.locator("#way-xml summary").click()

        expect(page.locator("#text-xml")).to_contain_text("<message><act>REQUEST</act>")
        expect(page.get_by_role("button", name="Copy text")).to_have_count(0)
    finally:
        context.close()
