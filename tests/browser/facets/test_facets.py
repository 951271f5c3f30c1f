"""In a browser: a range of the histogram and values of facets change the query, with the mouse, a
finger, and keys, and without JavaScript.
"""

import json
import re
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.browser.axe import require_accessible
from tests.browser.workbench import elements
from tests.installation import Installation

pytestmark = pytest.mark.browser

NOW = datetime.now(UTC)
START = NOW.replace(hour=10, minute=0, second=0, microsecond=0) - timedelta(days=2)
DATE = f"{START:%Y-%m-%d}"
DAY = f"{START:%b} {START.day}" + (f", {START.year}" if START.year != NOW.year else "")
PACKETS = 40
"""One in fifteen minutes, so that each has a bar of its own."""
LIST = "/audit/?log=brush"
HOSTILE = '<img src=x onerror="alert(1)"> \u202e' + "long " * 60
SHIFTS = """() => {
  window.shifts = [];
  const note = (list) => window.shifts.push(...list.getEntries().map(({ value }) => value));
  new PerformanceObserver(note).observe({ type: "layout-shift", buffered: false });
}"""


@pytest.fixture(scope="module")
def filled(server: Installation) -> str:
    """A log of 40 packets, every fourth invalid, fifteen minutes apart."""
    server.manage("log", "create", "brush")
    key = server.manage("apikey", "create", "brush-bot", "--scopes", "ingest")
    items = [
        {
            "wire": f"{'RJE' if n % 4 == 0 else 'REQ'}/PLN|g=7,t={n}", "log": "brush",
            "from": "planner" if n % 2 else "coder",
            "tags": [HOSTILE] if n == 5 else [f"tag-{n % 12}"],
        }
        for n in range(PACKETS)
    ]  # fmt: skip
    request = Request(  # noqa: S310 - our own server
        f"{server.base_url}/api/v1/packets/batch", json.dumps(items).encode(),
        {"Authorization": f"Bearer {key}", "Content-Type": "application/json"},
    )  # fmt: skip
    with urlopen(request) as answer:  # noqa: S310
        assert answer.status == 201
    with closing(sqlite3.connect(server.data / "cablese.sqlite3", timeout=20)) as database:
        (log,) = database.execute("SELECT id FROM auditlog_log WHERE slug = 'brush'").fetchone()
        for n in range(PACKETS):
            received = (START + n * timedelta(minutes=15)).strftime("%Y-%m-%d %H:%M:%S.000000")
            database.execute(
                "UPDATE auditlog_packet SET received = ? WHERE log_id = ? AND leaf = ?",
                (received, log, n + 1),  # leaf 0 is about the key of the log
            )
        database.commit()
    return LIST


@pytest.fixture
def trail(page: Page, server: Installation, filled: str) -> Page:
    server.sign_in(page)
    page.goto(filled)
    slider(page).wait_for()
    return page


def slider(page: Page) -> Locator:
    return page.get_by_role("slider", name="Time range")


def query(page: Page) -> str:
    return parse_qs(urlsplit(page.url).query).get("q", [""])[0]


def rows(page: Page) -> Locator:
    return page.locator(".packets tbody tr")


def place(page: Page, bar: int) -> tuple[float, float]:
    """The middle of a bar on the screen."""
    box = page.locator(".brush .slot").nth(bar).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def come(page: Page, address: str) -> None:
    """Open a page of the trail, and let its counts come when the rest has been painted: a page may
    be painted before it has arrived whole, and moves then.
    """
    held: list[Route] = []
    page.route("**/audit/facets?*", lambda route: held.append(route))
    with page.expect_request("**/audit/facets?*"):
        page.goto(address)
    elements.come(page, held, 1)
    expect(page.locator(".histogram.waiting")).to_be_visible()
    page.wait_for_timeout(200)
    page.evaluate(SHIFTS)
    held[0].continue_()
    page.locator(".brush").wait_for()
    page.wait_for_timeout(200)


