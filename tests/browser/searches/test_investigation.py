"""In a browser: one investigation, from the first letter to a link that somebody else opens."""

import json
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.installation import Installation

pytestmark = pytest.mark.browser
LOG = "inquiry"


def send(page: Page, key: str, number: int) -> None:
    """Store packets of two senders, every fifth of them rejected."""
    lines = "\n".join(
        json.dumps(
            {
                "wire": f"{'REJ' if n % 5 == 0 else 'REQ'}/PLN|g=42,t={n},@=night_shift",
                "log": LOG,
                "from": "planner" if n % 2 else "coder",
            }
        )
        for n in range(number)
    )
    answer = page.request.post(
        "/api/v1/packets/batch",
        data=lines,
        headers={"Content-Type": "application/x-ndjson", "Authorization": f"Bearer {key}"},
    )
    assert answer.ok, answer.text()


def found(page: Page) -> tuple[str, list[str]]:
    """The count and the packets of the page."""
    links = page.locator(".packets a.open").all()
    return (
        page.locator("#found-title").inner_text(),
        [str(link.get_attribute("href")).split("?")[0] for link in links],
    )


def query(page: Page) -> str:
    return parse_qs(urlsplit(page.url).query).get("q", [""])[0].strip()


def type_a_tag(page: Page) -> None:
    page.goto(f"/audit/?log={LOG}", wait_until="networkidle")
    box = page.get_by_role("combobox", name="Search", exact=True)
    box.focus()
    page.keyboard.insert_text("@night")  # at once, so that the list is that of all letters
    expect(page.locator("#completions [role=option]").first).to_contain_text("night_shift")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#completions [aria-selected=true]")).to_contain_text("night_shift")
    page.keyboard.press("Enter")
    expect(box).to_have_value(re.compile("@night_shift"))
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "night_shift" in url)
    assert query(page) == "@night_shift"


def narrow(page: Page) -> str:
    """Choose all times of the histogram and two values, and return the query."""
    times = page.get_by_role("slider", name="Time range")
    times.focus()
    page.keyboard.press("Home")
    page.keyboard.press("Shift+End")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "ts" in url)
    page.locator(".facets").get_by_title("from:planner", exact=True).click()
    page.wait_for_url(lambda url: "planner" in url)
    page.locator(".facets").get_by_title("act:reject", exact=True).click()
    page.wait_for_url(lambda url: "reject" in url)
    narrowed = query(page)
    assert narrowed.startswith("@night_shift ts:")
    assert narrowed.endswith(" from:planner act:reject")
    return narrowed


def save(page: Page, name: str) -> str | None:
    """Pin and save the search, and return its link."""
    page.get_by_role("link", name="Pin this search").click()
    page.locator(".searches-menu summary").click()
    page.locator("#search-name").fill(name)
    page.get_by_role("button", name="Save search").click()
    expect(page.locator(".searches-menu summary")).to_have_text(name)
    return page.get_by_role("link", name="Copy link").get_attribute("href")


def test_a_search_is_typed_narrowed_saved_and_found_unchanged_by_somebody_else(
    page: Page, chromium: Browser, server: Installation
) -> None:
    server.manage("log", "create", LOG)
    key = server.manage("apikey", "create", "inquirer", "--scopes", "ingest").split()[-1]
    server.sign_in(page)
    send(page, key, 120)
    type_a_tag(page)
    narrowed = narrow(page)
    link = save(page, "Rejected by the planner")
    before = found(page)
    assert (before[0], len(before[1])) == ("12 packets", 12)

    send(page, key, 1_000)
    elsewhere = chromium.new_context(base_url=server.base_url)
    other = elsewhere.new_page()
    server.sign_in(other, "grace")
    other.goto(f"/audit/{link}")
    assert query(other) == narrowed
    assert found(other) == before
    expect(other.locator(".pinned")).to_contain_text("1,000 newer leaves are not shown")
    elsewhere.close()
