"""One side of a comparison: print the trees of the pages of the revision in the working directory.

    python -P side.py [PAGE…]

Nothing of the product or its tests is imported before the path is set.
"""

import json
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Error, StorageState, sync_playwright

CATALOGUES = {
    "tests/pages": ("tests.pages.catalogue", "tests.pages.visits"),
    "tests/page_catalogue.py": ("tests.page_catalogue",) * 2,
    "tests/sights.py": ("tests.sights",) * 2,
}
"""The modules that list the pages and prepare them, and what they were called before."""
_ITEM = re.compile(r'(?P<role>\s*- [\w/]+)(?: "(?:[^"\\]|\\.)*")?(?P<states>(?: \[[^\]]*\])*)')
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\d[^&\s]*|[\w-]{20,}|\b\d+\b")
"""Parts of an address that differ from one installation to the next."""


def print_trees(parts: list[str]) -> None:
    """Print the trees of the pages of the revision in the working directory, as JSON."""
    names = next(names for place, names in CATALOGUES.items() if Path(place).exists())
    catalogue, visits = map(import_module, names)
    installation = import_module("tests.installation")
    flags = list(import_module("tests.conftest").CHROMIUM_FLAGS)
    with (
        tempfile.TemporaryDirectory(prefix="cablese-trees-") as folder,
        installation.running(Path(folder, "data"), **visits.SETTINGS) as running,
        sync_playwright() as playwright,
    ):
        program = shutil.which("chromium") or shutil.which("chromium-headless-shell")
        browser = playwright.chromium.launch(executable_path=program, args=flags)
        first = browser.new_context(base_url=running.base_url)
        visits.prepare(running, first.new_page())
        signed_in = first.storage_state()
        print(json.dumps(dict(_trees(browser, running, catalogue, signed_in, parts))))


def _trees(
    browser: Browser, running: Any, catalogue: Any, signed_in: StorageState, parts: list[str]
) -> Iterator[tuple[str, list[str]]]:
    for name, sight in catalogue.SIGHTS.items():
        if parts and not any(part in name for part in parts):
            continue
        context = browser.new_context(
            base_url=running.base_url, storage_state=signed_in if sight.signed_in else None
        )
        page = context.new_page()
        try:
            sight.visit(page, running)
            page.wait_for_load_state("networkidle" if catalogue.is_idle(sight) else "load")
            yield name, list(_roles(page.locator("body").aria_snapshot()))
        except Error as error:
            yield name, [f"not reached: {error}"]
        context.close()


def _roles(snapshot: str) -> Iterator[str]:
    """Yield the lines of a snapshot without names and texts."""
    for line in snapshot.splitlines():
        if re.match(r"\s*- (?:text|strong|emphasis|code)\b", line):
            continue
        if match := re.match(r"(\s*- /url: )(.*)", line):
            yield match[1] + _ID.sub("…", match[2])
        elif match := _ITEM.match(line.replace("- '", "- ", 1)):
            yield match["role"] + match["states"]


if __name__ == "__main__":
    sys.path.insert(0, str(Path.cwd()))
    print_trees(sys.argv[1:])
