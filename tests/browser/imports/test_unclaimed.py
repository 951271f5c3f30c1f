"""In a browser: an import lists the fragments without a message, before it and after it."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import require_accessible
from tests.browser.test_upload import payload
from tests.installation import Installation

pytestmark = pytest.mark.browser


def choose(page: Page, content: bytes) -> None:
    page.goto("/import/")
    page.locator("#import-file").set_input_files(payload("mixed.log", content))


def store(page: Page) -> None:
    page.get_by_role("button", name="Import file", exact=True).click()
    expect(page.locator(".import-words")).to_contain_text("Done", timeout=60_000)


def test_fragments_without_a_message_are_listed_over_all_chunks(
    page: Page, server: Installation
) -> None:
    server.sign_in(page)
    wire = f"REQ/TSK|g=84,t=1,@={'_' * 1000}\n"
    content = f"<img src=x>\n{wire * 600}later\n{wire}" + "prose\n" * 1_233
    choose(page, content.encode())
    preview = page.locator(".import-preview .import-unclaimed")
    expect(preview.locator("summary")).to_have_text("1 fragment without a message")
    preview.locator("summary").click()
    expect(preview.get_by_role("listitem")).to_have_text(["Line 1: <img src=x>"])
    expect(preview.get_by_text("more")).to_be_hidden()
    require_accessible(page)

    store(page)
    result = page.locator(".import-counts .import-unclaimed")
    expect(result.locator("summary")).to_have_text("1,235 fragments without a message")
    result.locator("summary").click()
    rows = result.get_by_role("listitem")
    expect(rows).to_have_count(20)
    expect(rows.first).to_have_text("Line 1: <img src=x>")
    expect(rows.nth(1)).to_have_text("Line 602: later")
    expect(rows.last).to_have_text("Line 621: prose")
    expect(result.get_by_text("and 1,215 more")).to_be_visible()
    expect(result.locator("img")).to_have_count(0)
    require_accessible(page)


def test_a_file_without_such_fragments_has_no_list(page: Page, server: Installation) -> None:
    server.sign_in(page)
    choose(page, b"REQ/TSK|g=85,t=1\n")
    expect(page.locator(".import-preview")).to_be_visible()
    store(page)

    for place in (".import-preview", ".import-counts"):
        expect(page.locator(f"{place} .import-unclaimed")).to_be_hidden()


def test_without_javascript_fragments_are_listed(bare: Page, server: Installation) -> None:
    server.sign_in(bare)
    choose(bare, b"<img src=x>\nREQ/TSK|g=86,t=1\nprose\n")
    bare.get_by_role("button", name="Import file", exact=True).click()
    bare.get_by_text("2 fragments without a message").click()

    rows = bare.locator(".import-unclaimed").get_by_role("listitem")
    expect(rows).to_have_text(["Line 1: <img src=x>", "Line 3: prose"])
