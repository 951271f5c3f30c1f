"""In a browser: notes of the review desk that are not stored, and when they end."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.review.desk import fill, open_queue, title
from tests.installation import Installation

pytestmark = pytest.mark.browser


def test_a_note_survives_a_reload_until_it_is_stored(page: Page, server: Installation) -> None:
    fill(page, server, "draft", "RJE/PLN|g=1,t=1\nRJE/PLN|g=2,t=1")
    open_queue(page, "draft")
    note = page.locator("#note")
    page.keyboard.press("f")
    page.keyboard.type("half a no")
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    title(page, 1)
    page.keyboard.press("c")
    page.keyboard.type("Why?")

    page.reload()
    expect(note).to_have_value("Why?")
    page.keyboard.press("k")
    title(page, 2)
    expect(note).to_have_value("half a no")

    page.keyboard.press("f")
    page.keyboard.type("te")
    page.keyboard.press("Enter")
    expect(page.locator("#state-2")).to_have_text("flagged")
    note.fill("")
    page.reload()
    title(page, 1)
    expect(note).to_have_value("")
    page.keyboard.press("k")
    title(page, 2)
    expect(note).to_have_value("")
    assert "notes-" not in page.evaluate("Object.keys(sessionStorage).join()")


def test_sign_out_forgets_the_notes_of_a_person_in_all_logs(
    page: Page, server: Installation
) -> None:
    fill(page, server, "out", "RJE/PLN|g=1,t=1")
    open_queue(page, "out")
    page.keyboard.press("c")
    page.keyboard.type("Why?")
    person = str(page.locator("#desk").get_attribute("data-drafts")).removesuffix("-out")
    for key in (f"{person}-other", f"{person}9-out", "view"):
        page.evaluate("key => sessionStorage.setItem(key, '[]')", key)
    keys = "Object.keys(sessionStorage)"
    assert {f"{person}-out", f"{person}-other"} < set(page.evaluate(keys))

    page.goto("/protocols/")  # any page of this tab
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("link", name="Sign in", exact=True).wait_for()

    assert not [key for key in page.evaluate(keys) if key.startswith(f"{person}-")]
    assert {f"{person}9-out", "view"} <= set(page.evaluate(keys))


def test_sign_out_forgets_the_notes_in_the_other_tabs(page: Page, server: Installation) -> None:
    fill(page, server, "tabs", "RJE/PLN|g=1,t=1")
    open_queue(page, "tabs")
    page.keyboard.press("c")
    page.keyboard.type("Why?")
    left = page.context.new_page()
    open_queue(left, "tabs")
    left.keyboard.press("c")
    left.keyboard.type("How?")
    left.goto("/protocols/")
    last = page.context.new_page()
    last.goto("/protocols/")
    last.get_by_role("button", name="Sign out").click()

    page.wait_for_url("**/signin?next=**")
    for tab in (page, left):
        assert "notes-" not in tab.evaluate("Object.keys(sessionStorage).join()")
    assert "forgets" not in page.evaluate("Object.keys(localStorage)")
