"""In a browser: a page that was kept shows a test nothing of the tests before."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.windows.kept import Windows
from tests.installation import Installation

pytestmark = pytest.mark.browser

STORE = """
async () => {
  localStorage.setItem("left", "1");
  sessionStorage.setItem("left", "1");
  addEventListener("pagehide", () => sessionStorage.setItem("left", "at the end"));
  document.cookie = "left=1";
  window.name = "left";
  await (await caches.open("left")).put("/left", new Response("1"));
  await new Promise((done) => { indexedDB.open("left", 1).onsuccess = done; });
}
"""
SEEN = """
async () => ({
  local: localStorage.length, session: sessionStorage.length, cookie: document.cookie,
  name: window.name, caches: await caches.keys(), history: history.length,
  databases: (await indexedDB.databases()).map((one) => one.name),
  clipboard: (await navigator.permissions.query({ name: "clipboard-read" })).state,
  width: innerWidth, height: innerHeight, online: navigator.onLine,
  media: [
    "print", "(prefers-color-scheme: dark)", "(prefers-reduced-motion: reduce)",
    "(forced-colors: active)", "(prefers-contrast: more)",
  ].filter((one) => matchMedia(one).matches),
  own: [...Object.keys(window)].filter((one) => one.startsWith("left")),
})
"""
HELD = """
() => new Promise((done) => {
  document.onmousemove = (event) => done([
    event.buttons, event.ctrlKey, event.shiftKey, event.altKey, event.metaKey,
  ]);
})
"""


@pytest.fixture
def windows(chromium: Browser) -> Iterator[Windows]:
    kept = Windows(chromium)
    yield kept
    kept.close()


@pytest.fixture
def fresh(chromium: Browser, server: Installation) -> dict[str, Any]:
    """What a test sees in a fresh page."""
    context = chromium.new_context(
        base_url=server.base_url, viewport={"width": 1280, "height": 900}
    )
    page = context.new_page()
    page.goto("/about")
    seen: dict[str, Any] = page.evaluate(SEEN)
    context.close()
    return seen


def leave_all(page: Page) -> None:
    """Leave whatever a test can leave and the page is still kept."""
    page.goto("/signin")
    page.goto("/about")
    page.context.grant_permissions(["clipboard-read"])
    page.evaluate(STORE)
    page.context.add_cookies([{"name": "left", "value": "1", "url": "http://example.org"}])
    page.set_viewport_size({"width": 360, "height": 740})
    page.emulate_media(
        media="print", color_scheme="dark", reduced_motion="reduce", forced_colors="active"
    )
    page.emulate_media(contrast="more")
    page.route("**/about", lambda route: route.fulfill(body="left"))
    page.context.route("**/about", lambda route: route.fulfill(body="left"))
    page.context.new_page().goto("/about")
    page.context.new_cdp_session(page).send("Emulation.setUserAgentOverride", {"userAgent": "left"})
    page.keyboard.down("Control")
    page.keyboard.down("Shift")
    page.mouse.move(50, 50)
    page.mouse.down()
    page.locator(":hover").first.wait_for(state="attached")
    page.context.set_offline(True)


def test_nothing_that_a_test_left_is_seen_by_the_next(
    windows: Windows, server: Installation, fresh: dict[str, Any]
) -> None:
    with windows.lend(server.base_url) as first:
        leave_all(first.page)
        left = first.page.evaluate(SEEN)
    assert [name for name, value in fresh.items() if left[name] == value] == ["own"]

    with windows.lend(server.base_url) as second:
        page = second.page
        assert page is first.page
        assert page.url == "about:blank"
        assert page.evaluate("history.length") == 1
        page.goto("/about")

        assert page.evaluate(SEEN) == fresh
        assert page.locator(":hover").count() == 0
        assert page.context.pages == [page]
        assert page.context.cookies() == []
        assert "HeadlessChrome" in page.evaluate("navigator.userAgent")
        assert page.title() != "left"
        page.evaluate(f"() => {{ window.held = ({HELD})(); }}")
        page.mouse.move(60, 60)
        assert page.evaluate("window.held") == [0, False, False, False, False]
        page.go_back()
        assert page.go_back() is None
        assert page.url == "about:blank"


def test_a_listener_hears_its_own_test_to_the_end_and_no_other(
    windows: Windows, server: Installation
) -> None:
    heard: list[str] = []
    with windows.lend(server.base_url) as first:
        first.page.on("console", lambda message: heard.append(message.text))
        first.page.context.on("request", lambda request: heard.append(request.url))
        first.page.evaluate("() => { setTimeout(() => console.error('mine')); }")
    with windows.lend(server.base_url) as second:
        assert second.page is first.page
        second.page.goto("/about")
        second.page.evaluate("console.error('another')")

    assert heard == ["mine"]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda page: page.clock.install(time=datetime(2001, 1, 1, tzinfo=UTC)),
        lambda page: page.add_init_script("window.left = 1"),
        lambda page: page.context.add_init_script("window.left = 1"),
        lambda page: page.expose_function("left", lambda: None),
        lambda page: page.context.expose_function("left", lambda: None),
        lambda page: page.set_extra_http_headers({"X-Left": "1"}),
        lambda page: page.set_default_timeout(1000),
        lambda page: page.once("console", lambda: None),
        lambda page: page.goto("data:text/html,elsewhere"),
        lambda page: page.context.new_page().clock.install(),
        lambda page: page.close(),
        lambda page: page.context.close(),
    ],
)
def test_a_page_that_cannot_be_cleaned_is_not_kept(
    windows: Windows, server: Installation, spoil: Callable[[Page], object]
) -> None:
    with windows.lend(server.base_url) as first:
        first.page.goto("/about")
        spoil(first.page)
    with windows.lend(server.base_url) as second:
        assert second.page is not first.page
        second.page.goto("/about")
        assert second.page.evaluate("[window.left, new Date().getFullYear() > 2001]") == [
            None,
            True,
        ]


def test_windows_of_other_kinds_and_servers_are_others(
    windows: Windows, server: Installation, tmp_path: Path
) -> None:
    pages = []
    for kind in ({}, {"scripts": False}, {"watched": True}):
        with windows.lend(server.base_url, **kind) as window:
            pages.append(window.page)
    with windows.lend(server.base_url) as one, windows.lend(server.base_url) as other:
        assert one.page is pages[0]
        assert other.page not in pages
    with windows.lend(server.base_url.replace("127.0.0.1", "localhost")) as elsewhere:
        assert elsewhere.page not in pages
        assert pages[0].is_closed()


def test_a_watched_window_notes_breaches_of_its_own_test(
    windows: Windows, server: Installation
) -> None:
    for _ in range(2):
        with windows.lend(server.base_url, watched=True) as window:
            window.page.goto("/signin")
            assert window.breaches == []
            window.page.evaluate(
                "() => { const one = document.createElement('script'); one.textContent = '1';"
                " document.body.append(one); const image = new Image();"
                " image.src = 'http://127.0.0.1:9/'; }"
            )
            window.page.wait_for_timeout(100)
            found = list(window.breaches)
        assert any(one.startswith("script-src") for one in found)
