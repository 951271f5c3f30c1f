"""In a browser: save a search, pin it, and find the same packets later, as another person too."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import require_accessible
from tests.installation import Installation
from tests.pages.visits import save

pytestmark = pytest.mark.browser


def store(page: Page, server: Installation, number: int, tag: str) -> None:
    token = server.manage("apikey", "create", "filler", "--scopes", "ingest").split()[-1]
    lines = "\n".join(
        json.dumps({"wire": f"REQ/TSK|g=616,t={n},p=2,@={tag}"}) for n in range(number)
    )
    answer = page.request.post(
        "/api/v1/packets/batch",
        data=lines,
        headers={"Content-Type": "application/x-ndjson", "Authorization": f"Bearer {token}"},
    )
    assert answer.ok, answer.text()


def found(page: Page) -> tuple[str, list[str]]:
    """The count and the packets of the page."""
    addresses = [
        str(link.get_attribute("href")).split("?")[0]
        for link in page.locator(".packets a.open").all()
    ]
    return page.locator("#found-title").inner_text(), addresses


def open_menu(page: Page) -> None:
    page.locator(".searches-menu summary").click()


def require_inside(page: Page, selector: str) -> None:
    """Fail unless an open menu, with all that is in it, is between the sides of the window."""
    for part in (page.locator(selector), *page.locator(f"{selector} :is(a, button)").all()):
        box = part.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= page.evaluate("innerWidth")


@pytest.fixture(params=[True, False], ids=["script", "no script"])
def other(
    request: pytest.FixtureRequest, chromium: Browser, server: Installation
) -> Iterator[Page]:
    """A page of another person, on a small screen, with and without JavaScript."""
    context = chromium.new_context(base_url=server.base_url, viewport={"width": 360, "height": 740})
    server.sign_in(context.new_page(), "grace")
    bare = chromium.new_context(
        base_url=server.base_url,
        viewport={"width": 360, "height": 740},
        storage_state=context.storage_state(),
        java_script_enabled=request.param,
    )
    yield bare.new_page()
    bare.close()
    context.close()


def test_a_pinned_search_is_the_same_for_another_person_later(
    page: Page, other: Page, server: Installation, request: pytest.FixtureRequest
) -> None:
    way = request.node.callspec.id.replace(" ", "_")
    name, tag = f"Open questions [{way}]", f"pinned_{way}"
    server.sign_in(page)
    store(page, server, 60, tag)
    page.goto(f"/audit/?q=@{tag} goal:616 since:7d")
    page.get_by_role("link", name="Pin this search").click()
    expect(page.locator(".pinned")).to_contain_text("The log has no newer leaves")
    before = found(page)
    assert (before[0], len(before[1])) == ("60 packets", 50)
    open_menu(page)
    page.locator("#search-name").fill(name)
    page.get_by_role("button", name="Save search").click()
    expect(page.locator(".searches-menu summary")).to_have_text(name)
    address = page.get_by_role("link", name="Copy link").get_attribute("href")

    store(page, server, 1_000, tag)
    other.goto(f"/audit/{address}")

    assert found(other) == before
    expect(other.locator(".pinned")).to_contain_text("1,000 newer leaves are not shown")
    other.get_by_role("link", name="Older packets").click()
    expect(other.locator(".packets a.open")).to_have_count(10)
    other.get_by_role("link", name="View newest packets").click()
    expect(other.locator("#found-title")).to_have_text("1,060 packets")
    open_menu(other)
    other.get_by_role("link", name=name).click()
    expect(other.locator(".pinned")).to_be_visible()
    assert found(other) == before
    # Without a script, nothing waits for a frame: the numbers are asked for as they are.
    assert other.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_menu_the_bar_and_the_list_are_accessible(page: Page, server: Installation) -> None:
    server.sign_in(page)
    save(page, "REQ/TSK|g=616,t=1")
    page.goto("/audit/?q=goal:616")
    page.get_by_role("link", name="Pin this search").click()
    open_menu(page)
    page.locator("#search-name").fill("Accessible")
    page.get_by_role("button", name="Save search").click()

    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 800})
        open_menu(page)
        require_inside(page, ".searches-panel")
        require_accessible(page)
        page.keyboard.press("Escape")
        expect(page.locator(".searches-panel")).to_be_hidden()
        page.locator(".columns-menu summary").click()
        require_inside(page, ".columns-menu form")
        require_accessible(page)
        page.keyboard.press("Escape")
    page.goto("/audit/searches")
    require_accessible(page)
    page.get_by_role("link", name="Delete Accessible").click()
    require_accessible(page)
    page.get_by_role("button", name="Delete search").click()
    expect(page.get_by_text("Search deleted.")).to_be_visible()


def test_a_link_is_copied(page: Page, server: Installation) -> None:
    server.sign_in(page)
    store(page, server, 1, "one")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/audit/?at=1")

    page.get_by_role("link", name="Copy link").click()

    expect(page.get_by_role("link", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == f"{server.base_url}/audit/?log=default&at=1"


def test_columns_move_by_keys_and_stay(page: Page, server: Installation) -> None:
    server.sign_in(page, "hopper")
    store(page, server, 1, "one")
    page.goto("/audit/")
    page.locator(".columns-menu summary").click()
    page.get_by_role("button", name="Move Tokens up").focus()
    page.keyboard.press("Enter")

    button = page.get_by_role("button", name="Move Tokens up")
    expect(button).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".packets thead th").nth(4)).to_have_text("Tokens")
    page.goto("/audit/")
    expect(page.locator(".packets thead th").nth(4)).to_have_text("Tokens")
