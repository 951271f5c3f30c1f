"""In a browser: from a pasted conversation to a reviewed packet in the log, with and without
JavaScript.
"""

import pytest
from playwright.sync_api import Locator, Page, expect

from playground.workbench.examples import CONVERSATION
from tests.browser.workbench.elements import paste, wires
from tests.installation import Installation

pytestmark = pytest.mark.browser


def lit(page: Page) -> list[str]:
    """What is lit of the message itself; the lines of its bill hold numbers only."""
    return page.locator(".shown .lit:not(.bill *)").all_inner_texts()


def caret(page: Page) -> str:
    """What is selected in the input."""
    return str(
        page.locator("#text").evaluate(
            "box => box.value.slice(box.selectionStart, box.selectionEnd)"
        )
    )


def test_a_conversation_is_pasted_understood_saved_found_and_reviewed(
    page: Page, server: Installation
) -> None:
    server.sign_in(page)
    page.goto("/?example=")
    paste(page, CONVERSATION)
    expect(page.locator("#list-title")).to_have_text("6 messages")
    expect(page.locator("p.english")).to_contain_text("Requests task 1 of goal 42")

    page.locator("#panel-fields tr[data-f='@']").hover()
    for panel in ("#panel-fields table", "#panel-means", "#panel-tokens"):
        expect(page.locator(f"{panel} .lit[data-f='@']").first).to_be_visible()
    assert all("auth_refactor" in text or len(text) < 13 for text in lit(page))

    box = page.locator("#text")
    box.fill(CONVERSATION.replace("REJ/PLN", "RJE/PLN"))
    expect(page.locator(".diagnostic")).to_contain_text("nslip.unknown-act")
    page.get_by_role("button", name="Apply RJE → REJ").click()
    expect(page.locator(".diagnostic")).to_have_count(0)
    expect(box).to_have_value(CONVERSATION)

    page.get_by_role("button", name="Save to log…").click()
    save(page, packets=6)

    search = page.get_by_role("combobox", name="Search", exact=True)
    search.fill("@auth_refactor goal:42")
    search.press("Enter")
    expect(page.locator(".packets tbody tr")).to_have_count(1)
    page.locator(".packets a.open").click()
    expect(page.locator("#drawer pre.wire")).to_have_text("REQ/TSK|g=42,t=1,p=2,@=auth_refactor")
    page.get_by_role("link", name="Open packet").click()
    expect(page.locator("h1")).to_contain_text("valid")
    expect(page.locator("pre.wire.full")).to_have_text("REQ/TSK|g=42,t=1,p=2,@=auth_refactor")
    page.locator("#panel-fields tr[data-f='g']").hover()
    expect(page.locator("#panel-means .lit").first).to_be_visible()

    review(page, note="As agreed.")
    page.goto("/audit/?q=is:reviewed+@auth_refactor")
    expect(page.get_by_role("img", name="Reviewed by admin")).to_be_visible()


def test_back_after_saving_leads_to_the_text(page: Page, server: Installation) -> None:
    server.sign_in(page)
    page.goto("/?example=")
    text = "REQ/TSK|g=42,t=1,@=back_after_saving\nACC/TSK|g=42,t=1"
    with page.expect_response("**/reading"):
        page.locator("#text").fill(text)
    page.get_by_role("button", name="Save to log…").click()
    save(page, packets=2)
    page.go_back()

    expect(page.locator("#text")).to_have_value(text)
    expect(page.locator("#list-title")).to_have_text("2 messages")


def save(page: Page, *, packets: int) -> None:
    expect(page.get_by_role("heading", name="What will be stored")).to_be_visible()
    expect(page.locator("ol.trail > li")).to_have_count(packets)
    page.get_by_role("button", name=f"Save {packets} packets").click()
    expect(page.locator(".notice")).to_contain_text(f"{packets} packets saved to log default.")
    expect(page.locator(".packets tbody tr")).to_have_count(packets)
    above = "() => document.querySelector('.notice').getBoundingClientRect().bottom"
    below = "() => document.querySelector('.packets').getBoundingClientRect().top"
    assert page.evaluate(above) <= page.evaluate(below)


