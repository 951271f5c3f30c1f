"""In a browser: the list of packets, and one packet beside it, with and without JavaScript."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.axe import require_accessible
from tests.installation import Installation
from tests.pages.visits import save

pytestmark = pytest.mark.browser
ROW = 26
"""The most pixels of a line of the table."""


@pytest.fixture(scope="module")
def filled(chromium: Browser, server: Installation) -> str:
    """The address of a search that finds 34 packets, one of them invalid."""
    context = chromium.new_context(base_url=server.base_url)
    page = context.new_page()
    server.sign_in(page)
    wires = [f"REQ/TSK|g=515,t={n},p=2,@=listed_{n}" for n in range(33)]
    save(page, "\n".join([*wires, "RJE/PLN|g=515,t=40,!=no"]))
    context.close()
    return "/audit/?q=goal%3A515"


@pytest.fixture
def trail(page: Page, server: Installation, filled: str) -> Page:
    server.sign_in(page)
    page.goto(filled)
    return page


def lines(page: Page) -> Locator:
    return page.locator(".packets a.open")


def packet_of(page: Page) -> str | None:
    """The packet that the address says is open."""
    return next(iter(parse_qs(urlsplit(page.url).query).get("packet", ())), None)


def test_28_packets_are_in_view(trail: Page) -> None:
    rows = trail.locator(".packets tbody tr")

    boxes = [row.bounding_box() for row in rows.all()]
    seen = [box for box in boxes if box and box["y"] + box["height"] <= 900]
    assert len(seen) >= 28
    assert max(box["height"] for box in seen) <= ROW
    assert trail.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_links_of_a_search_stay_on_one_line(trail: Page) -> None:
    bar = trail.locator(".trail-bar")
    trail.evaluate("document.querySelector('.trail-bar a[href*=erased]')?.remove()")
    before = bar.bounding_box()
    trail.evaluate(
        """() => {
          const erased = document.createElement("a");
          erased.className = "quiet";
          erased.textContent = "1,234 erased";
          document.querySelector(".trail-bar").append(erased);
          document.querySelector(".trail-bar .hint").textContent = "packet is invalid ".repeat(20);
        }"""
    )

    assert bar.bounding_box() == before


def test_a_click_opens_a_packet_beside_the_list_and_escape_closes_it(trail: Page) -> None:
    before = lines(trail).count()
    lines(trail).nth(3).click()

    drawer = trail.locator("#drawer")
    expect(drawer.get_by_role("heading")).to_contain_text("Packet")
    expect(drawer).to_contain_text("listed_30")
    expect(lines(trail).nth(3)).to_have_attribute("aria-current", "true")
    assert lines(trail).count() == before
    assert (lines(trail).nth(3).get_attribute("href") or "").find(str(packet_of(trail))) > 0

    trail.reload()
    expect(drawer).to_contain_text("listed_30")

    trail.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    assert packet_of(trail) is None
    assert "q=goal%3A515" in trail.url


def test_the_list_is_walked_by_keys_and_the_drawer_follows(trail: Page) -> None:
    drawer = trail.locator("#drawer")
    trail.keyboard.press("j")
    expect(lines(trail).nth(0)).to_be_focused()
    expect(drawer).to_be_hidden()

    trail.keyboard.press("Enter")
    expect(drawer).to_contain_text("Unknown act")
    expect(lines(trail).nth(0)).to_be_focused()
    trail.keyboard.press("j")
    expect(drawer).to_contain_text("listed_32")
    trail.keyboard.press("ArrowDown")
    expect(drawer).to_contain_text("listed_31")
    trail.keyboard.press("k")
    expect(drawer).to_contain_text("listed_32")

    trail.keyboard.press("Enter")
    expect(trail.locator("#drawer-title")).to_be_focused()
    trail.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    expect(lines(trail).nth(1)).to_be_focused()


def test_the_open_packet_keeps_its_place_in_the_table(trail: Page) -> None:
    lefts = "(all) => [...new Set(all.map((one) => one.getBoundingClientRect().left))]"
    trail.keyboard.press("j")
    trail.keyboard.press("Enter")
    trail.locator("#drawer .fieldtable").wait_for()
    trail.keyboard.press("j")

    assert len(lines(trail).evaluate_all(lefts)) == 1


def test_forced_colors_mark_the_whole_row_of_the_open_packet(trail: Page) -> None:
    trail.emulate_media(forced_colors="active")
    lines(trail).nth(3).click()
    expect(lines(trail).nth(3)).to_have_attribute("aria-current", "true")
    row, other = (trail.locator(".packets tbody tr").nth(n) for n in (3, 4))
    fill = "(one) => getComputedStyle(one).backgroundColor"
    inks = "(row) => [...new Set([...row.children].map((one) => getComputedStyle(one).color))]"

    assert row.evaluate(fill) != other.evaluate(fill)
    assert row.evaluate(inks) != other.evaluate(inks)
    assert len(row.evaluate(inks)) == 1


def test_escape_closes_a_menu_before_the_packet(trail: Page) -> None:
    lines(trail).nth(3).click()
    trail.locator("#drawer .fieldtable").wait_for()
    trail.locator(".columns-menu summary").click()

    trail.keyboard.press("Escape")
    expect(trail.locator("#drawer")).to_be_visible()
    trail.keyboard.press("Escape")
    expect(trail.locator("#drawer")).to_be_hidden()


def test_a_modified_click_opens_the_page_of_the_packet(trail: Page) -> None:
    line = lines(trail).nth(3)
    address = line.get_attribute("href") or "no address"
    # What the server answers, because headless Chromium may never draw a tab in the background.
    with (
        trail.context.expect_page(),
        trail.context.expect_event(
            "response", lambda response: response.url.endswith(address)
        ) as answered,
    ):
        line.click(modifiers=["Control"])
    assert answered.value.ok
    assert answered.value.request.is_navigation_request()
    expect(trail.locator("#drawer")).to_be_hidden()


def reset_columns(page: Page) -> None:
    """Take back a choice that is stored for the person of all these tests."""
    page.locator(".columns-menu summary").click()
    page.get_by_role("button", name="Reset to default").click()
    expect(page.get_by_role("columnheader", name="Act")).to_be_visible()


def test_columns_are_chosen_and_stay(trail: Page) -> None:
    trail.locator(".columns-menu summary").click()
    trail.get_by_label("Raw text").check()
    trail.get_by_role("checkbox", name="Act", exact=True).uncheck()
    trail.get_by_role("button", name="Show columns").click()

    expect(trail.get_by_role("columnheader", name="Raw text")).to_be_visible()
    expect(trail.get_by_role("columnheader", name="Act")).to_have_count(0)
    lines(trail).nth(3).click()
    expect(trail.locator("#drawer")).to_contain_text("listed_30")
    trail.reload()
    expect(trail.get_by_role("columnheader", name="Raw text")).to_be_visible()
    expect(trail.get_by_role("combobox", name="Search", exact=True)).to_have_value("goal:515")
    reset_columns(trail)


def test_times_are_those_of_the_readers_zone(
    chromium: Browser, page: Page, server: Installation, filled: str
) -> None:
    server.sign_in(page)
    context = chromium.new_context(
        base_url=server.base_url,
        timezone_id="Asia/Kolkata",
        storage_state=page.context.storage_state(),
    )
    there = context.new_page()
    there.goto(filled)
    time = there.locator(".packets td.c-sent time").first

    said = there.evaluate(
        "(at) => new Date(at).toLocaleString('sv', { timeZone: 'Asia/Kolkata' })",
        time.get_attribute("datetime"),
    )
    expect(time).to_have_text(said)
    expect(time).to_have_attribute("title", re.compile("UTC"))
    expect(there.locator(".packets th.c-sent")).to_have_text("Sent (GMT+5:30)")
    there.set_viewport_size({"width": 390, "height": 844})
    after = "(one) => getComputedStyle(one, '::after').content"
    assert time.evaluate(after) == '" GMT+5:30"'
    there.set_viewport_size({"width": 1280, "height": 900})
    assert time.evaluate(after) == "none"
    there.locator(".packets a.open").first.click()
    expect(there.locator("#drawer time").first).to_have_text(f"{said} GMT+5:30")
    there.goto(filled.replace("/audit/", "/audit/conversations"))
    expect(there.locator(".talk-table time").first).to_have_text(re.compile(r"\d GMT\+5:30$"))
    context.close()


@pytest.fixture
def bare(bare: Page, server: Installation, filled: str) -> Page:
    """The search, signed in and without scripts."""
    server.sign_in(bare)
    bare.goto(filled)
    return bare


def test_without_javascript_a_line_leads_to_its_packet_and_columns_are_chosen(bare: Page) -> None:
    expect(bare.get_by_role("columnheader", name="Sent (UTC)")).to_be_visible()
    bare.locator(".columns-menu summary").click()
    bare.get_by_role("checkbox", name="Protocol", exact=True).check()
    bare.get_by_role("button", name="Show columns").click()
    expect(bare.get_by_role("columnheader", name="Protocol")).to_be_visible()
    reset_columns(bare)

    lines(bare).nth(3).click()
    expect(bare.locator("h1")).to_contain_text("Packet")


def test_without_javascript_an_address_opens_a_packet_and_a_link_closes_it(bare: Page) -> None:
    before = lines(bare).count()
    uid = str(lines(bare).nth(3).get_attribute("href")).split("?")[0].split("/")[-1]
    bare.goto(f"{bare.url}&packet={uid}")
    expect(bare.locator("#drawer")).to_contain_text("listed_30")

    bare.get_by_role("link", name="Close packet").click()
    expect(bare.locator("#drawer")).to_be_hidden()
    assert bare.url.endswith("/audit/?q=goal%3A515")
    expect(lines(bare)).to_have_count(before)


def test_a_packet_leads_to_the_others_of_its_search_by_keys_and_buttons(trail: Page) -> None:
    lines(trail).nth(3).click()
    trail.get_by_role("link", name="Open packet").click()
    heading = trail.locator("pre.wire.full")
    expect(heading).to_contain_text("listed_30")
    trail.wait_for_load_state()  # keys work once the scripts have run

    trail.keyboard.press("j")
    expect(heading).to_contain_text("listed_29")
    trail.wait_for_load_state()
    trail.keyboard.press("k")
    expect(heading).to_contain_text("listed_30")
    trail.get_by_role("link", name="Older").click()
    expect(heading).to_contain_text("listed_29")

    trail.locator(".crumbs a").click()
    expect(trail.get_by_role("combobox", name="Search", exact=True)).to_have_value("goal:515")


def test_on_a_narrow_screen_a_packet_has_two_lines_and_a_page_of_its_own(trail: Page) -> None:
    trail.set_viewport_size({"width": 390, "height": 844})

    box = trail.locator(".packets tbody tr").nth(3).bounding_box()
    assert box is not None
    assert 44 <= box["height"] <= 2 * ROW
    assert trail.evaluate("document.documentElement.scrollWidth <= innerWidth")
    lines(trail).nth(3).click()
    expect(trail.locator("h1")).to_contain_text("Packet")


def test_an_open_packet_is_accessible(trail: Page) -> None:
    lines(trail).nth(0).click()
    trail.locator("#drawer .fieldtable").wait_for()
    require_accessible(trail)
    trail.set_viewport_size({"width": 390, "height": 844})
    require_accessible(trail)
