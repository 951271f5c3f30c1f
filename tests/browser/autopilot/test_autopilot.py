"""The autopilot in a browser: copying, the tab of the workbench, and without JavaScript."""

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from playground.workbench.examples import CONVERSATION
from tests.browser.axe import require_accessible
from tests.browser.workbench.elements import show_tab

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


@pytest.mark.parametrize("kind", ["page", "bare"])
def test_the_workbench_leads_here_with_its_text(request: pytest.FixtureRequest, kind: str) -> None:
    page: Page = request.getfixturevalue(kind)
    page.goto("/?example=conversation")
    if kind == "page":
        show_tab(page, "Formats")
    page.get_by_role("button", name="Open autopilot").click()

    expect(page.locator(".answer")).to_contain_text("Keep these 6 messages in nSLIP")
    expect(page.get_by_role("textbox", name="Messages")).to_have_value(CONVERSATION)


def test_the_tab_of_the_workbench_answers_when_it_is_shown_and_after_edits(page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda one: asked.append(urlsplit(one.url).path))
    page.goto("/?example=conversation")
    page.wait_for_load_state("networkidle")
    assert "/autopilot/panel" not in asked

    page.keyboard.press("Alt+0")
    answer = page.locator("#formats-body .answer")
    expect(answer).to_contain_text("Keep these 6 messages in nSLIP")
    expect(page.locator("#formats-state")).to_have_text("")
    page.locator("#formats-body details.prompt summary").click()
    expect(page.locator("#autopilot-prompt")).to_be_visible()
    require_accessible(page)

    with page.expect_response("**/autopilot/panel"):
        page.locator("#text").fill("REQ/TSK|g=42,t=1")
    expect(answer).to_contain_text("Keep this message in nSLIP")
    with page.expect_response("**/autopilot/panel") as sent:
        page.locator("#tokenizer").select_option("cl100k_base")
    assert sent.value.ok
    expect(page.locator("#formats-body caption")).to_contain_text("cl100k_base")
    page.locator("#text").fill("")
    expect(page.locator("#panel-formats")).to_be_hidden()


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


def test_on_a_phone_the_answer_is_what_one_sees_first(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    answer(page, CONVERSATION)

    expect(page.locator(".autopilot .answer")).to_be_in_viewport(ratio=1)


def test_it_answers_without_javascript(bare: Page) -> None:
    answer(bare, CONVERSATION)
    bare.locator("#way-xml summary").click()

    expect(bare.locator("#text-xml")).to_contain_text("<message><act>REQUEST</act>")
    expect(bare.get_by_role("button", name="Copy text")).to_have_count(0)
