"""In a browser: one span is lit wherever it is drawn, the input included, by pointer, by keyboard
and by the caret.
"""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import require_accessible
from tests.browser.workbench.elements import paste, press_message, rest, show_tab
from tests.installation import Installation

pytestmark = pytest.mark.browser

TWO = "REQ/TSK|g=42,t=1\nRJE/PLN|g=7,t=01,!=🙂no\n"
LIT = """(name) => [...(CSS.highlights.get(name) ?? [])].map((range) => {
    const lit = new Range();
    lit.setStart(range.startContainer, range.startOffset);
    lit.setEnd(range.endContainer, range.endOffset);
    return lit.toString();
  })"""

GROUND = "(line) => getComputedStyle(line).backgroundColor"


def write(page: Page, text: str = TWO) -> None:
    page.goto("/?example=")
    # The conversations come last, and move what the pointer is over.
    with page.expect_response("**/reading/whole"):
        paste(page, text)
    count = len(text.splitlines())
    said = f"{count} message{'s' if count > 1 else ''}"
    expect(page.locator("#list-title")).to_have_text(
        said, timeout=20_000
    )  # the first answer loads the tokenizers
    expect(page.locator("#whole.htmx-request")).to_have_count(0)


def in_input(page: Page, name: str = "lit") -> list[str]:
    """The stretches of the input that are marked under a name."""
    found: list[str] = page.evaluate(LIT, name)
    return found


def place_caret(page: Page, at: int) -> None:
    page.locator("#text").evaluate(
        "(box, at) => { box.focus(); box.setSelectionRange(at, at); }", at
    )


def test_pointing_at_a_field_lights_it_in_the_input_too(page: Page) -> None:
    write(page)
    page.locator("#panel-fields tr[data-f='g']").hover()

    assert in_input(page) == ["g", "42"]
    for place in ("#panel-fields table", "#panel-means", "#panel-tokens"):
        expect(page.locator(f"{place} .lit[data-f='g']").first).to_be_visible()
    expect(page.locator(".readout.of-fields")).to_contain_text("g · goal ID · columns 9–12")


def test_pointing_at_another_message_lights_its_text_and_not_its_line(page: Page) -> None:
    write(page)
    show_tab(page, "Messages")
    line = page.locator("#backdrop .chunk > div").nth(1)
    ground = line.evaluate(GROUND)
    page.locator("#message-2").hover()

    assert in_input(page, "near") == ["RJE/PLN|g=7,t=01,!=🙂no"]
    assert line.evaluate(GROUND) == ground


def test_pointing_at_the_wire_at_words_and_at_a_token_lights_the_row(page: Page) -> None:
    write(page)
    for place in ("#panel-means", "#panel-tokens .chips"):
        page.mouse.move(0, 0)  # where no late answer moves a row under it
        expect(page.locator("#panel-fields tr.lit")).to_have_count(0)
        page.locator(f"{place} [data-f='t']").first.hover()
        expect(page.locator("#panel-fields tr.lit")).to_have_attribute("data-f", "t")
        assert in_input(page) == ["t", "1"]


def test_pointing_at_a_diagnostic_lights_its_place_and_a_field_its_diagnostic(page: Page) -> None:
    write(page)
    press_message(page, 2)
    expect(page.locator("#means-title")).to_contain_text("2 of 2")
    show_tab(page, "Problems")
    page.locator(".diagnostic[data-code='nslip.leading-zero'] .where").hover()
    assert in_input(page) == ["01"]
    expect(page.locator("#panel-fields tr.lit")).to_have_attribute("data-f", "t")

    page.locator("#panel-fields tr[data-f='act']").hover()
    expect(page.locator(".diagnostic.lit")).to_have_attribute("data-code", "nslip.unknown-act")


def test_a_diagnostic_of_another_message_lights_nothing_of_the_one_that_is_shown(
    page: Page,
) -> None:
    write(page)
    show_tab(page, "Messages")
    expect(page.locator("#message-2")).to_be_visible()
    show_tab(page, "Problems")
    page.locator(".diagnostic[data-code='nslip.leading-zero'] .where").hover()

    assert in_input(page) == ["01"]
    expect(page.locator(".shown .lit")).to_have_count(0)
    expect(page.locator("ol.messages > li:nth-child(2) .lit")).to_have_text(["t", "01"])


