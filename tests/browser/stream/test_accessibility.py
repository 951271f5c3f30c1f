"""In a browser: live sessions for everybody, on small screens and without JavaScript."""

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.axe import require_accessible
from tests.browser.stream.messages import WIRE, close, lines, post
from tests.installation import Installation

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_it(pad: Page, scheme: str) -> None:
    pad.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
    require_accessible(pad)
    post(pad, f"{WIRE.format(1)}\nRJE/PLN|g=4\nhello there\n{WIRE.format(2)}\n")
    lines(pad).first.click()
    expect(pad.locator("#message #panel-fields")).to_be_visible()

    require_accessible(pad)


def test_everybody_can_use_the_pages_around_it(page: Page, server: Installation) -> None:
    server.sign_in(page, "lin")
    page.set_viewport_size({"width": 360, "height": 740})
    for address in (
        "/stream/",
        "/stream/log/default",
        "/stream/log/default?q=(goal:1",
        "/stream/pad/none",
    ):
        page.goto(address)
        require_accessible(page)
        width, room = page.evaluate(
            "() => [document.documentElement.scrollWidth, window.innerWidth]"
        )
        assert width <= room, address


def test_it_fits_a_small_screen(pad: Page) -> None:
    pad.set_viewport_size({"width": 360, "height": 740})
    post(pad, f"{WIRE.format(1) + 'long_' * 80}\nRJE/PLN|g=4\nhello there {'long ' * 30}\n")
    expect(lines(pad)).to_have_count(3)
    lines(pad).first.click()
    expect(pad.locator("#message #panel-fields")).to_be_visible()

    width, room = pad.evaluate("() => [document.documentElement.scrollWidth, window.innerWidth]")
    assert width <= room


def test_without_javascript_messages_come_with_refresh(
    chromium: Browser, server: Installation
) -> None:
    size = ViewportSize(width=1280, height=900)
    context = chromium.new_context(
        base_url=server.base_url, java_script_enabled=False, viewport=size
    )
    page = context.new_page()
    page.goto("/stream/")
    page.get_by_role("button", name="Start live session").click()
    expect(page.get_by_text("Waiting for the first message.")).to_be_visible()
    post(page, f"{WIRE.format(42)}\nRJE/PLN|g=4\n")
    page.get_by_role("link", name="Refresh").click()

    expect(page.locator("#lines .line")).to_have_count(2)
    page.get_by_label("Filter").fill("goal:42")
    page.get_by_role("button", name="Filter").click()
    expect(page.locator("#lines .line")).to_have_count(1)
    page.locator("#lines a.said-line").click()
    expect(page.locator("#message #panel-fields")).to_be_visible()
    close(page)
    context.close()
