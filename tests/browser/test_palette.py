"""In a browser: commands by name, the sheet of keys, and the gallery of examples, by keyboard
alone.
"""

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.axe import require_accessible
from tests.browser.workbench.elements import come
from tests.browser.workbench.test_light import write
from tests.installation import Installation

pytestmark = pytest.mark.browser

KEYS = (
    "Ctrl Enter", "F8", "Shift F8", "Ctrl .", "Alt ↑", "Alt ↓", "Alt 1", "Alt 2", "Alt 3", "Alt 4",
    "Alt 5", "Alt 6",
    "Ctrl K", "/", "J", "K", "?", "↑", "↓", "←", "→", "Space", "Esc", "F2",
)  # fmt: skip
"""What the sheet of the workbench lists at least."""


def palette(page: Page) -> Locator:
    page.keyboard.press("Control+k")
    box = page.get_by_role("combobox", name="Command, message, example, or page")
    expect(box).to_be_focused()
    return box


def chosen(page: Page) -> Locator:
    return page.locator("#palette-list [aria-selected='true']")


def test_a_command_is_found_by_some_of_its_letters_and_run(page: Page) -> None:
    write(page, "RJE/PLN|g=42,t=1,!=no\n")
    expect(page.locator(".diagnostic")).to_be_visible()
    box = palette(page)
    page.keyboard.type("nxprob")

    expect(chosen(page)).to_contain_text("Next problem")
    expect(chosen(page).locator("mark").first).to_have_text("N")
    expect(chosen(page).locator("kbd")).to_have_text("F8")
    assert box.get_attribute("aria-activedescendant") == chosen(page).get_attribute("id")
    page.keyboard.press("Enter")
    expect(page.locator("#palette")).to_be_hidden()
    expect(page.locator("#panel-diagnostics .lit")).to_have_attribute(
        "data-code", "nslip.unknown-act"
    )


def test_messages_are_gone_to_by_number_and_by_what_they_say(page: Page) -> None:
    write(page, "".join(f"REQ/TSK|g={number},t=1\n" for number in range(1, 121)))
    palette(page)
    page.keyboard.type("message 12")
    expect(chosen(page)).to_contain_text("Go to message 12")
    page.keyboard.press("Enter")
    expect(page.locator("#means-title")).to_contain_text("12 of 120")

    palette(page)
    page.keyboard.type("113")
    expect(chosen(page)).to_have_text("Go to message 113Messages")
    page.keyboard.press("Enter")
    expect(page.locator("#means-title")).to_contain_text("113 of 120")

    page.locator("#panel-means h2").click()
    page.keyboard.press("/")
    page.keyboard.type("g=77")
    expect(chosen(page)).to_contain_text("REQ/TSK|g=77,t=1")
    page.keyboard.press("Enter")
    expect(page.locator("#means-title")).to_contain_text("77 of 120")


def test_what_is_found_is_where_it_is_in_the_text(page: Page) -> None:
    # In lower case, each "İ" is two characters.
    write(page, "İİİİ: RJE/PLN|g=1,t=1\nACC/PLN|g=2,t=1\nREQ/TSK|g=3,t=1,@=İstanbul (a.b)\n")
    for query, found in (("acc/pln", "ACC/PLN"), ("İSTANBUL (A.B)", "İstanbul (a.b)")):
        palette(page)
        page.keyboard.type(query)
        expect(chosen(page)).to_contain_text(found)
        expect(chosen(page).locator("mark")).to_have_text(found)
        page.keyboard.press("Enter")
        expect(page.locator("#palette")).to_be_hidden()
        selected = page.evaluate(
            "() => { const { value, selectionStart, selectionEnd } ="
            " document.querySelector('#text');"
            " return value.slice(selectionStart, selectionEnd); }"
        )
        assert selected == found


def test_a_protocol_and_a_translation_are_chosen_by_name(page: Page) -> None:
    write(page, "REQ/TSK|g=42,t=1\n")
    palette(page)
    page.keyboard.type("translate to t-line")
    page.keyboard.press("Enter")
    expect(page.locator("#panel-translate pre.wire")).to_contain_text("T|")

    palette(page)
    page.keyboard.type("decode as sacp")
    page.keyboard.press("Enter")
    expect(page.locator("#detection summary")).to_contain_text("SACP (your choice)")
    expect(page.locator("#panel-means .protocol")).to_have_text("SACP")


