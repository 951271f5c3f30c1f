"""In a browser: the list of diagnostics is filtered, fixes everything at once, and waits while one
types.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import require_accessible
from tests.browser.workbench.test_light import place_caret, write

pytestmark = pytest.mark.browser

BROKEN = "REQ/TSK|g=42,t=1\nRJE/PLN|g=42,,t=01,!=no\nACC/PLN|g=1,t=007\nREQ/TSK|g=x,t=1\n"
WHOLE = "REQ/TSK|g=42,t=1\nREJ/PLN|g=42,t=1,!=no\nACC/PLN|g=1,t=7\nREQ/TSK|g=x,t=1\n"


def codes(page: Page) -> list[str]:
    """The diagnostics that can be seen."""
    found = page.locator("#panel-diagnostics .diagnostic:visible")
    return [str(found.nth(at).get_attribute("data-code")) for at in range(found.count())]


def underlined(page: Page) -> list[str]:
    """What is underlined as an error in the editor."""
    return page.locator("#backdrop .under-error").all_text_contents()


def hold_clock(page: Page) -> None:
    """Write a message, put the caret after its goal, and stop the clock: no pause ends."""
    page.clock.install()
    write(page, "REQ/TSK|g=42,t=1\n")
    place_caret(page, len("REQ/TSK|g=42"))
    page.wait_for_load_state("networkidle")
    page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))


@contextmanager
def answer(page: Page) -> Iterator[None]:
    """Let the clock go on for as long as the answer to an edit takes, and no pause after typing."""
    with page.expect_response("**/reading"):
        yield
        page.clock.run_for(50)
    page.clock.run_for(100)


def test_severities_are_filtered_and_stay_filtered(page: Page) -> None:
    write(page, BROKEN)
    errors = page.get_by_role("button", name="errors")
    expect(errors).to_have_text("✖ 3")
    errors.click()

    expect(errors).to_have_attribute("aria-pressed", "false")
    assert set(codes(page)) == {"nslip.leading-zero"}
    expect(page.locator(".filtered")).to_have_text("3 hidden by the filters above.")
    place_caret(page, 0)
    page.keyboard.press("F8")
    expect(page.locator("#panel-diagnostics .lit")).to_have_attribute(
        "data-code", "nslip.leading-zero"
    )

    with page.expect_response("**/reading"):
        page.keyboard.press("Control+Enter")
    expect(errors).to_have_attribute("aria-pressed", "false")
    assert set(codes(page)) == {"nslip.leading-zero"}
    errors.click()
    assert len(codes(page)) == 5


def test_all_safe_fixes_are_shown_first_applied_at_once_and_undone_at_once(page: Page) -> None:
    write(page, BROKEN)
    page.get_by_role("button", name="Apply all safe fixes (4)…").click()
    dialog = page.get_by_role("dialog", name="All safe fixes")
    expect(dialog).to_contain_text("4 fixes in 2 messages.")
    expect(dialog).to_contain_text("✖ 1 error")
    expect(dialog.locator(".changes li").first.locator("del").first).to_have_text("RJE")
    require_accessible(page)
    dialog.get_by_role("button", name="Apply 4 fixes").click()

    expect(dialog).to_be_hidden()
    expect(page.locator("#text")).to_have_value(WHOLE)
    expect(page.locator("#text")).to_be_focused()
    expect(page.locator("#panel-diagnostics .diagnostic")).to_have_count(1)
    page.keyboard.press("Control+z")
    expect(page.locator("#text")).to_have_value(BROKEN)


def test_fixes_that_are_looked_at_can_be_left(page: Page) -> None:
    write(page, BROKEN)
    page.get_by_role("button", name="Apply all safe fixes").press("Enter")
    dialog = page.get_by_role("dialog", name="All safe fixes")
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")

    expect(dialog).to_be_hidden()
    expect(page.locator("#text")).to_have_value(BROKEN)


def test_all_safe_fixes_work_without_javascript(bare: Page) -> None:
    bare.goto("/?example=")
    bare.locator("#text").fill(BROKEN)
    bare.get_by_role("button", name="Decode", exact=True).click()
    expect(bare.locator(".filter")).to_have_count(2)
    expect(bare.locator(".filter").first).to_be_hidden()
    bare.get_by_role("button", name="Apply all safe fixes (4)…").click()
    expect(bare.locator(".changes li")).to_have_count(2)
    bare.get_by_role("button", name="Cancel").last.click()
    expect(bare.locator("#text")).to_have_value(BROKEN)

    bare.get_by_role("button", name="Apply all safe fixes (4)…").click()
    bare.get_by_role("button", name="Apply 4 fixes").last.click()
    expect(bare.locator("#text")).to_have_value(WHOLE)


def test_a_suggestion_is_applied_alone_and_only_where_it_is_asked_for(page: Page) -> None:
    write(page, "INFO/OBS|g=42,t=1\nREQ/TSK|g=01,t=1\n")
    expect(page.get_by_role("button", name="Apply all safe fixes (1)…")).to_be_visible()
    place_caret(page, 0)
    page.keyboard.press("Control+.")
    expect(page.locator("#text")).to_have_value("INFO/OBS|g=42,t=1\nREQ/TSK|g=1,t=1\n")
    expect(page.get_by_role("button", name="Apply all safe fixes")).to_have_count(0)

    page.get_by_role("button", name="Did you mean INF?").click()
    expect(page.locator("#text")).to_have_value("INF/OBS|g=42,t=1\nREQ/TSK|g=1,t=1\n")
    expect(page.locator("#panel-diagnostics .diagnostic")).to_have_count(0)


def test_a_suggestion_is_applied_by_its_key_once_it_has_been_walked_to(page: Page) -> None:
    write(page, "INFO/OBS|g=42,t=1\n")
    expect(page.get_by_role("button", name="Did you mean INF?")).to_be_visible()
    place_caret(page, 0)
    page.keyboard.press("F8")
    expect(page.locator("#panel-diagnostics .lit")).to_have_attribute(
        "data-code", "nslip.unknown-act"
    )
    page.keyboard.press("Control+.")

    expect(page.locator("#text")).to_have_value("INF/OBS|g=42,t=1\n")


def test_a_problem_is_walked_to_in_the_text_and_the_keys_go_on_from_there(page: Page) -> None:
    write(page, "INFO/OBS|g=42,t=1\nREQ/TSK|g=042,t=1\n")
    text, card = page.locator("#text"), page.locator("#inline-problem")
    expect(page.locator("#panel-diagnostics .diagnostic")).to_have_count(2)
    place_caret(page, 0)
    page.keyboard.press("F8")
    expect(text).to_be_focused()
    expect(card).to_contain_text('Unknown act "INFO".')
    page.keyboard.press("F8")
    expect(card).to_contain_text("leading zero")
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    expect(text).to_be_focused()

    page.keyboard.press("Shift+F8")
    page.keyboard.press("Tab")  # to what the problem offers, and Escape leads back
    assert card.evaluate("(card) => card.contains(document.activeElement)")
    page.keyboard.press("Escape")
    expect(text).to_be_focused()
    page.keyboard.type("INF")
    expect(text).to_have_value("INF/OBS|g=42,t=1\nREQ/TSK|g=042,t=1\n")


def test_two_problems_at_one_place_are_both_walked_to(page: Page) -> None:
    write(page, "T|5|Q|obj=a;x=\n")
    expect(page.locator("#panel-diagnostics .diagnostic")).to_have_count(2)
    place_caret(page, 0)
    card = page.locator("#inline-problem")
    for words in ("Custom key", "x has no value", "Custom key"):
        page.keyboard.press("F8")
        expect(card).to_contain_text(words)


def test_a_new_error_waits_until_the_typing_rests(page: Page) -> None:
    hold_clock(page)
    with answer(page):
        page.keyboard.type("x")
    expect(page.locator("#panel-fields tr[data-f='g'] .value")).to_have_text("42x")
    assert codes(page) == []
    assert underlined(page) == []

    page.clock.resume()
    expect(page.locator("#panel-diagnostics .diagnostic:visible")).to_have_attribute(
        "data-code", "nslip.not-an-integer"
    )
    assert underlined(page) == ["42x"]
    page.keyboard.type("y")
    expect(page.locator("#panel-fields tr[data-f='g'] .value")).to_have_text("42xy")
    assert codes(page) == ["nslip.not-an-integer"]


def test_an_error_that_waits_is_walked_to_at_once(page: Page) -> None:
    hold_clock(page)
    with answer(page):
        page.keyboard.type("x")
    expect(page.locator("#panel-fields tr[data-f='g'] .value")).to_have_text("42x")
    assert codes(page) == []

    page.keyboard.press("F8")
    expect(page.locator("#inline-problem")).to_contain_text("42x")
    assert codes(page) == ["nslip.not-an-integer"]
    assert underlined(page) == ["42x"]


def test_a_mended_error_goes_at_once(page: Page) -> None:
    write(page, "REQ/TSK|g=42x,t=1\n")
    expect(page.locator("#panel-diagnostics .diagnostic:visible")).to_have_count(1)
    place_caret(page, len("REQ/TSK|g=42x"))
    with page.expect_response("**/reading"):
        page.keyboard.press("Backspace")

    expect(page.locator("#panel-diagnostics .diagnostic")).to_have_count(0)
    assert underlined(page) == []


def test_a_paste_is_told_at_once(page: Page) -> None:
    hold_clock(page)
    with answer(page):
        page.keyboard.insert_text("abc")

    expect(page.locator("#panel-diagnostics .diagnostic:visible")).to_have_count(1)


def test_what_is_dropped_is_told_at_once(page: Page) -> None:
    hold_clock(page)
    with answer(page):
        page.locator("#text").evaluate(
            """(text) => {
              text.value = "REQ/TSK|g=42abc,t=1\\n";
              text.dispatchEvent(new InputEvent("input", { inputType: "insertFromDrop" }));
            }"""
        )

    expect(page.locator("#panel-diagnostics .diagnostic:visible")).to_have_count(1)
