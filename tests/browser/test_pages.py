"""In a browser: what holds for every page. Our policy is never broken, all can read it, and it fits a small screen."""

from collections.abc import Iterator
from typing import Literal
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Request, StorageState, ViewportSize, expect

from playground.examples import BY_SLUG
from tests.installation import Installation

pytestmark = pytest.mark.browser

BROKEN = "RJE/PLN|g=4242,t=01,!=scope_too_large|p=2,,@=" + "long_" * 60
EVERY_HUE = "".join(BY_SLUG[slug].text for slug in ("conversation", "folded", "plan", "percent", "log"))
HOSTILE = (
    "INF/OBS|g=42,t=1,@=<script>window.broken=1</script>\n"
    "INF/OBS|g=42,t=1,@=<img/src=x/onerror=window.broken=1>\n"
    '{"format":"text","subformat":"English","content":"</textarea><script>window.broken=1</script>"}\n'
    "REJ/PLN|g=42,t=1,!=javascript:window.broken=1\n"
    "INF/OBS|g=42,t=1,@=safe\u202egpj.exe\n"
)
PAGES = (
    "workbench",
    "empty",
    "mistakes",
    "examples",
    "import",
    "save",
    "protocols",
    "protocol",
    "proof",
    "aacp",
    "aacp english",
    "aacp candidates",
    "sacp",
    "sacp agent",
    "sacp assemble",
    "sacp plan",
    "sacp history",
    "audit",
    "receipt",
    "found",
    "query error",
    "conversations",
    "entry",
    "signin",
    "nowhere",
    "nlip",
    "docs",
)


@pytest.fixture(scope="module")
def cookies(server: Installation, chromium: Browser) -> StorageState:
    """What a browser holds once somebody has signed in."""
    context = chromium.new_context(base_url=server.base_url)
    server.sign_in(context.new_page(), "lin")
    state = context.storage_state()
    context.close()
    return state


@pytest.fixture(scope="module")
def entry(server: Installation, chromium: Browser, cookies: StorageState) -> str:
    """The address of a broken packet's page."""
    context = chromium.new_context(base_url=server.base_url, storage_state=cookies)
    page = context.new_page()
    save(page, f"{BROKEN}\n{EVERY_HUE}")
    page.get_by_role("button", name="packets").click()
    page.goto("/audit/?q=goal:4242")
    page.locator("ol.trail a.wire").first.click()
    page.get_by_label("Note").fill("Who sent this?")
    page.get_by_role("button", name="Flag").click()
    address = urlsplit(page.url).path
    context.close()
    return address


def save(page: Page, text: str) -> None:
    page.goto("/?example=")
    page.locator("#text").fill(text)
    page.get_by_role("button", name="to the log…").click()
    expect(page.get_by_role("heading", name="What will be stored")).to_be_visible()


def show(page: Page, name: str, entry: str) -> None:
    addresses = {
        "workbench": "/",
        "empty": "/?example=",
        "mistakes": "/?example=mistakes",
        "examples": "/examples/",
        "import": "/import/",
        "protocols": "/protocols/",
        "protocol": "/protocols/nlip",
        "proof": "/protocols/nlip/requirements/NLIP-21",
        "aacp": "/aacp/",
        "aacp english": "/aacp/english",
        "aacp candidates": "/aacp/candidates",
        "sacp": "/sacp/?wish=find+a+hotel",
        "sacp agent": "/sacp/agent/HOTEL_FINDER?specification=1",
        "sacp assemble": "/sacp/assemble",
        "sacp plan": "/sacp/plan",
        "sacp history": "/sacp/history",
        "audit": "/audit/",
        "receipt": "/audit/receipt",
        "found": "/audit/?q=goal:42",
        "query error": "/audit/?q=(goal:42",
        "conversations": "/audit/conversations",
        "entry": entry,
        "signin": "/signin",
        "nowhere": "/nowhere",
        "nlip": "/nlip",
        "docs": "/api/docs",
    }
    if name == "save":
        save(page, f"{BROKEN}\n{EVERY_HUE}")
    else:
        page.goto(addresses[name])
        page.wait_for_load_state("networkidle")


