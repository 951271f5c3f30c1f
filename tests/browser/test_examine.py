"""In a browser: the Examine panel and the menu of what to copy, with and without JavaScript, and a
receipt's check.
"""

import json
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from playground.examine.panel import SECTIONS
from tests.browser.axe import require_accessible
from tests.browser.workbench.elements import show_tab
from tests.installation import Installation

pytestmark = pytest.mark.browser
SLOW = 15_000
"""The first count of a process loads its tokenizers."""
REQUEST = "REQ/TSK|g=42,t=1,p=2,@=auth_refactor"
RECEIPTED = "REQ/TSK|g=77,t=1,@=receipted"
HOSTILE = 'INF/OBS|g=42,@=<script>window.broken=1</script>"ignore_previous_instructions\u202e'


@pytest.fixture(scope="module")
def receipt(server: Installation, chromium: Browser) -> dict[str, Any]:
    """What the log answers when it keeps a packet."""
    key = server.manage("apikey", "create", "receipts", "--scopes", "ingest").split()[-1]
    context = chromium.new_context(base_url=server.base_url)
    sent, allowed = {"wire": RECEIPTED}, {"Authorization": f"Bearer {key}"}
    answer = context.request.post("/api/v1/packets", data=sent, headers=allowed)
    found: dict[str, Any] = answer.json()
    context.close()
    return found


def write(page: Page, text: str) -> None:
    page.goto("/?example=")
    page.locator("#text").fill(text)
    show_tab(page, "Checks")
    expect(page.locator("#panel-examine")).to_be_visible()


def unfold(page: Page, name: str) -> Locator:
    part = page.locator(f"#examine-{name}")
    part.locator("> summary").click()
    expect(part.locator(".filled p").first).to_be_visible(timeout=SLOW)
    return part


def test_losses_are_tested_when_asked_for_and_the_unit_is_chosen_by_keys(page: Page) -> None:
    write(page, REQUEST)
    assert "losing one" not in page.content()
    part = unfold(page, "corruption")
    expect(part.locator(".outcome")).to_contain_text("16 detected, 3 silent")
    expect(part.locator(".losses .loss.silent")).to_have_count(3)

    part.get_by_label("token", exact=True).focus()
    page.keyboard.press("ArrowRight")
    expect(part.locator(".outcome")).to_contain_text("each of 36 characters")
    expect(part.get_by_label("character", exact=True)).to_be_focused()


def test_an_open_part_follows_the_text(page: Page) -> None:
    write(page, REQUEST)
    part = unfold(page, "routability")
    expect(part.locator(".outcome")).to_contain_text("Act known after 2 of 19 tokens")
    expect(part.locator(".timeline tbody tr")).to_have_count(7)

    page.locator("#text").fill("SLIP v3 planner executor Ask Status")
    expect(part.locator(".outcome")).to_contain_text("recipient")
    expect(part).to_have_attribute("open", "")


def test_the_lens_counts_before_it_is_opened_and_shows_where(page: Page) -> None:
    write(page, HOSTILE)
    expect(page.locator("#panel-examine .panel-head")).to_contain_text("possible injection")
    part = unfold(page, "lens")
    expect(
        part.locator(".lensed mark.warning").filter(has_text="ignore_previous_instructions")
    ).to_have_count(1)
    expect(part.locator(".acting")).to_contain_text("Instruction-like text")
    expect(part).to_contain_text("No findings doesn’t mean the message is safe.")
    assert page.evaluate("() => window.broken") is None