def test_pages_and_examples_are_places_on_every_page(page: Page) -> None:
    page.goto("/claims/")
    with page.expect_response("**/places"):
        palette(page)
    page.keyboard.type("folded aacp")
    expect(chosen(page)).to_contain_text("A folded AACP packet")
    page.keyboard.press("Enter")
    page.wait_for_url("**/?example=folded")

    palette(page)
    page.keyboard.type("protocols")
    expect(chosen(page)).to_have_text("ProtocolsPages")
    page.keyboard.press("Enter")
    page.wait_for_url("**/protocols/")


def test_what_is_not_found_can_be_searched_for_in_the_trail(
    page: Page, server: Installation
) -> None:
    server.sign_in(page)
    page.goto("/protocols/")
    palette(page)
    page.keyboard.type("@nothing_of_the_kind")
    expect(chosen(page)).to_contain_text("Search the trail for “@nothing_of_the_kind”")
    page.keyboard.press("Enter")

    expect(page.locator("#q")).to_have_value("@nothing_of_the_kind")


def test_the_palette_is_walked_through_and_left_by_keys(page: Page) -> None:
    page.goto("/")
    page.locator("#text").focus()
    late: list[Route] = []
    page.route(re.compile("/places"), lambda route: late.append(route))
    palette(page)
    expect(chosen(page)).to_have_attribute("id", "palette-0")
    page.keyboard.press("ArrowUp")
    expect(chosen(page)).not_to_have_attribute("id", "palette-0")
    page.keyboard.press("ArrowDown")
    expect(chosen(page)).to_have_attribute("id", "palette-0")
    page.keyboard.press("ArrowUp")
    last = chosen(page).text_content() or ""
    options = page.get_by_role("option")
    before = options.count()
    late[0].continue_()
    expect(options).not_to_have_count(before)
    expect(chosen(page)).to_have_text(last)
    require_accessible(page)
    page.keyboard.press("Escape")

    expect(page.locator("#palette")).to_be_hidden()
    expect(page.locator("#text")).to_be_focused()


def test_the_menu_of_tools_is_used_by_keys_and_closes(page: Page) -> None:
    page.goto("/claims/")
    menu = page.locator(".tools-menu")
    menu.locator("summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Import a file")).to_be_focused()
    require_accessible(page, ".tools-menu")
    page.keyboard.press("Escape")
    expect(menu.locator("summary")).to_be_focused()
    expect(menu).not_to_have_attribute("open")

    page.keyboard.press("Enter")
    page.mouse.click(600, 700)
    expect(menu).not_to_have_attribute("open")
    page.locator(".tools-menu summary").click()
    page.get_by_role("link", name="Compare two texts").click()
    page.wait_for_url("**/diff")


def test_hostile_text_in_the_palette_is_text(page: Page) -> None:
    write(page, "INF/OBS|g=42,t=1,@=<img/src=x/onerror=window.broken=1>\n")
    palette(page)
    page.keyboard.type("<img/src=x")

    expect(chosen(page)).to_contain_text("<img/src=x/onerror")
    assert page.locator("#palette img").count() == 0
    assert page.evaluate("() => window.broken") is None


def test_the_sheet_lists_every_key_and_each_row_is_a_button(page: Page) -> None:
    write(page, "REQ/TSK|g=42,t=1\nRJE/PLN|g=42,t=1,!=no\n")
    page.get_by_role("button", name="Keyboard shortcuts", exact=True).click()
    sheet = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(sheet).to_be_visible()

    listed = [" ".join(words.split()) for words in sheet.locator(".keys").all_text_contents()]
    assert set(KEYS) <= set(listed)
    assert len(listed) == len(set(listed))
    require_accessible(page)
    sheet.get_by_role("button", name="Next message").click()
    expect(sheet).to_be_hidden()
    expect(page.locator("#means-title")).to_contain_text("2 of 2")


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("/autopilot", "#pilot-found-title"),
        ("/diff", "#result-title"),
        ("/sacp/plan", "#panel-fields"),
    ],
)
def test_a_text_is_sent_by_a_key(page: Page, address: str, found: str) -> None:
    page.goto(address)
    page.locator("main textarea").first.fill("REQ/TSK|g=42,t=1\n")
    page.keyboard.press("Control+Enter")

    expect(page.locator(found).first).to_be_visible()