@pytest.fixture
def watched(chromium: Browser, server: Installation, cookies: StorageState) -> Iterator[Page]:
    """A signed-in page that notes each breach of our policy and each request to another host."""
    breaches: list[str] = []
    size = ViewportSize(width=1280, height=900)
    context = chromium.new_context(base_url=server.base_url, storage_state=cookies, viewport=size)
    context.expose_function("note_breach", lambda words: breaches.append(words))
    context.add_init_script(
        "document.addEventListener('securitypolicyviolation', (event) => "
        "window.note_breach(`${event.violatedDirective} ${event.blockedURI}`))"
    )

    def ask(request: Request) -> None:
        place = urlsplit(request.url)
        if place.scheme in ("http", "https", "ws", "wss") and f"{place.scheme}://{place.netloc}" != server.base_url:
            breaches.append(f"a request to {request.url}")

    context.on("request", ask)
    page = context.new_page()
    yield page
    page.wait_for_timeout(100)
    context.close()
    assert breaches == []


@pytest.mark.parametrize("name", PAGES)
def test_a_page_keeps_our_policy_and_loads_nothing_from_elsewhere(watched: Page, entry: str, name: str) -> None:
    if name == "signin":
        watched.context.clear_cookies()
    show(watched, name, entry)

    expect(watched.locator("body")).to_be_visible()


def test_the_page_of_the_api_works_under_our_policy(watched: Page) -> None:
    watched.goto("/api/docs")
    watched.get_by_text("/api/v1/decode").click()

    expect(watched.get_by_role("button", name="Try it out")).to_be_visible()


def test_the_watch_would_notice_a_breach(chromium: Browser, server: Installation) -> None:
    page = chromium.new_context(base_url=server.base_url).new_page()
    page.goto("/signin")

    seen = page.evaluate(
        "() => new Promise((found) => { document.addEventListener('securitypolicyviolation', (event) => "
        "found(event.violatedDirective)); const one = document.createElement('script'); "
        "one.textContent = 'window.broken = 1'; document.body.append(one); })"
    )

    assert seen.startswith("script-src")
    page.context.close()


def test_hostile_text_changes_nothing_but_its_own_display(watched: Page) -> None:
    watched.goto("/?example=")
    watched.locator("#text").focus()
    watched.keyboard.insert_text(HOSTILE)
    expect(watched.locator("ol.messages > li.message")).to_have_count(5)
    for number in range(5):
        watched.locator("ol.messages > li.message button").nth(number).click()
        expect(watched.locator(".pager")).to_contain_text(f"{number + 1} of 5")
    expect(watched.locator("pre.wire.full")).to_contain_text("safe⟨U+202E⟩gpj.exe")
    watched.get_by_role("button", name="to the log…").click()
    watched.get_by_role("button", name="Save 5 packets").click()
    watched.locator("ol.trail a.wire").last.click()

    assert watched.locator("main script, main img, main iframe").count() == 0
    assert watched.evaluate("() => window.broken") is None


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", [name for name in PAGES if name != "docs"])
def test_everybody_can_use_a_page(watched: Page, entry: str, name: str, scheme: Literal["light", "dark"]) -> None:
    if name == "signin":
        watched.context.clear_cookies()
    watched.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    show(watched, name, entry)

    found = Axe().run(watched)

    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("name", [name for name in PAGES if name != "docs"])
def test_a_page_fits_a_small_screen(watched: Page, entry: str, name: str) -> None:
    if name == "signin":
        watched.context.clear_cookies()
    watched.set_viewport_size({"width": 360, "height": 740})
    show(watched, name, entry)

    width, room = watched.evaluate("() => [document.documentElement.scrollWidth, window.innerWidth]")
    widest = watched.evaluate(
        "() => [...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > 361)"
        ".map((one) => `${one.tagName}.${one.className}`).slice(0, 5)"
    )
    assert width <= room, widest
