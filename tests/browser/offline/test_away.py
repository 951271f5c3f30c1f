"""In a browser: a server that does not answer, or that refuses, is reported on every page."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, Request, Route, ViewportSize, expect

from tests.browser.axe import require_accessible, require_contrast
from tests.installation import Installation
from tests.pages.visits import save

pytestmark = pytest.mark.browser
AWAY = "Can’t reach the server."
UNLOADED = "Could not load a part of this page. Reload the page to try again."
DRAWER = "**/drawer*"


@pytest.fixture
def visitor(chromium: Browser, server: Installation) -> Iterator[Page]:
    """A page whose console may have errors: the browser notes each failed request there."""
    size = ViewportSize(width=1280, height=900)
    context = chromium.new_context(base_url=server.base_url, viewport=size, service_workers="block")
    page = context.new_page()
    broken: list[str] = []
    page.on("pageerror", lambda error: broken.append(str(error)))
    yield page
    context.close()
    assert broken == []


@pytest.fixture
def trail(visitor: Page, server: Installation) -> Page:
    server.sign_in(visitor)
    save(visitor, "REQ/TSK|g=90616,t=1,@=away\nREQ/TSK|g=90616,t=2,@=away")
    visitor.goto("/audit/?q=goal%3A90616")
    return visitor


def press(page: Page, name: str) -> None:
    """Press what has this name in the bars of the workbench."""
    match name:
        case "PNG":
            page.locator(".export > summary").click()
            page.locator("#export-png").click()
        case "Formats":
            page.get_by_role("tab", name=name, exact=True).click()
        case _:
            page.get_by_role("button", name=name, exact=True).click()


def told(page: Page) -> Locator:
    return page.locator(".away [role=alert]")


def abort(route: Route) -> None:
    route.abort()


def refuse(route: Route) -> None:
    route.fulfill(status=503, body="")


@pytest.mark.parametrize(
    ("name", "script", "dialog"),
    [
        ("Commands", "command_palette", "#palette"),
        ("Keyboard shortcuts", "command_palette", "#help"),
        ("Share…", "share/share", "#share"),
        ("PNG", "export/png", None),
        ("Formats", "autopilot/tab", None),
    ],
)
def test_a_part_of_the_page_that_cannot_be_loaded_is_reported(
    visitor: Page, name: str, script: str, dialog: str | None
) -> None:
    visitor.goto("/")
    visitor.route(f"**/{script}*.js", abort)
    press(visitor, name)

    expect(told(visitor)).to_have_text(UNLOADED)
    require_accessible(visitor, ".away")
    require_contrast(visitor, ".away")
    visitor.get_by_role("button", name="Dismiss").click()
    expect(told(visitor)).to_be_hidden()
    if dialog:
        visitor.unroute(f"**/{script}*.js")
        visitor.reload()
        press(visitor, name)
        expect(visitor.locator(dialog)).to_be_visible()


def test_a_packet_that_cannot_be_loaded_is_reported_until_one_is(trail: Page) -> None:
    trail.route(DRAWER, abort)
    trail.locator(".packets a.open").first.click()

    expect(told(trail)).to_have_text(AWAY)
    expect(trail.locator("#drawer")).not_to_have_attribute("aria-busy", "true")
    trail.unroute(DRAWER)
    trail.locator(".packets a.open").last.click()
    expect(trail.locator("#drawer")).to_contain_text("away")
    expect(told(trail)).to_be_hidden()


def test_a_place_that_says_it_itself_says_it_alone(trail: Page) -> None:
    trail.route(DRAWER, refuse)
    trail.locator(".packets a.open").first.click()

    expect(trail.locator("#drawer")).to_have_text("Could not open this packet.")
    expect(told(trail)).to_have_count(0)


def test_counts_that_cannot_be_loaded_are_reported_in_their_place(trail: Page) -> None:
    trail.route(re.compile(r"/audit/facets\?"), abort)
    trail.reload()

    expect(trail.locator(".histogram")).to_contain_text("Could not count the packets.")
    expect(told(trail)).to_have_count(0)


def test_the_status_of_any_other_refusal_is_reported(visitor: Page) -> None:
    visitor.goto("/")
    visitor.route("**/about", refuse)
    visitor.evaluate("() => htmx.ajax('GET', '/about', { target: '#main', source: '#main' })")

    expect(told(visitor)).to_have_text("The server responded with status 503.")


def test_the_workbench_says_it_next_to_the_text(visitor: Page) -> None:
    visitor.goto("/?example=")
    visitor.route("**/reading", refuse)
    visitor.locator("#text").fill("REQ/TSK|g=1,t=1")

    expect(visitor.locator("#text-note")).to_contain_text("The server responded with status 503.")
    expect(told(visitor)).to_have_count(0)


def test_somebody_who_was_signed_out_gets_the_page_to_sign_in(trail: Page) -> None:
    asked: list[Request] = []
    trail.on("request", lambda request: asked.append(request))
    trail.context.clear_cookies()
    trail.locator(".packets a.open").first.click()

    expect(trail).to_have_url(re.compile("/signin"))
    expect(trail.get_by_role("heading", level=1)).to_be_visible()
    assert any("/drawer" in request.url for request in asked)
