"""In a browser: values are edited in their row, the text follows as if typed, and the focus stays
with the field.
"""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import require_accessible
from tests.browser.workbench.elements import press_message
from tests.browser.workbench.test_light import write

pytestmark = pytest.mark.browser

TWO = "REQ/TSK|g=42,t=1\nT|17|Q|obj=x\n"


def row(page: Page, name: str) -> Locator:
    return page.locator(f"#panel-fields tr[data-f='{name}']")


def test_a_value_is_edited_with_keys_and_undone(page: Page) -> None:
    write(page, TWO)
    row(page, "g").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("New value of g")).to_be_focused()
    expect(page.get_by_label("New value of g")).to_have_value("42")
    page.keyboard.type("a,b")
    page.keyboard.press("Enter")

    expect(page.locator("#text")).to_have_value("REQ/TSK|g=a%2Cb,t=1\nT|17|Q|obj=x\n")
    expect(row(page, "g").locator(".value")).to_have_text("a,b")
    expect(row(page, "g")).to_be_focused()
    page.keyboard.press("Control+z")
    expect(page.locator("#text")).to_have_value(TWO)
    expect(row(page, "g").locator(".value")).to_have_text("42")


def test_escape_gives_up_and_an_untouched_value_changes_nothing(page: Page) -> None:
    write(page, TWO)
    row(page, "t").focus()
    page.keyboard.press("F2")
    page.keyboard.type("9")
    page.keyboard.press("Escape")
    expect(row(page, "t").locator(".value")).to_have_text("1")
    expect(row(page, "t")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")

    expect(row(page, "t")).to_be_focused()
    expect(page.locator("#text")).to_have_value(TWO)


def test_leaving_the_value_writes_it(page: Page) -> None:
    write(page, TWO)
    row(page, "t").hover()
    page.get_by_role("button", name="Edit t").click()
    page.keyboard.type("5")
    page.locator("#panel-means h2").click()

    expect(page.locator("#text")).to_have_value("REQ/TSK|g=42,t=5\nT|17|Q|obj=x\n")


def test_a_value_that_cannot_be_written_is_refused_in_words_and_not_lost(page: Page) -> None:
    write(page, TWO)
    row(page, "act").focus()
    page.keyboard.press("Enter")
    page.keyboard.type("R/Q")
    page.keyboard.press("Enter")

    expect(page.locator(".refused")).to_contain_text('"R/Q"')
    expect(page.get_by_label("New value of act")).to_be_focused()
    expect(page.get_by_label("New value of act")).to_have_value("R/Q")
    expect(page.locator("#text")).to_have_value(TWO)
    require_accessible(page)


def test_another_message_and_json_are_edited_too(page: Page) -> None:
    write(page, '{"g":"X","plan":[["s","T",{"n":1}]]}\n' + "T|17|Q|obj=x\n")
    row(page, "g").focus()
    page.keyboard.press("Enter")
    page.keyboard.insert_text('a"b\u202e')
    page.keyboard.press("Enter")
    expect(page.locator("#text")).to_have_value(
        '{"g":"a\\"b\u202e","plan":[["s","T",{"n":1}]]}\nT|17|Q|obj=x\n'
    )
    expect(row(page, "g").locator(".value")).to_have_text('a"b⟨U+202E⟩')
    row(page, "g").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("New value of g")).to_have_value('a"b\u202e')
    page.keyboard.press("Escape")

    press_message(page, 2)
    expect(page.locator("#means-title")).to_contain_text("2 of 2")
    row(page, "obj").focus()
    page.keyboard.press("Enter")
    page.keyboard.type("a;b")
    page.keyboard.press("Enter")
    expect(page.locator("#text")).to_have_value(
        '{"g":"a\\"b\u202e","plan":[["s","T",{"n":1}]]}\nT|17|Q|obj=a%3Bb\n'
    )


def test_values_are_edited_without_javascript(bare: Page) -> None:
    bare.goto("/?example=")
    bare.locator("#text").fill(TWO)
    bare.get_by_role("button", name="Decode", exact=True).click()
    bare.get_by_role("button", name="Edit t").click()
    bare.get_by_label("t", exact=True).fill("7")
    bare.get_by_role("button", name="Save value", exact=True).click()
    expect(bare.locator("#text")).to_have_value("REQ/TSK|g=42,t=7\nT|17|Q|obj=x\n")

    bare.get_by_role("button", name="Edit act").click()
    bare.get_by_label("act", exact=True).fill("R/Q")
    bare.get_by_role("button", name="Save value", exact=True).click()
    expect(bare.get_by_role("alert")).to_contain_text('"R/Q"')
    bare.get_by_role("button", name="Cancel").click()
    expect(bare.locator("#text")).to_have_value("REQ/TSK|g=42,t=7\nT|17|Q|obj=x\n")