def test_the_caret_and_the_pointer_in_the_input_light_their_field(page: Page) -> None:
    write(page)
    place_caret(page, TWO.index("42"))
    expect(page.locator("#panel-fields tr.lit")).to_have_attribute("data-f", "g")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#panel-fields tr.lit")).to_have_attribute("data-f", "t")

    box = page.locator("#text").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 30, box["y"] + 22)
    expect(page.locator("#panel-fields tr.lit")).to_have_attribute("data-f", "act")
    page.mouse.move(2, 2)
    expect(page.locator("#panel-fields tr.lit")).to_have_attribute("data-f", "t")


def test_a_caret_that_rests_in_another_message_shows_it_and_keeps_the_focus(page: Page) -> None:
    write(page)
    place_caret(page, 0)
    page.keyboard.press("ArrowDown")

    expect(page.locator("#means-title")).to_contain_text("2 of 2")
    expect(page.locator("#text")).to_be_focused()
    assert page.locator("#text").evaluate("box => box.selectionStart") == TWO.index("\n") + 1
    expect(page.locator("#panel-fields tr.lit")).to_have_attribute("data-f", "act")


FOUR = "REQ/TSK|g=42,t=1\nPRO/PLN|g=42,t=1\nACC/PLN|g=42,t=1\nINF/OBS|g=42,t=1\n"
"""A conversation whose lines have the same length."""


def walk(page: Page, key: str, to: int) -> None:
    """Press a key, and see that the message ``to`` is shown, with the caret in it, and stays."""
    with page.expect_response("**/reading"):
        page.keyboard.press(key)
    rest(page)
    page.wait_for_timeout(300)  # longer than a caret has to rest
    expect(page.locator("#means-title")).to_contain_text(f"{to} of 4")
    at = page.evaluate("document.getElementById('text').selectionStart")
    assert FOUR.count("\n", 0, at) == to - 1


def test_alt_and_an_arrow_choose_a_message_and_the_caret_goes_along(page: Page) -> None:
    write(page, FOUR)
    place_caret(page, FOUR.index("ACC") + 5)
    walk(page, "ArrowRight", 3)
    walk(page, "Alt+ArrowUp", 2)
    walk(page, "Alt+ArrowUp", 1)
    page.keyboard.press("Alt+ArrowUp")  # the first one has none before it
    walk(page, "Alt+ArrowDown", 2)
    expect(page.locator("#text")).to_be_focused()

    page.keyboard.type("x")
    expect(page.locator("#text")).to_have_value(FOUR.replace("PRO", "xPRO"))
    expect(page.locator("#means-title")).to_contain_text("2 of 4")


def test_alt_and_an_arrow_choose_a_message_after_an_edit_and_its_undoing(page: Page) -> None:
    write(page, FOUR)
    place_caret(page, FOUR.index("ACC") + 5)
    walk(page, "ArrowRight", 3)
    page.locator("#panel-fields tr[data-f='t']").focus()
    page.keyboard.press("Enter")
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    expect(page.locator("#panel-fields tr[data-f='t'] .value")).to_have_text("7")
    page.locator("#text").focus()
    page.keyboard.press("Control+z")
    expect(page.locator("#panel-fields tr[data-f='t'] .value")).to_have_text("1")

    walk(page, "Alt+ArrowUp", 2)


def test_the_message_one_types_in_is_shown(page: Page) -> None:
    write(page)
    place_caret(page, len(TWO))  # the browser counts the emoji twice
    page.keyboard.type("x")

    expect(page.locator("#means-title")).to_contain_text("2 of 2")
    expect(page.locator("#panel-fields tr[data-f='!'] .value")).to_have_text("🙂nox")