def test_it_comes_after_the_list_and_moves_nothing(trail: Page, filled: str) -> None:
    come(trail, filled)
    expect(trail.locator(".brush .bar")).to_have_count(PACKETS)

    assert trail.evaluate("window.shifts") == []
    boxes = [row.bounding_box() for row in rows(trail).all()]
    assert sum(1 for box in boxes if box and box["y"] + box["height"] <= 900) >= 28
    assert trail.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_range_is_brushed_with_the_mouse(trail: Page) -> None:
    trail.get_by_role("combobox", name="Search", exact=True).fill(f"from:planner until:{DATE}")
    trail.get_by_role("button", name="Search").click()
    expect(trail.locator(".brush .bar")).to_have_count(55)

    trail.mouse.move(*place(trail, 1))
    trail.mouse.down()
    trail.mouse.move(*place(trail, 4), steps=4)
    readout = trail.locator(".histogram-readout")
    expect(readout).to_have_text(f"{DAY} 10:30 – {DAY} 11:30 UTC: 2 packets, 0 invalid")
    trail.mouse.up()

    trail.wait_for_url(lambda url: "ts" in url)
    assert query(trail) == f"from:planner ts:{DATE}T10:30..{DATE}T11:29"
    expect(rows(trail)).to_have_count(2)
    trail.get_by_role("link", name="All times").click()
    expect(rows(trail)).to_have_count(20)
    assert query(trail) == "from:planner"


def test_a_range_is_chosen_with_keys(trail: Page) -> None:
    slider(trail).focus()
    said = slider(trail)
    trail.keyboard.press("ArrowLeft")
    expect(said).to_have_attribute("aria-valuetext", f"{DAY} 19:45–20:00 UTC: 1 packet, 0 invalid")
    trail.keyboard.press("Home")
    trail.keyboard.press("ArrowRight")
    expect(said).to_have_attribute("aria-valuenow", "2")
    for _ in range(4):
        trail.keyboard.press("Shift+ArrowRight")
    words = f"{DAY} 10:15 – {DAY} 11:30 UTC: 5 packets, 1 invalid"
    expect(said).to_have_attribute("aria-valuetext", words)

    trail.keyboard.press("Escape")
    expect(said).to_have_attribute(
        "aria-valuetext", trail.locator(".histogram-readout").inner_text()
    )
    trail.keyboard.press("Enter")
    assert query(trail) == ""

    trail.keyboard.press("End")
    trail.keyboard.press("Shift+ArrowLeft")
    trail.keyboard.press("Enter")
    trail.wait_for_url(lambda url: "ts" in url)
    assert query(trail) == f"ts:{DATE}T19:30..{DATE}T19:59"
    expect(rows(trail)).to_have_count(2)


def test_a_bar_is_a_link_and_the_table_has_the_same_numbers(trail: Page) -> None:
    trail.mouse.click(*place(trail, 4))
    trail.wait_for_url(lambda url: "ts" in url)
    expect(rows(trail)).to_have_count(1)

    trail.go_back()
    trail.locator(".numbers summary").click()
    lines = trail.locator(".numbers tbody tr")
    expect(lines).to_have_count(PACKETS)
    expect(lines.nth(4)).to_have_text(re.compile(rf"{DAY} 11:00–11:15\s*1\s*1"))
    require_accessible(trail)
    lines.nth(4).get_by_role("link").click()
    expect(rows(trail)).to_have_count(1)


def test_a_value_is_picked_unpicked_and_excluded(trail: Page) -> None:
    facets = trail.locator(".facets")
    facets.get_by_title("from:planner", exact=True).click()
    expect(rows(trail)).to_have_count(20)
    assert query(trail) == "from:planner"

    chosen = facets.get_by_title("Remove from:planner")
    expect(chosen).to_have_attribute("aria-current", "true")
    chosen.click()
    expect(rows(trail)).to_have_count(PACKETS)
    assert query(trail) == ""

    facets.get_by_label("Exclude from:planner").click()
    expect(facets.get_by_title("Remove -from:planner")).to_be_visible()
    assert query(trail) == "-from:planner"
    expect(rows(trail)).to_have_count(20)
    facets.get_by_title("is:invalid", exact=True).click()
    expect(rows(trail)).to_have_count(10)
    assert query(trail) == "-from:planner is:invalid"
    require_accessible(trail)


