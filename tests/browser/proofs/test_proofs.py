"""In a browser: the proof of a packet unfolds, its files verify, and receipts can be downloaded."""

import json
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from cablese.verify.command import main
from tests.browser.axe import require_accessible
from tests.installation import Installation
from tests.pages.visits import find, preview

pytestmark = pytest.mark.browser


def save(page: Page, house: Installation, goal: int) -> None:
    """Saves a packet, signs it, and opens its page."""
    house.sign_in(page)
    preview(page, f"REQ/TSK|g={goal},t=1,@=proved")
    page.locator(".savebar button.primary").click()
    house.manage("checkpoint")
    find(page, "default", f"goal:{goal}")


def test_the_proof_unfolds_and_its_files_verify(
    page: Page, server: Installation, tmp_path: Path
) -> None:
    save(page, server, 7201)
    page.locator("#proof > summary").click()
    expect(page.locator("#proof svg .root")).to_be_visible()

    for name in ("proof", "leaf", "COSE receipt"):
        with page.expect_download() as download:
            page.get_by_role("link", name=f"Download {name}", exact=True).click()
        download.value.save_as(tmp_path / name)
    key = page.locator("#proof .verify pre").last.inner_text().split()[0]
    for name in ("proof", "COSE receipt"):
        words = ["--key", key, "--leaf", str(tmp_path / "leaf"), str(tmp_path / name)]
        assert main(words) == 0


def test_receipts_are_downloaded_after_saving(page: Page, server: Installation) -> None:
    server.sign_in(page)
    preview(page, "REQ/TSK|g=7202,t=1")
    page.locator(".savebar button.primary").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download receipts").click()

    (line,) = download.value.path().read_text().splitlines()
    page.goto("/audit/receipt")
    page.get_by_role("textbox", name="Receipt").fill(line)
    page.get_by_role("button", name="Check receipt").click()
    expect(page.get_by_role("heading", name="Receipt verified.")).to_be_visible()
    assert json.loads(line)["log"] == "default"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_readable_on_a_small_screen_without_javascript_too(
    page: Page, chromium: Browser, server: Installation, scheme: Literal["light", "dark"]
) -> None:
    save(page, server, 7203)
    address = page.url.split("?")[0]
    for javascript in (True, False):
        context = chromium.new_context(
            base_url=server.base_url,
            color_scheme=scheme,
            java_script_enabled=javascript,
            storage_state=page.context.storage_state(),
            viewport={"width": 360, "height": 800},
        )
        small = context.new_page()
        small.goto(address)
        small.locator("#proof > summary").click()
        if javascript:
            expect(small.locator("#proof svg .root")).to_be_visible()
            require_accessible(small, "#proof")
            assert small.evaluate("document.documentElement.scrollWidth") <= 360
        else:
            small.get_by_role("link", name="View proof").click()
            expect(small.locator(".proof svg .root")).to_be_visible()
        context.close()
