"""In a browser: fields as table, tree or raw text, and the name of what was detected with a choice
of another.
"""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import require_accessible
from tests.browser.workbench.elements import show_tab
from tests.browser.workbench.test_light import write

pytestmark = pytest.mark.browser

PLAN = '{"g":"X\u202e","plan":[["s","T",{"n":1}]]}\n'


def view(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()
    expect(page.get_by_role("button", name=name, exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )


def test_a_tree_can_be_folded_walked_and_lit(page: Page) -> None:
    write(page, PLAN)
    view(page, "Tree")
    expect(page.get_by_role("button", name="Tree", exact=True)).to_be_focused()
    leaf = page.locator(".fieldtree .leaf[data-f='plan.0.2.n']")
    leaf.hover()
    expect(page.locator("#panel-fields pre .lit").last).to_have_text("1")

    page.locator(".fieldtree .leaf").first.focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".fieldtree summary").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(leaf).to_be_hidden()
    require_accessible(page)


def test_the_raw_text_is_copied_exactly(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    write(page, PLAN)
    view(page, "Raw")
    expect(page.locator("pre.raw")).to_have_text('{"g":"X⟨U+202E⟩","plan":[["s","T",{"n":1}]]}')
    expect(page.locator(".fieldtable")).to_have_count(0)
    require_accessible(page)
    page.get_by_role("button", name="Copy raw text").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()

    assert page.evaluate("navigator.clipboard.readText()") == PLAN.strip()


def test_a_view_is_remembered_for_the_session(page: Page) -> None:
    write(page, PLAN)
    view(page, "Raw")
    page.goto("/?example=conversation")

    expect(page.locator("pre.raw")).to_contain_text("REQ/TSK|g=42")


def test_what_was_detected_is_named_with_its_reasons_and_a_choice_sticks_for_the_text(
    page: Page,
) -> None:
    write(page, "REQ/TSK|g=42,t=1")
    chip = page.locator("#detection summary")
    expect(chip).to_contain_text("nSLIP 100% (auto)")
    chip.click()
    first = page.locator("#detection li").first
    expect(first).to_contain_text("Auto-detect")
    expect(page.locator("#detection li").nth(1)).to_contain_text("an nSLIP act and frame")
    require_accessible(page)
    page.locator("#detection button[value=tline]").click()

    expect(chip).to_contain_text("T-line")
    expect(chip).to_contain_text("(your choice)")
    expect(chip).to_be_focused()
    page.locator("#text").press("End")
    page.keyboard.type("1")
    expect(page.locator("pre.wire.full")).to_have_text("REQ/TSK|g=42,t=11")
    expect(chip).to_contain_text("(your choice)")

    page.locator("#text").fill("")
    expect(chip).to_contain_text("Auto-detect")
    page.locator("#text").fill("T|17|Q|obj=x")
    expect(chip).to_contain_text("T-line 100% (auto)")


def test_views_and_the_choice_work_without_javascript(bare: Page) -> None:
    bare.goto("/?example=")
    bare.locator("#text").fill(PLAN)
    bare.get_by_role("button", name="Decode", exact=True).click()
    view(bare, "Tree")
    expect(bare.locator(".fieldtree .leaf").first).to_be_visible()
    bare.get_by_role("button", name="Decode", exact=True).click()
    expect(bare.locator(".fieldtree .leaf").first).to_be_visible()

    bare.locator("#detection summary").click()
    bare.locator("#detection button[value=nlip]").click()
    expect(bare.locator("#detection summary")).to_contain_text("(your choice)")
    bare.locator("#detection summary").click()
    bare.locator("#detection button").first.click()
    expect(bare.locator("#detection summary")).to_contain_text("SACP")
    expect(bare.locator("#detection summary")).to_contain_text("(auto)")


def test_what_was_taken_off_is_said(page: Page) -> None:
    write(page, "2026-11-20T10:00:01Z a: REQ/TSK|g=42,t=1\n")

    expect(page.locator(".stripped")).to_have_text(
        "Ignored 23 characters (log prefix): 2026-11-20T10:00:01Z a:"
    )


def test_text_that_resembles_a_protocol_is_read_as_it_by_one_key(page: Page) -> None:
    text = page.locator("#text")
    chip = page.locator("#detection summary")
    page.goto("/?example=")
    text.fill("LOG|user=bob|action=login")
    expect(page.locator(".resembling p")).to_contain_text("1 fragment resembles AACP.")
    require_accessible(page)
    page.locator("#detection summary").click()
    claim = page.locator("#detection li", has_text="AACP")
    expect(claim).to_contain_text("resembles")
    expect(claim).not_to_contain_text("%")
    page.locator("#detection summary").click()

    text.focus()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Decode as AACP")).to_be_focused()
    page.keyboard.press("Enter")
    expect(chip).to_contain_text("AACP (your choice)")
    expect(chip).not_to_contain_text("%")
    expect(chip).to_be_focused()
    expect(page.locator(".resembling")).to_have_count(0)

    text.fill("")
    text.fill("T|x|y")
    expect(page.locator(".resembling p")).to_contain_text("1 fragment resembles T-line.")
    page.keyboard.press("Alt+R")
    expect(chip).to_contain_text("(your choice)")
    expect(page.locator("pre.wire.full")).to_have_text("T|x|y")


def test_a_fragment_beside_messages_is_found_in_the_text(page: Page) -> None:
    page.goto("/?example=")
    lines = ["\U0001f642 prose", *(["REQ/TSK|g=42,t=1"] * 60), "LOG|user=bob|action=login"]
    page.locator("#text").fill("\n".join(lines))
    place = page.locator(".resembling li button")
    expect(place).to_have_text("Line 62", timeout=15_000)
    require_accessible(page)
    page.locator(".editor").evaluate("(box) => { box.scrollTop = 0; }")
    place.click()

    text = page.locator("#text")
    expect(text).to_be_focused()
    assert (
        text.evaluate("(box) => box.value.slice(box.selectionStart, box.selectionEnd)") == lines[-1]
    )
    assert page.locator(".editor").evaluate("(box) => box.scrollTop") > 0
    page.keyboard.press("Home")
    page.keyboard.type("x")
    expect(place).to_have_count(0)
    page.keyboard.press("Backspace")
    expect(place).to_have_text("Line 62")


def test_a_text_is_read_as_what_it_resembles_without_javascript(bare: Page) -> None:
    bare.goto("/?example=")
    bare.locator("#text").fill("LOG|user=bob|action=login\nREQ/TSK|g=42,t=1")
    bare.get_by_role("button", name="Decode", exact=True).click()
    expect(bare.locator(".resembling li")).to_contain_text("Line 1")
    expect(bare.locator(".resembling li button")).to_be_hidden()
    bare.get_by_role("button", name="Decode as AACP").click()

    expect(bare.locator("#list-title")).to_have_text("2 messages")
    expect(bare.locator("#detection summary")).to_contain_text("AACP (your choice)")


def test_what_the_line_says_is_shown_with_the_message(page: Page) -> None:
    write(page, "2026-11-20 10:00:01 INFO bus planner -> executor REQ/TSK|g=42,t=1\n")

    expect(page.locator(".from-line dl > div")).to_have_text(
        [
            "Sent 2026-11-20T10:00:01+00:00 (zone assumed: UTC)", "From planner", "To executor",
            "level INFO",
            "logger bus",
        ]
    )  # fmt: skip
    require_accessible(page)


@pytest.mark.parametrize("kind", ["page", "bare"])
def test_enter_in_a_field_keeps_what_was_chosen(request: pytest.FixtureRequest, kind: str) -> None:
    page: Page = request.getfixturevalue(kind)
    page.goto("/?example=mistakes")
    page.locator("#detection summary").click()
    page.locator("#detection button[value=nslip]").click()
    expect(page.locator("#detection summary")).to_contain_text("(your choice)")
    if kind == "page":
        show_tab(page, "Compare")
    page.locator("#other").fill("2")
    page.locator("#other").press("Enter")

    expect(page.locator(".comparetable")).to_be_visible()
    expect(page.locator("#detection summary")).to_contain_text("(your choice)")
