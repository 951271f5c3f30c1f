"""In a browser: a file that has grown is imported again, and what is stored of it is skipped."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import require_accessible
from tests.browser.test_upload import count, payload
from tests.installation import Installation

pytestmark = pytest.mark.browser

DIGESTS = json.loads((Path(__file__).parents[2] / "vectors" / "block_digests.json").read_text())
READ = """async (sizes) => {
    const loaded = performance.getEntriesByType("resource");
    const { name } = loaded.find(({ name }) => name.includes("/block_digest."));
    const { readDigests } = await import(name);
    const bytes = Uint8Array.from({ length: Math.max(...sizes) }, (_, at) => at % 251);
    const file = new Blob([bytes]);
    const alone = sizes.map((size) => readDigests(file.slice(0, size), [size]));
    return [await readDigests(file, sizes), Object.assign({}, ...(await Promise.all(alone)))];
}"""


def lines(numbers: range, padding: int = 0) -> bytes:
    tag = f"grown_file{'_' * padding}"
    return "".join(f"planner: REQ/TSK|g={n},t=1,@={tag}\n" for n in numbers).encode()


def run(page: Page, content: bytes) -> None:
    page.goto("/import/")
    page.locator("#import-file").set_input_files(payload("app.log", content))
    page.get_by_role("button", name="Import file", exact=True).click()
    expect(page.locator(".import-words")).to_contain_text("Done", timeout=120_000)


def test_a_file_that_has_grown_stores_only_its_new_messages(
    page: Page, server: Installation
) -> None:
    server.sign_in(page)
    # More than a block of a digest, and than a chunk.
    first, more = lines(range(3_000), 400), lines(range(3_000, 3_003))
    assert len(first) > 1 << 20
    run(page, first)
    assert count(page, "valid") == "3000"
    expect(page.locator(".import-earlier")).to_be_hidden()

    run(page, first + more)
    expect(page.locator(".import-words")).to_contain_text("Done. 3 packets")
    assert (count(page, "valid"), count(page, "again")) == ("3", "3000")
    said = page.locator(".import-earlier")
    expect(said).to_be_visible()
    assert re.fullmatch(
        rf"This file begins with the {len(first):,} bytes that you imported on "
        r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \S+\. Messages in them that are stored are skipped\.",
        " ".join(said.inner_text().split()),
    )
    expect(page.locator(".import-earlier time")).to_have_attribute("title", re.compile(" UTC$"))
    require_accessible(page)


def test_without_javascript_a_file_that_has_grown_stores_only_its_new_messages(
    bare: Page, server: Installation
) -> None:
    server.sign_in(bare)
    for content, again in (
        (lines(range(40_000, 40_002)), "0"),
        (lines(range(40_000, 40_003)), "2"),
    ):
        bare.goto("/import/")
        bare.locator("#import-file").set_input_files(payload("app.log", content))
        bare.get_by_role("button", name="Import file", exact=True).click()
        assert (count(bare, "again"), count(bare, "valid")) == (again, "2" if again == "0" else "1")
    expect(bare.locator(".import-earlier")).to_contain_text("This file begins with the ")


def test_a_browser_that_cannot_compare_files_says_so(page: Page, server: Installation) -> None:
    page.add_init_script("Object.defineProperty(crypto, 'subtle', { value: undefined })")
    server.sign_in(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    run(page, lines(range(50_000, 50_002)))

    expect(page.locator(".import-earlier")).to_have_text(
        "Without HTTPS, your browser can’t compare the file with earlier imports. Messages that "
        "you imported from a shorter version of it are stored again."
    )
    assert count(page, "valid") == "2"
    assert not [url for url in asked if "/import/earlier" in url]


def test_an_import_can_be_stopped_while_it_is_compared(page: Page, server: Installation) -> None:
    server.sign_in(page)
    page.goto("/import/")
    page.route("**/import/earlier?*", lambda _route: None)
    page.locator("#import-file").set_input_files(payload("app.log", lines(range(60_000, 60_002))))
    page.get_by_role("button", name="Import file", exact=True).click()
    page.get_by_role("button", name="Stop import").click()

    expect(page.locator(".import-words")).to_have_text("Stopped. Nothing was stored.")
    page.unroute("**/import/earlier?*")
    page.get_by_role("button", name="Resume").click()
    expect(page.locator(".import-words")).to_contain_text("Done. 2 packets")


def test_the_browser_makes_the_digests_of_the_vectors(page: Page, server: Installation) -> None:
    server.sign_in(page)
    page.goto("/import/")
    beginnings, alone = page.evaluate(READ, [int(size) for size in DIGESTS])

    assert beginnings == DIGESTS
    assert alone == DIGESTS
