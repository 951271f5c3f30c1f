"""In a browser: only its user disturbs the input, it takes a lot, and undo takes everything
back.
"""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.workbench.elements import paste
from tests.browser.workbench.test_editing import row
from tests.browser.workbench.test_light import place_caret, write
from tests.installation import Installation

pytestmark = pytest.mark.browser

MEBIBYTE = 1024 * 1024
LONG = 30_000
"""Milliseconds for an answer to the largest text."""


def mark(page: Page) -> None:
    page.locator("#text").evaluate("(box) => { window.marked = box; }")


def is_marked(page: Page) -> bool:
    """Whether the input is still the very element that was marked, and can be typed in."""
    return bool(
        page.locator("#text").evaluate(
            "(box) => box === window.marked && !box.disabled && !box.readOnly"
        )
    )


def caret(page: Page) -> int:
    return int(page.locator("#text").evaluate("(box) => box.selectionStart"))


def paste_over(page: Page, text: str) -> None:
    """Put the text in place of all there is."""
    page.locator("#text").focus()
    page.keyboard.press("Control+a")
    paste(page, text)


def undo_until(page: Page, wanted: str) -> int:
    """How often Ctrl+Z was needed until the wanted text stood there."""
    page.locator("#text").focus()
    for times in range(1, 9):
        page.keyboard.press("Control+z")
        if page.locator("#text").input_value() == wanted:
            return times
    raise AssertionError(page.locator("#text").input_value())


def test_an_input_method_writes_undisturbed_by_answers(page: Page) -> None:
    write(page, "REQ/TSK|g=42,t=1,@=x")
    mark(page)
    page.evaluate(
        "() => { window.ended = 0; marked.addEventListener('compositionend', () => { ended +="
        " 1; }); }"
    )
    keyboard = page.context.new_cdp_session(page)
    for half in ("n", "に", "にほ", "にほん"):
        with page.expect_response("**/reading"):
            keyboard.send(
                "Input.imeSetComposition", {"text": half, "selectionStart": 1, "selectionEnd": 1}
            )
        expect(row(page, "@").locator(".value")).to_have_text(f"x{half}")
        expect(page.locator("#text")).to_have_value(f"REQ/TSK|g=42,t=1,@=x{half}")
    assert page.evaluate("ended") == 0
    keyboard.send("Input.insertText", {"text": "日本"})

    expect(row(page, "@").locator(".value")).to_have_text("x日本")
    assert page.evaluate("ended") == 1
    assert is_marked(page)
    assert caret(page) == len("REQ/TSK|g=42,t=1,@=x日本")
    page.keyboard.press("Control+z")
    expect(page.locator("#text")).to_have_value("REQ/TSK|g=42,t=1,@=x")


def test_enter_that_ends_a_composition_does_not_end_the_editing_of_a_value(page: Page) -> None:
    write(page, "REQ/TSK|g=42,t=1,@=x")
    row(page, "@").focus()
    page.keyboard.press("Enter")
    field = page.get_by_label("New value of @")
    field.fill("に")
    field.evaluate(
        "(one) => one.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing:"
        " true, bubbles: true }))"
    )
    expect(field).to_be_focused()
    page.keyboard.press("Enter")

    expect(page.locator("#text")).to_have_value("REQ/TSK|g=42,t=1,@=に")


def test_the_textarea_stays_itself_whatever_changes_its_text_and_everything_is_undone(
    page: Page,
) -> None:
    start = "REQ/TSK|g=1,t=1\nRJE/PLN|g=1,t=01,!=no\nACC/PLN|g=1,t=007\n"
    write(page, start)
    mark(page)
    place_caret(page, start.index("\n"))
    page.keyboard.type("2")
    expect(row(page, "t").locator(".value")).to_have_text("12")
    # The rest of the answer, which may replace the button.
    expect(page.locator("#chips")).to_contain_text("12")
    assert caret(page) == start.index("\n") + 1
    page.get_by_role("button", name="Apply RJE → REJ").press("Enter")
    expect(page.get_by_role("button", name="Apply RJE → REJ")).to_have_count(0)
    page.get_by_role("button", name="Apply all safe fixes (2)…").press("Enter")
    page.get_by_role("button", name="Apply 2 fixes").press("Enter")
    expect(page.locator("#panel-diagnostics .diagnostic")).to_have_count(0)
    row(page, "g").focus()
    page.keyboard.press("Enter")
    page.keyboard.type("9")
    page.keyboard.press("Enter")
    expect(row(page, "g").locator(".value")).to_have_text("9")
    page.locator("#detection summary").press("Enter")
    page.locator("#detection button[value=nslip]").press("Enter")
    expect(page.locator("#detection summary")).to_contain_text("(your choice)")

    assert is_marked(page)
    assert undo_until(page, start) == 4
    assert is_marked(page)
    expect(page.locator("#panel-diagnostics .diagnostic:visible")).to_have_count(3)