def review(page: Page, *, note: str) -> None:
    page.get_by_label("Note").fill(note)
    page.get_by_role("button", name="Mark reviewed").click()
    expect(page.get_by_role("status")).to_have_text("Packet reviewed.")
    expect(page.locator("ol.steps")).to_contain_text("admin")
    expect(page.locator("ol.steps")).to_contain_text(note)


def test_the_same_works_without_javascript(bare: Page, server: Installation) -> None:
    server.sign_in(bare, "grace")
    bare.goto("/?example=")
    bare.locator("#text").fill("REQ/TSK|g=4711,t=1,@=bare_hands\nRJE/PLN|g=4711,t=1,!=no\n")
    bare.get_by_role("button", name="Decode", exact=True).click()
    expect(wires(bare)).to_have_count(2)

    wires(bare).nth(1).get_by_role("button").click()
    expect(bare.locator("#means-title")).to_contain_text("2 of 2")
    bare.get_by_role("button", name="Apply RJE → REJ").click()
    expect(bare.locator("#text")).to_have_value(
        "REQ/TSK|g=4711,t=1,@=bare_hands\nREJ/PLN|g=4711,t=1,!=no\n"
    )
    bare.get_by_role("button", name="Save to log…").click()
    bare.get_by_label("From").fill("planner")
    bare.get_by_role("button", name="Save 2 packets").click()
    expect(bare.locator(".notice")).to_contain_text("2 packets saved to log default.")

    bare.get_by_role("searchbox").fill("@bare_hands from:planner")
    bare.get_by_role("button", name="Search").click()
    bare.locator(".packets a.open").click()
    bare.get_by_role("button", name="Flag packet").click()
    expect(bare.locator("ol.steps")).to_contain_text("flagged")


def test_a_click_pins_a_field_and_escape_lets_go(page: Page) -> None:
    page.goto("/")
    page.locator("#panel-fields tr[data-f='g']").click()
    page.locator("#panel-fields tr[data-f='t']").hover()
    expect(page.locator("#panel-fields tr.lit")).to_have_attribute("data-f", "g")

    page.keyboard.press("Escape")
    expect(page.locator(".lit")).to_have_count(0)


def test_the_keyboard_alone_is_enough(page: Page) -> None:
    page.goto("/?example=")
    paste(page, "REQ/TSK|g=1,t=1\nRJE/PLN|g=1,t=01\nACC/PLN|g=1,t=1\n")
    expect(page.locator("#list-title")).to_have_text("3 messages")

    page.keyboard.press("Alt+ArrowDown")
    expect(page.locator("#means-title")).to_contain_text("2 of 3")
    page.keyboard.press("Alt+ArrowDown")
    expect(page.locator("#means-title")).to_contain_text("3 of 3")
    page.keyboard.press("Alt+ArrowUp")
    expect(page.locator("#means-title")).to_contain_text("2 of 3")

    page.keyboard.press("Shift+F8")
    assert caret(page) == "01"
    page.keyboard.press("F8")
    assert caret(page) == "RJE"
    page.keyboard.press("F8")
    assert caret(page) == "01"
    page.keyboard.press("Shift+F8")
    assert caret(page) == "RJE"
    page.keyboard.press("Control+.")
    expect(page.locator("#text")).to_have_value(
        "REQ/TSK|g=1,t=1\nREJ/PLN|g=1,t=01\nACC/PLN|g=1,t=1\n"
    )
    expect(page.locator(".diagnostic")).to_have_count(2)

    page.locator("#text").focus()
    page.keyboard.press("Control+z")
    expect(page.locator("#text")).to_have_value(
        "REQ/TSK|g=1,t=1\nRJE/PLN|g=1,t=01\nACC/PLN|g=1,t=1\n"
    )

    with page.expect_response("**/reading"):
        page.keyboard.press("Control+Enter")
    page.keyboard.press("Alt+5")
    expect(page.locator("#panel-tokens")).to_be_focused()
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#help")).to_be_hidden()


