"""In a browser: the page of one packet, with and without JavaScript."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.installation import Installation
from tests.pages.visits import find, save

pytestmark = pytest.mark.browser


def look_at_each_view(page: Page) -> None:
    views = page.get_by_role("navigation", name="View")
    expect(page.locator("table.fieldtable")).to_be_visible()
    expect(views.locator("[aria-current]")).to_have_text("Table")

    views.get_by_role("link", name="Tree").click()
    expect(page.locator("ul.fieldtree")).to_contain_text("seen_as_a_tree")
    expect(page.locator("table.fieldtable")).to_have_count(0)
    expect(views.locator("[aria-current]")).to_have_text("Tree")

    views.get_by_role("link", name="Raw").click()
    expect(page.locator("pre.wire.raw")).to_have_text("REQ/TSK|g=7117,t=1,@=seen_as_a_tree")
    expect(page.locator(".exact")).to_contain_text("Raw text: 35 characters, 35 bytes.")

    views.get_by_role("link", name="Table").click()
    expect(page.locator("table.fieldtable")).to_be_visible()


def test_a_packet_is_a_table_a_tree_or_the_raw_text_with_and_without_javascript(
    page: Page, chromium: Browser, server: Installation
) -> None:
    server.sign_in(page)
    save(page, "REQ/TSK|g=7117,t=1,@=seen_as_a_tree")
    find(page, "default", "goal:7117")
    look_at_each_view(page)

    context = chromium.new_context(
        base_url=server.base_url,
        java_script_enabled=False,
        storage_state=page.context.storage_state(),
    )
    bare = context.new_page()
    bare.goto(page.url.split("?")[0])
    look_at_each_view(bare)
    context.close()


def test_a_part_of_a_tree_is_lit_in_the_wire(page: Page, server: Installation) -> None:
    server.sign_in(page)
    save(page, "REQ/TSK|g=7118,t=1,@=lit")
    find(page, "default", "goal:7118")
    page.get_by_role("link", name="Tree").click()

    page.locator(".fieldtree .leaf").filter(has_text="7118").hover()

    expect(page.locator("#panel-fields pre .lit").first).to_be_visible()