def test_thousands_of_lines_are_mended_at_once_and_taken_back_at_once(page: Page) -> None:
    broken = "".join(f"RJE/PLN|g={n},t=1,!=<b>&amp;_{n}\n" for n in range(1, 2001))
    page.goto("/?example=")
    paste_over(page, broken)
    page.get_by_role("button", name="Apply all safe fixes (2,000)…").click(timeout=LONG)
    page.get_by_role("button", name="Apply 2,000 fixes").click()

    expect(page.locator("#text")).to_have_value(broken.replace("RJE", "REJ"))
    expect(page.locator("#list-title")).to_have_text("2,000 messages")
    assert page.locator("#workbench .editor b").count() == 0
    page.locator("#text").press("Control+z")
    expect(page.locator("#text")).to_have_value(broken)


def test_five_thousand_messages_are_taken_and_one_more_is_said(page: Page) -> None:
    page.goto("/?example=")
    paste_over(page, "".join(f"REQ/TSK|g={n},t=1\n" for n in range(1, 5001)))
    expect(page.locator("#list-title")).to_have_text("5,000 messages", timeout=LONG)
    expect(page.locator("#reading")).not_to_contain_text("Only the first")

    paste_over(page, "".join(f"REQ/TSK|g={n},t=1\n" for n in range(1, 5002)))
    expect(page.locator("#reading")).to_contain_text(
        "Only the first 5,000 messages were decoded; 1 more was not.", timeout=LONG
    )


def test_a_mebibyte_is_taken_and_a_byte_more_is_refused_in_words(page: Page) -> None:
    head = "REQ/TSK|g=1,t=1,@="
    page.goto("/?example=")
    paste_over(page, head + "a" * (MEBIBYTE - len(head)))
    expect(page.locator("#list-title")).to_have_text("1 message", timeout=LONG)
    expect(page.locator("#panel-fields")).to_contain_text(
        "Showing the beginning of 1,048,576 characters."
    )

    paste_over(page, head + "a" * (MEBIBYTE - len(head) + 1))
    expect(page.get_by_text("1,048,577")).to_be_visible(timeout=LONG)
    expect(page.get_by_role("link", name="Import a file")).to_be_visible()
    assert len(page.locator("#text").input_value()) == MEBIBYTE + 1


def test_the_first_visit_shows_one_example_with_clear_beside_it(page: Page) -> None:
    page.goto("/")

    expect(page.locator(".lesson")).to_contain_text("A conversation of five agents.")
    expect(page.locator("#list-title")).to_have_text("6 messages")
    clear = page.get_by_role("link", name="Clear")
    expect(clear).to_be_visible()
    clear.press("Enter")
    expect(page.locator("#text")).to_have_value("")
    expect(page.locator("#text")).to_be_focused()


def test_opening_a_link_keeps_nothing(page: Page, server: Installation) -> None:
    server.sign_in(page)
    page.goto("/?text=REQ%2FTSK%7Cg%3D42%2Ct%3D1%2C%40%3Dopened_by_a_link")
    expect(page.locator("#text")).to_have_value("REQ/TSK|g=42,t=1,@=opened_by_a_link")
    expect(page.locator("#list-title")).to_have_text("1 message")

    page.goto("/audit/?q=@opened_by_a_link")
    expect(page.locator(".packets tbody tr")).to_have_count(0)


@pytest.mark.parametrize("name", ["Apply all safe fixes", "Save to log…"])
def test_decoding_is_decoding_whichever_button_has_the_focus(page: Page, name: str) -> None:
    write(page, "RJE/PLN|g=42,t=1,!=no\n")
    page.get_by_role("button", name=name).focus()
    with page.expect_response("**/reading"):
        page.keyboard.press("Control+Enter")

    expect(page.get_by_role("button", name=name)).to_be_focused()
    expect(page.locator("pre.wire.full")).to_have_text("RJE/PLN|g=42,t=1,!=no")