def command(page: Page, words: str) -> None:
    """By name, in the palette; a button that sends a form only gets the focus there."""
    page.keyboard.press("Control+k")
    page.keyboard.type(words)
    expect(page.locator("#palette-list [aria-selected='true']")).to_contain_text(words)
    page.keyboard.press("Enter")


def tab_to(page: Page, wanted: Locator) -> None:
    for _ in range(60):
        page.keyboard.press("Tab")
        if wanted.evaluate("(one) => one === document.activeElement"):
            return
    raise AssertionError("Tab does not come there")


def translate_by_keys(page: Page) -> None:
    page.keyboard.press("Alt+6")
    tab_to(page, page.locator("#translate-to"))
    page.keyboard.press("t")  # a list forgets what was typed when a busy machine takes a second
    expect(page.locator("#panel-translate pre.wire").first).to_contain_text("T|")
    expect(page.locator("#translate-to")).to_be_focused()


def test_paste_fix_translate_save_and_search_without_a_mouse(
    page: Page, server: Installation
) -> None:
    """Nothing but keys: no click, no hover, and no focus that a key did not give."""
    server.sign_in(page)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/?example=")
    broken = "REQ/TSK|g=815,t=1,@=by_keys_alone\nRJE/PLN|g=815,t=01,!=no\nACC/PLN|g=815,t=007\n"
    paste_by_keys(page, broken)
    expect(page.locator("#list-title")).to_have_text("3 messages")
    expect(page.locator(".diagnostic:visible")).to_have_count(3)

    fix_by_keys(page)
    expect(page.locator("#text")).to_have_value(
        "REQ/TSK|g=815,t=1,@=by_keys_alone\nREJ/PLN|g=815,t=1,!=no\nACC/PLN|g=815,t=7\n"
    )
    expect(page.locator("#panel-diagnostics .diagnostic")).to_have_count(0)

    page.keyboard.press("Alt+6")
    translate_by_keys(page)

    tab_to(page, page.locator(".savebar button"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="What will be stored")).to_be_visible()
    tab_to(page, page.get_by_role("button", name="Save 3 packets"))
    page.keyboard.press("Enter")
    expect(page.locator(".notice")).to_contain_text("3 packets saved to log default.")
    page.wait_for_load_state("load")  # the keys are heard once the scripts have run

    page.keyboard.press("/")
    expect(page.get_by_role("combobox", name="Search", exact=True)).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("@by_keys_alone goal:815")
    page.keyboard.press("Enter")
    expect(page.locator(".packets tbody tr")).to_have_count(1)
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.locator("pre.wire.full")).to_have_text("REQ/TSK|g=815,t=1,@=by_keys_alone")


def paste_by_keys(page: Page, text: str) -> None:
    page.evaluate("(text) => navigator.clipboard.writeText(text)", text)
    page.keyboard.press("Alt+1")
    page.keyboard.press("Control+v")


def fix_by_keys(page: Page) -> None:
    """Apply one fix, then all of them."""
    page.keyboard.press("Shift+F8")
    page.keyboard.press("F8")
    expect(page.locator("#panel-diagnostics .lit")).to_have_attribute(
        "data-code", "nslip.unknown-act"
    )
    page.keyboard.press("Control+.")
    expect(page.locator(".diagnostic:visible")).to_have_count(2)
    expect(page.locator("#text")).to_be_focused()
    command(page, "Apply all safe fixes")
    expect(page.get_by_role("dialog", name="All safe fixes")).to_be_visible()
    tab_to(page, page.locator("#fixes button.primary"))
    page.keyboard.press("Enter")


def test_a_slash_goes_to_the_search(page: Page, server: Installation) -> None:
    server.sign_in(page)
    page.goto("/audit/")
    page.keyboard.press("/")
    expect(page.get_by_role("combobox", name="Search", exact=True)).to_be_focused()
    expect(page.get_by_role("combobox", name="Search", exact=True)).to_have_value("")