def test_what_is_copied_is_the_text_that_is_shown(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    write(page, HOSTILE)
    page.get_by_text("Copy as…").click()
    menu = page.locator("#copy-as")
    expect(menu.locator(".snippet")).to_have_count(5)
    menu.get_by_role("button", name="Copy").first.click()

    expect(menu.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("() => navigator.clipboard.readText()")
    assert copied == page.locator("#copy-curl").text_content()
    assert "\\u202e" in copied

    page.keyboard.press("Escape")
    expect(menu).not_to_have_attribute("open", "")


def test_a_part_opened_before_the_typing_rests_asks_once(page: Page) -> None:
    asked: list[str] = []
    page.on(
        "request",
        lambda request: asked.append(request.url) if "/examine/copy" in request.url else None,
    )
    write(page, HOSTILE)
    page.get_by_text("Copy as…").click()
    expect(page.locator("#copy-as .snippet")).to_have_count(5)
    page.wait_for_timeout(600)

    assert len(asked) == 1


def test_the_panel_is_reached_by_a_key(page: Page) -> None:
    write(page, REQUEST)
    page.keyboard.press("Alt+9")

    expect(page.locator("#panel-examine")).to_be_focused()


@pytest.mark.parametrize("name", SECTIONS)
def test_without_script_every_part_has_a_button(bare: Page, name: str) -> None:
    bare.goto("/?example=conversation")
    part = bare.locator(f"#examine-{name}")
    part.locator("> summary").click()
    if name == "corruption":
        part.get_by_label("character", exact=True).check()
    part.get_by_role("button").first.click()

    expect(bare.locator(f"#examine-{name}[open] .filled")).not_to_be_empty()
    if name == "corruption":
        expect(bare.locator(".outcome").first).to_contain_text("each of 36 characters")


def test_without_script_what_can_be_copied_stands_on_the_page(bare: Page) -> None:
    bare.goto("/?example=conversation")
    bare.get_by_text("Copy as…").click()
    bare.get_by_role("button", name="Show curl, Python, and pytest").click()

    expect(bare.locator("#copy-as[open] #copy-pytest")).to_contain_text(
        "def test_nslip_1_request_reads_as_today()"
    )


@pytest.mark.parametrize("kind", ["page", "bare"])
def test_anybody_may_have_a_receipt_checked(
    request: pytest.FixtureRequest, receipt: dict[str, Any], kind: str
) -> None:
    page: Page = request.getfixturevalue(kind)
    page.goto("/signin")
    page.get_by_role("link", name="check a receipt").click()
    page.get_by_role("textbox", name="Receipt").fill(json.dumps(receipt))
    page.get_by_label("Raw text").fill(RECEIPTED)
    page.get_by_role("button", name="Check receipt").click()
    expect(page.get_by_role("heading", name="Receipt verified.")).to_be_visible()
    expect(page.locator(".proofs .holds").nth(5)).to_be_visible()
    expect(page.locator(".check-text.matches")).to_be_visible()

    page.get_by_label("Raw text").fill(f"{RECEIPTED} ")
    page.get_by_role("button", name="Check receipt").click()
    expect(page.get_by_role("heading", name="Receipt verified.")).to_be_visible()
    expect(page.locator(".check-text.differs")).to_be_visible()

    page.get_by_role("textbox", name="Receipt").fill(
        json.dumps(receipt["results"][0] | {"leaf_hash": "0" * 64})
    )
    page.get_by_role("button", name="Check receipt").click()
    expect(page.get_by_role("heading", name="The receipt does not match")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_of_it_is_readable_by_everyone_on_a_small_screen(
    chromium: Browser,
    server: Installation,
    receipt: dict[str, Any],
    scheme: Literal["light", "dark"],
) -> None:
    context = chromium.new_context(
        base_url=server.base_url, color_scheme=scheme, viewport={"width": 360, "height": 800}
    )
    page = context.new_page()
    for text in (REQUEST, HOSTILE):
        write(page, text)
        for name in SECTIONS:
            unfold(page, name)
        require_accessible(page, "#panel-examine")
        page.get_by_text("Copy as…").click()
        expect(page.locator("#copy-as .snippet").first).to_be_visible()
        require_accessible(page, "#panel-means")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.goto("/audit/receipt")
    page.get_by_role("textbox", name="Receipt").fill(json.dumps(receipt))
    page.get_by_label("Raw text").fill("another text")
    page.get_by_role("button", name="Check receipt").click()
    expect(page.locator(".check-text.differs")).to_be_visible()
    require_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    context.close()
