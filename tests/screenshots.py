"""Takes the pictures of every page and the list of them: python -m tests.screenshots [NAME…]

A real server, a real Chromium, and the demo log. Run it when a page has changed. The pictures are
WebP, about 35 KB each, since every new one stays in the history; names after the command retake
those alone. `--review FOLDER` takes all states of the pages, at a third width too, into a folder
that is not committed.
"""

import argparse
import base64
import tempfile
from itertools import product
from pathlib import Path

from playwright.sync_api import Browser, Page, StorageState, sync_playwright

from tests.chromium import CHROMIUM_FLAGS, find_chromium
from tests.installation import Installation, running
from tests.pages.catalogue import SIGHTS, is_idle
from tests.pages.visits import SETTINGS, prepare

FOLDER = Path(__file__).parent.parent / "docs" / "screenshots"
WIDTHS = {1280: 900, 390: 844}
REVIEWED = WIDTHS | {1920: 1080}
SCHEMES = ("light", "dark")
QUALITY = 45
SETTLED = 300
"""Milliseconds in which a page has followed another width."""
PICTURES = tuple(name for name, sight in SIGHTS.items() if sight.picture)


def take(house: Installation, names: tuple[str, ...], folder: Path, widths: dict[int, int]) -> None:
    """One picture for each page, width and color scheme."""
    with sync_playwright() as playwright:
        program = find_chromium()
        browser = playwright.chromium.launch(executable_path=program, args=list(CHROMIUM_FLAGS))
        first = browser.new_context(base_url=house.base_url)
        prepare(house, first.new_page())
        signed_in = first.storage_state()
        for name in names:
            shoot(browser, house, name, signed_in, folder, widths)
        browser.close()


def shoot(
    browser: Browser,
    house: Installation,
    name: str,
    signed_in: StorageState,
    folder: Path,
    widths: dict[int, int],
) -> None:
    """Visit a page once, and look at it in each width and scheme, which it follows."""
    sight = SIGHTS[name]
    context = browser.new_context(
        base_url=house.base_url,
        viewport={"width": 1280, "height": WIDTHS[1280]},
        storage_state=signed_in if sight.signed_in else None,
    )
    page = context.new_page()
    sight.visit(page, house)
    page.wait_for_load_state("networkidle" if is_idle(sight) else "load")
    for (width, height), scheme in product(widths.items(), SCHEMES):
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(
            color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce"
        )
        page.wait_for_timeout(SETTLED)
        (folder / file_of(name, width, scheme)).write_bytes(webp(page))
    context.close()


def webp(page: Page) -> bytes:
    """What is in view, a fifth of the size that Playwright's own PNG has."""
    session = page.context.new_cdp_session(page)
    taken = session.send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY})
    return base64.b64decode(taken["data"])


def file_of(name: str, width: int, scheme: str) -> str:
    return f"{name.replace(' ', '-')}-{width}-{scheme}.webp"


def listed() -> str:
    """The list of all pictures, a row for a page."""
    head = (
        "| page | 1280 light | 1280 dark | 390 light | 390 dark |\n| --- | --- | --- | --- |"
        " --- |\n"
    )
    rows = (
        f"| {name} | "
        + " | ".join(
            f"![{name}, {width} pixels, {scheme}]({file_of(name, width, scheme)})"
            for width, scheme in product(WIDTHS, SCHEMES)
        )
        + " |\n"
        for name in PICTURES
    )
    words = (
        "Every page, at two widths, light and dark. `python -m tests.screenshots` takes"
        " them anew.\n\n"
    )
    return "# Pictures\n\n" + words + head + "".join(rows)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.screenshots")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--review", type=Path, metavar="FOLDER")
    asked = parser.parse_args()
    into = asked.review or FOLDER
    into.mkdir(parents=True, exist_ok=True)
    pages = tuple(asked.names) or (tuple(SIGHTS) if asked.review else PICTURES)
    with tempfile.TemporaryDirectory() as data, running(Path(data), **SETTINGS) as installation:
        take(installation, pages, into, REVIEWED if asked.review else WIDTHS)
    if not asked.review:
        (FOLDER / "README.md").write_text(listed(), "utf-8")
