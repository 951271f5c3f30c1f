"""In a browser: the text in the editor becomes a file, with and without JavaScript; a link with
plain text fills the editor; two texts are compared.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Download, Page, Request, expect

from tests.browser.axe import require_accessible
from tests.browser.workbench.test_light import write
from tests.installation import Installation

pytestmark = pytest.mark.browser

TEXT = "REQ/TSK|g=42,t=1\nRJE/PLN|g=42,t=01,!=🙂no\n"


def export(page: Page, name: str) -> Download:
    page.locator("details.export > summary").click()
    with page.expect_download() as download:
        page.locator("details.export button", has_text=name).click()
    return download.value


def content(download: Download) -> bytes:
    return Path(download.path()).read_bytes()


@pytest.mark.parametrize(
    ("name", "ending", "begin"),
    [
        ("JSON", "json", b'{"messages":['),
        ("Markdown", "md", b"# Messages\n\n2 messages, 1 invalid"),
        ("Mermaid", "mmd", b"sequenceDiagram\n"),
        ("SVG", "svg", b"<svg xmlns="),
        ("PNG", "png", b"\x89PNG\r\n"),
    ],
)
def test_the_text_becomes_a_file(page: Page, name: str, ending: str, begin: bytes) -> None:
    write(page, TEXT)
    download = export(page, name)

    assert download.suggested_filename == f"cablese-messages.{ending}"
    assert content(download).startswith(begin)
    expect(page.locator("#text")).to_have_value(TEXT)


def test_the_image_has_the_diagram_in_it(page: Page) -> None:
    write(page, TEXT)
    image = content(export(page, "PNG"))

    drawn = page.evaluate(
        """async (bytes) => {
            const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
            const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
            const context = canvas.getContext("2d");
            context.drawImage(bitmap, 0, 0);
            const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
            const colors = new Set();
            for (let at = 0; at < data.length; at += 4)
              colors.add(`${data[at]},${data[at + 1]},${data[at + 2]},${data[at + 3]}`);
            return [bitmap.width, bitmap.height, [...colors]];
        }""",
        list(image),
    )

    width, height, colors = drawn
    assert (width, height) > (400, 200)
    assert {"255,255,255,255", "28,33,38,255", "179,38,30,255"} <= set(colors)


def test_a_text_without_messages_says_why_there_is_no_image(page: Page) -> None:
    page.goto("/?example=")
    page.locator("details.export > summary").click()
    page.locator("#export-png").click()

    expect(page.locator("#export-said")).to_have_text(
        "The text contains no messages, so there is no diagram."
    )


@pytest.fixture
def plain_page(chromium: Browser, server: Installation) -> Iterator[Page]:
    """A page of a browser without JavaScript."""
    context = chromium.new_context(base_url=server.base_url, java_script_enabled=False)
    yield context.new_page()
    context.close()


def test_a_file_needs_no_javascript(plain_page: Page) -> None:
    plain_page.goto("/?example=")
    plain_page.locator("#text").fill(TEXT)

    file = json.loads(content(export(plain_page, "JSON")))
    assert file["messages"][0]["wire"] == "REQ/TSK|g=42,t=1"
    expect(plain_page.locator("#export-png")).to_be_hidden()


def test_enter_in_a_field_exports_nothing(plain_page: Page) -> None:
    """A browser presses the first button of a form, and those of the menu come first."""
    plain_page.goto("/")
    with plain_page.expect_navigation():
        plain_page.locator("#other").press("Enter")

    expect(plain_page.locator("#text")).not_to_have_value("")


def test_the_menu_works_by_keyboard_and_is_accessible(page: Page) -> None:
    write(page, TEXT)
    page.locator("details.export > summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator("details.export button").first).to_be_focused()
    require_accessible(page)
    page.keyboard.press("Escape")
    expect(page.locator("details.export button").first).to_be_hidden()


@pytest.mark.parametrize(
    "text",
    [
        "REQ/TSK|g=42",
        "a b+c%20d\n# 🙂 \"<b>' &amp;",
        "REQ/TSK|g=1,t=1\nCFM/TSK|g=1,t=1\n",
        "\x07\u202e",
    ],
)
def test_a_link_with_plain_text_fills_the_editor(page: Page, text: str) -> None:
    page.goto(f"/#text={quote(text, safe='')}")

    expect(page.locator("#text")).to_have_value(text)
    expect(page.locator("#from-link")).to_contain_text("Nothing is stored.")


def test_a_plus_sign_is_a_plus_sign(page: Page) -> None:
    page.goto("/#text=REQ/TSK|g=1+2")

    expect(page.locator("#text")).to_have_value("REQ/TSK|g=1+2")


@pytest.mark.parametrize(
    ("fragment", "words"),
    [
        ("#text=%zz", "its percent-encoding is not valid UTF-8"),
        ("#text=%", "its percent-encoding is not valid UTF-8"),
        ("#text=%FF", "its percent-encoding is not valid UTF-8"),
        ("#text=", "The link contains no text."),
        (f"#text={'x' * 8187}", "longer than the limit of 8 KiB"),
    ],
)
def test_a_wrong_link_is_refused_with_the_reason(page: Page, fragment: str, words: str) -> None:
    page.goto(f"/?example={fragment}")

    expect(page.locator("#from-link")).to_contain_text(words)
    expect(page.locator("#text")).to_have_value("")


def test_the_longest_link_is_opened(page: Page) -> None:
    page.goto(f"/?example=#text={'x' * 8186}")

    expect(page.locator("#text")).to_have_value("x" * 8186)


def test_a_link_saves_nothing_and_no_server_sees_it(page: Page) -> None:
    sent: list[Request] = []
    page.on("request", lambda request: sent.append(request))
    with page.expect_response("**/reading/whole"):
        page.goto("/#text=REQ%2FTSK%7Cg%3D1%2C%40%3Dsecret_plan")
    expect(page.locator("#text")).to_have_value("REQ/TSK|g=1,@=secret_plan")

    assert not any("secret_plan" in request.url for request in sent)
    assert not any("/save" in request.url for request in sent)


def test_a_link_survives_a_reload_until_the_text_changes(page: Page) -> None:
    page.goto("/#text=REQ%2FTSK%7Cg%3D42")
    expect(page.locator("#text")).to_have_value("REQ/TSK|g=42")
    page.reload()
    expect(page.locator("#text")).to_have_value("REQ/TSK|g=42")
    page.locator("#text").press_sequentially("x")

    expect(page).not_to_have_url(re.compile("#text"))


def test_another_text_is_compared_from_the_workbench(page: Page) -> None:
    write(page, TEXT)
    page.get_by_role("tab", name="Compare").click()
    page.get_by_role("button", name="Compare with another text").click()
    page.wait_for_url("**/diff")

    expect(page.get_by_label("First text")).to_have_value(TEXT)
    page.get_by_label("Second text").fill(TEXT.replace("RJE", "REJ") + "CFM/TSK|g=42,t=1\n")
    page.get_by_role("button", name="Compare texts").click()
    expect(page.locator(".answer").first).to_have_text(
        "2 of 3 messages differ: 1 added, 1 changed."
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_comparison_is_accessible_and_fits_a_phone(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/diff")
    page.get_by_label("First text").fill(TEXT)
    page.get_by_label("Second text").fill(f"{TEXT}{'x' * 300}|{'y' * 300}\nCFM/TSK|g=42,t=1\n")
    page.get_by_label("Also compare lines").check()
    page.get_by_role("button", name="Compare texts").click()
    expect(page.locator(".differing .added")).to_have_count(2)

    require_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