def test_a_pin_holds_by_pointer_and_by_key_until_escape(page: Page) -> None:
    write(page)
    page.locator("#panel-fields tr[data-f='g']").click()
    page.locator("#panel-fields tr[data-f='t']").hover()
    expect(page.locator("#panel-fields tr.lit")).to_have_attribute("data-f", "g")
    expect(page.locator(".readout .held").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".lit")).to_have_count(0)
    expect(page.locator(".readout .held").first).to_be_hidden()
    assert in_input(page) == []

    page.locator("#panel-fields tr[data-f='t']").focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#panel-fields tr.lit")).to_have_attribute("data-f", "t")


def test_a_pin_outlives_an_answer(page: Page) -> None:
    write(page)
    page.locator("#panel-fields tr[data-f='g']").click()
    place_caret(page, TWO.index("\n"))
    with page.expect_response("**/reading"):
        page.keyboard.type("2")

    expect(page.locator("#panel-fields tr[data-f='t'] .value")).to_have_text("12")
    expect(page.locator("#panel-fields tr.lit")).to_have_attribute("data-f", "g")
    assert in_input(page) == ["g", "42"]


def test_lists_are_walked_with_arrows_and_with_j_and_k(page: Page) -> None:
    write(page)
    page.locator("#panel-fields tr[data-f='act']").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#panel-fields tr[data-f='frame']")).to_be_focused()
    page.keyboard.press("j")
    expect(page.locator("#panel-fields tr[data-f='g']")).to_be_focused()
    expect(page.locator("#panel-fields tr.lit")).to_have_attribute("data-f", "g")
    page.keyboard.press("k")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(page.locator("#panel-fields tr[data-f='act']")).to_be_focused()

    page.locator("#panel-fields").focus()
    page.keyboard.press("j")
    expect(page.locator("#means-title")).to_contain_text("2 of 2")


def test_an_answer_gives_the_focus_back_to_what_had_it(page: Page) -> None:
    write(page)
    page.get_by_role("button", name="Next message").focus()
    show_tab(page, "Messages")
    page.locator("ol.messages button").nth(1).focus()
    page.keyboard.press("Enter")
    expect(page.locator("#means-title")).to_contain_text("2 of 2")

    expect(page.locator("ol.messages button").nth(1)).to_be_focused()


def test_tokens_tell_their_ids_and_parts(page: Page) -> None:
    write(page, "REQ/TSK|g=42,t=1,@=a𓂀b\nREQ/TSK|g=2,t=1\n")
    chips = page.locator("#panel-tokens .token")
    chips.first.focus()
    line = page.locator("#panel-tokens .readout")
    first = line.inner_text()
    assert first.startswith("token 1 · ID ")

    page.keyboard.press("ArrowRight")
    expect(line).to_contain_text("token 2 · ID ")
    page.locator("#panel-tokens .token.many").first.hover()
    expect(line).to_contain_text("1/")
    expect(line).to_contain_text("together one character")


def test_everybody_can_use_a_pinned_field(page: Page) -> None:
    write(page)
    page.locator("#panel-fields tr[data-f='g']").click()

    require_accessible(page)


def test_a_kept_packet_is_lit_too(page: Page, server: Installation) -> None:
    server.sign_in(page)
    write(page)
    page.get_by_role("button", name="Save to log…").click()
    page.get_by_role("button", name="Save 2 packets").click()
    page.wait_for_url("**/audit/**")  # a link opens the drawer once the scripts have run
    invalid = page.locator(".packets tr", has=page.get_by_role("img", name="Invalid"))
    invalid.locator("a.open").first.click()
    page.get_by_role("link", name="Open packet").click()
    page.locator("#panel-fields tr[data-f='t']").hover()
    expect(page.locator("#panel-fields pre .lit")).to_have_text(["t", "01"])

    page.mouse.move(0, 0)
    page.locator(".diagnostic").nth(1).focus()
    expect(page.locator("#panel-fields pre .lit")).to_have_text(["01"])
    page.locator("summary", has_text="Tokens:").click()
    page.locator("#panel-tokens .token").first.hover()
    expect(page.locator("#panel-tokens .readout")).to_contain_text("ID ")