def test_more_shows_all_values_in_their_place(trail: Page) -> None:
    tags = trail.locator(".facets section", has=trail.get_by_role("heading", name="Tag"))
    expect(tags.get_by_role("listitem")).to_have_count(8)

    tags.get_by_role("link", name="More").click()

    expect(tags.get_by_role("listitem")).to_have_count(13)
    expect(tags.get_by_role("heading")).to_be_focused()
    assert trail.url.endswith(LIST)
    slider(trail).focus()
    trail.keyboard.press("End")
    expect(slider(trail)).to_have_attribute("aria-valuenow", str(PACKETS))


def test_hostile_values_are_cut_and_lead_to_their_packet(trail: Page) -> None:
    trail.get_by_role("link", name="More in Tag").click()
    value = trail.locator(".facets .choice", has_text="<img")
    expect(value).to_be_visible()
    box = value.bounding_box()
    assert box is not None
    assert box["width"] < 220
    assert box["height"] <= 26
    assert "⟨U+202E⟩" in (value.get_attribute("title") or "")

    value.click()
    expect(rows(trail)).to_have_count(1)


def test_on_a_narrow_screen_facets_are_folded_and_a_finger_brushes(
    chromium: Browser, page: Page, server: Installation, filled: str
) -> None:
    server.sign_in(page)
    context = chromium.new_context(
        base_url=server.base_url, viewport={"width": 360, "height": 740}, has_touch=True,
        is_mobile=True, storage_state=page.context.storage_state(),
    )  # fmt: skip
    phone = context.new_page()
    come(phone, filled)
    assert phone.evaluate("window.shifts") == []
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    value = phone.get_by_title("from:planner", exact=True)
    expect(value).to_be_hidden()
    require_accessible(phone)

    phone.locator(".facets > summary").click()
    expect(value).to_be_visible()
    box = value.bounding_box()
    assert box is not None
    assert box["height"] >= 44
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    require_accessible(phone)

    touch(phone, place(phone, 0), place(phone, 3))
    phone.wait_for_url(lambda url: "ts" in url)
    assert query(phone) == f"ts:{DATE}T10:00..{DATE}T10:59"
    context.close()


def touch(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag a finger from one point to another."""
    session = page.context.new_cdp_session(page)
    middle = ((start[0] + end[0]) / 2, start[1])
    for kind, point in (
        ("touchStart", start), ("touchMove", middle), ("touchMove", end), ("touchEnd", None),
    ):  # fmt: skip
        points = [] if point is None else [{"x": point[0], "y": point[1]}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


@pytest.fixture
def bare(bare: Page, server: Installation, filled: str) -> Page:
    """The search, signed in and without scripts."""
    server.sign_in(bare)
    bare.goto(filled)
    return bare


def test_without_javascript_a_link_shows_them_and_all_of_it_leads_on(bare: Page) -> None:
    expect(bare.locator(".facets")).to_be_hidden()
    bare.get_by_role("link", name="Show facets and histogram").click()

    bare.get_by_title("from:coder", exact=True).click()
    expect(rows(bare)).to_have_count(20)
    bare.mouse.click(*place(bare, 2))
    expect(rows(bare)).to_have_count(1)
    assert query(bare) == f"from:coder ts:{DATE}T10:30..{DATE}T10:44"
    bare.get_by_role("link", name="All times").click()
    bare.get_by_title("Remove from:coder").click()
    bare.get_by_role("link", name="More in Tag").click()
    expect(bare.get_by_title("Exclude @tag-10")).to_be_visible()
    expect(slider(bare)).to_be_hidden()
