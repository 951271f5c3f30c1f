"""In a browser: a field and a packet are erased, with and without JavaScript."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import require_accessible
from tests.installation import Installation
from tests.pages.visits import find, save

pytestmark = pytest.mark.browser
PERSON = "eraser"


def store(page: Page, wire: str, query: str) -> None:
    save(page, wire)
    find(page, "default", query)


def erase(page: Page, field: str = "") -> None:
    page.get_by_role("link", name="Erase packet…").click()
    page.get_by_label("Reason").fill("Request 4711")
    if field:
        page.get_by_label("Erase", exact=True).select_option(field)
        page.get_by_role("button", name="Preview").click()
        expect(page.get_by_role("heading", name="Redacted copy")).to_be_visible()
    page.get_by_role("button", name="Erase field" if field else "Erase packet").click()
    expect(page.get_by_role("heading", name="Erasure")).to_be_visible()


def test_a_field_is_erased_and_then_the_rest(
    page: Page, chromium: Browser, server: Installation
) -> None:
    server.sign_in(page, PERSON)
    server.manage("people", "make-admin", PERSON)
    store(page, "INF/OBS|g=8181,@=xyzzyplugh,!=asked for this", "goal:8181")

    erase(page, "@")

    expect(page.locator("pre.wire")).to_have_text("INF/OBS|g=8181,@=█████,!=asked for this")
    expect(page.locator("main")).to_contain_text("Request 4711")
    expect(page.locator("main")).not_to_contain_text("xyzzyplugh")
    require_accessible(page)
    context = chromium.new_context(
        base_url=server.base_url,
        java_script_enabled=False,
        viewport={"width": 360, "height": 740},
        storage_state=page.context.storage_state(),
    )
    bare = context.new_page()
    bare.goto(page.url)
    erase(bare)
    expect(bare.locator("pre.wire")).to_have_count(0)
    expect(bare.locator("ol.erasures li")).to_have_count(2)
    context.close()


def test_everything_about_a_subject_is_erased_after_a_preview(
    page: Page, server: Installation
) -> None:
    server.sign_in(page, PERSON)
    server.manage("people", "make-admin", PERSON)
    store(page, "INF/OBS|g=8282,@=quuxfrobozz\nREQ/TSK|g=8282,@=quuxfrobozz", "@quuxfrobozz")
    page.goto("/audit/?log=default&q=@quuxfrobozz")

    page.get_by_role("link", name="Erase…", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Erase 2 packets")
    require_accessible(page)
    page.get_by_label("Reason").fill("Request 4712")
    page.get_by_role("button", name="Erase 2 packets").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Erased packets")
    expect(page.get_by_text("Request 4712")).to_have_count(2)
    require_accessible(page)
    page.goto("/audit/?log=default&q=@quuxfrobozz")
    expect(page.get_by_text("No matching packets")).to_be_visible()
