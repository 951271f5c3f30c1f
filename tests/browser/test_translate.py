"""In a browser: the message that is shown in another protocol, with and without JavaScript."""

from typing import Literal
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import require_accessible
from tests.browser.workbench.elements import show_tab
from tests.installation import Installation

pytestmark = pytest.mark.browser


def test_a_choice_translates_and_stays_while_the_text_changes(page: Page) -> None:
    page.goto("/?example=conversation")
    panel = page.locator("#panel-translate")
    show_tab(page, "Translate")
    panel.locator("select").select_option("aacp")
    expect(panel.locator("pre")).to_contain_text("PROC|TSK|return:unstated")
    expect(panel.locator(".ledger li").first).to_contain_text("renamed")
    expect(panel.locator(".back")).to_contain_text("Lossless.")

    page.locator("#text").fill("EVL/EVL|g=7,sc=8")
    expect(panel.locator("pre")).to_contain_text("x-cablese-score:8")
    expect(panel.locator("select")).to_have_value("aacp")

    panel.locator("select").select_option("slip")
    expect(panel.locator("pre")).to_have_text("SLIP v3 unstated unstated Eval EVL")
    expect(panel.locator(".ledger")).to_contain_text('SLIP v3 has no equivalent of "sc".')
    expect(panel.locator(".back")).to_contain_text("Lossy.")


def test_the_names_of_all_targets_fit(page: Page) -> None:
    page.goto("/?example=conversation")
    show_tab(page, "Translate")
    select = page.locator("#translate-to")
    width = "(select) => select.getBoundingClientRect().width"
    shown = select.evaluate(width)
    select.evaluate("(select) => { select.style.maxWidth = 'none'; }")

    assert select.evaluate(width) == shown


def test_without_script_a_button_of_the_same_form_translates(bare: Page) -> None:
    bare.goto("/?example=conversation")
    bare.locator("#panel-translate select").select_option("tline")
    bare.get_by_role("button", name="Translate").click()
    expect(bare.locator("#panel-translate pre")).to_contain_text("T|1|C|obj=42")
    expect(bare.locator("#panel-translate select")).to_have_value("tline")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_panel_is_readable_by_everyone_on_a_small_screen(
    chromium: Browser, server: Installation, scheme: Literal["light", "dark"]
) -> None:
    context = chromium.new_context(
        base_url=server.base_url, color_scheme=scheme, viewport={"width": 360, "height": 800}
    )
    page = context.new_page()
    page.goto("/?text=" + quote("PRO/PLN|g=42,t=1,due=monday"))
    show_tab(page, "Translate")
    page.locator("#panel-translate select").select_option("tline")
    page.locator("#panel-translate .back").wait_for()
    require_accessible(page, "#panel-translate")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    context.close()


def test_two_messages_are_compared_by_what_they_mean(page: Page) -> None:
    page.goto("/?example=conversation")
    show_tab(page, "Compare")
    page.get_by_label("with message").fill("2")
    page.get_by_label("with message").press("Tab")

    expect(page.locator("#panel-compare")).to_contain_text("act changed")
    page.locator("#text").focus()
    page.keyboard.press("Control+End")
    page.keyboard.type("ACC/PLN|g=1")
    expect(page.locator("#list-title")).to_have_text("7 messages")
    expect(page.locator("#panel-compare thead")).to_contain_text("2 nSLIP")


def test_two_messages_are_compared_without_javascript(bare: Page) -> None:
    bare.goto("/?example=conversation")
    bare.get_by_label("with message").fill("6")
    bare.get_by_role("button", name="Compare", exact=True).click()

    expect(bare.locator("#panel-compare")).to_contain_text("only on the right")