def test_what_is_lit_is_held_and_let_go_from_the_sheet(page: Page) -> None:
    write(page, "REQ/TSK|g=42,t=1\n")
    sheet = page.get_by_role("dialog", name="Keyboard shortcuts")
    page.locator("#panel-fields tr[data-f='g']").focus()
    page.keyboard.press("?")
    sheet.get_by_role("button", name="Pin or unpin highlight").press("Enter")
    expect(page.locator(".readout .held").first).to_be_visible()
    expect(page.locator("#panel-fields tr.lit")).to_have_attribute("data-f", "g")

    page.keyboard.press("?")
    sheet.get_by_role("button", name="Esc Unpin").press("Enter")
    expect(page.locator(".readout .held").first).to_be_hidden()


@pytest.mark.parametrize(
    ("key", "panel"),
    [
        ("1", "text"),
        ("2", "panel-means"),
        ("3", "panel-diagnostics"),
        ("4", "panel-list"),
        ("5", "panel-tokens"),
        ("6", "panel-translate"),
        ("7", "panel-compare"),
        ("8", "whole"),
        ("9", "panel-examine"),
    ],
)
def test_a_key_goes_to_each_panel(page: Page, key: str, panel: str) -> None:
    page.goto("/?example=mistakes")
    page.keyboard.press(f"Alt+{key}")

    expect(page.locator(f"#{panel}")).to_be_focused()


def test_keys_wait_while_a_dialog_is_open(page: Page) -> None:
    write(page, "REQ/TSK|g=1,t=1\nREQ/TSK|g=2,t=1\n")
    page.locator("#panel-means h2").click()
    late: list[Route] = []
    page.route("**/command_palette*.js", lambda route: late.append(route))
    with page.expect_request("**/command_palette*.js"):
        page.keyboard.press("?")
        page.keyboard.press("j")
    come(page, late, 1)
    late[0].continue_()

    expect(page.locator("#help")).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("Escape")
    title = page.locator("#means-title")
    expect(title).to_contain_text("1 of 2", use_inner_text=True)
    page.keyboard.press("j")
    expect(title).to_contain_text("2 of 2", use_inner_text=True)


def test_what_is_typed_before_the_palette_has_loaded_is_typed_in_it(page: Page) -> None:
    page.goto("/?example=")
    page.locator("#text").focus()
    late: list[Route] = []
    page.route("**/command_palette*.js", lambda route: late.append(route))
    with page.expect_request("**/command_palette*.js"):
        page.keyboard.press("Control+k")
        page.keyboard.type("claims")
    come(page, late, 1)
    late[0].continue_()

    box = page.get_by_role("combobox", name="Command, message, example, or page")
    expect(box).to_have_value("claims")
    expect(page.locator("#text")).to_have_value("")


def test_lists_of_other_pages_are_walked_through(page: Page, server: Installation) -> None:
    server.sign_in(page)
    write(page, "REQ/TSK|g=1,t=1\nREQ/TSK|g=2,t=1\n")
    page.locator(".savebar button").click()
    page.locator(".savebar button.primary").click()
    page.wait_for_url("**/audit/**")
    page.keyboard.press("j")
    expect(page.locator(".packets a.open").nth(0)).to_be_focused()
    page.keyboard.press("j")
    expect(page.locator(".packets a.open").nth(1)).to_be_focused()
    page.keyboard.press("k")
    page.keyboard.press("Enter")

    expect(page.locator("#drawer")).to_contain_text("goal 2")


def test_the_gallery_is_filtered_and_opened_by_keys(page: Page) -> None:
    page.goto("/examples/")
    page.keyboard.press("/")
    page.keyboard.type("json tokens")
    expect(page.locator(".example:visible")).to_have_count(1)
    expect(page.locator("#gallery-count")).to_contain_text("1 of")
    page.keyboard.press("Enter")
    expect(page.locator(".example:focus")).to_contain_text("A packet that beats JSON")
    page.keyboard.press("Enter")

    page.wait_for_url("**/?example=beats-json")
    expect(page.locator(".lesson")).to_contain_text("A packet that beats JSON.")


def test_the_gallery_works_without_javascript(bare: Page) -> None:
    bare.goto("/examples/")
    bare.get_by_label("Filter examples").fill("percent tax")
    bare.get_by_role("button", name="Filter").click()

    expect(bare.locator(".example")).to_have_count(1)
    bare.locator(".example").click()
    expect(bare.locator(".lesson")).to_contain_text("T-line’s percent-encoding tax")
    expect(bare.locator("#open-palette")).to_be_hidden()
