"""Takes the pictures of the README: python -m tests.screenshots

A real server, a real Chromium, and the demo log. Run it when a page has changed.
"""

import shutil
import tempfile
from collections.abc import Callable
from itertools import product
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from playground.examples import BY_SLUG
from tests.conftest import CHROMIUM_FLAGS
from tests.installation import Installation, running

FOLDER = Path(__file__).parent.parent / "docs" / "screenshots"
WIDTHS = {1280: 900, 390: 844}
SCHEMES = ("light", "dark")


def workbench(page: Page) -> None:
    page.goto("/?example=mistakes")
    page.locator(".message button").nth(2).click()
    page.locator(".pager", has_text="3 of 4").wait_for()
    page.mouse.move(0, 0)


def save(page: Page) -> None:
    page.goto("/?example=conversation")
    page.locator(".savebar button").click()


def stream(page: Page) -> None:
    page.goto("/stream/")
    page.get_by_role("button", name="Open a pad").click()
    address = page.locator("#posting summary code").inner_text()
    for slug in ("conversation", "folded", "plan", "percent", "mistakes"):
        page.request.post(address, data=BY_SLUG[slug].text, headers={"Content-Type": "text/plain"})
    page.locator("#lines .line.error").first.click()
    page.locator("#panel-tokens").wait_for()
    page.mouse.move(0, 0)
    page.evaluate("() => scrollTo(0, 0)")


def audit(page: Page) -> None:
    page.goto("/audit/?log=demo")


def entry(page: Page) -> None:
    page.goto("/audit/?log=demo&q=%40auth_refactor+goal%3A42")
    page.locator(".trail a.wire").first.click()


PAGES: dict[str, Callable[[Page], None]] = {
    "workbench": workbench,
    "stream": stream,
    "save": save,
    "audit": audit,
    "entry": entry,
}


def take(installation: Installation) -> None:
    """One picture for each page, width and colour scheme."""
    installation.manage("demo")
    with sync_playwright() as playwright:
        program = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=program, args=list(CHROMIUM_FLAGS))
        first = browser.new_page()
        installation.sign_in(first)
        signed_in = first.context.storage_state()
        for (name, visit), (width, height), scheme in product(PAGES.items(), WIDTHS.items(), SCHEMES):
            context = browser.new_context(
                base_url=installation.base_url,
                viewport={"width": width, "height": height},
                color_scheme="dark" if scheme == "dark" else "light",
                storage_state=signed_in,
            )
            page = context.new_page()
            visit(page)
            page.wait_for_load_state("load" if name == "stream" else "networkidle")
            page.screenshot(path=FOLDER / f"{name}-{width}-{scheme}.png")
            context.close()
        browser.close()


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, running(Path(data)) as installation:
        take(installation)
