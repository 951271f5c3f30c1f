"""In a browser: the panes of the workbench on wide and narrow screens."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import require_accessible
from tests.browser.workbench.elements import paste, press_message, show_tab

pytestmark = pytest.mark.browser

TWO = "REQ/TSK|g=42,t=1,p=2,@=auth_refactor\nRJE/PLN|g=42,t=01,!=no\n"
MIXED = f"{TWO}# a note\nT|17|Q|obj=test_scope\n"


def begin(page: Page, text: str = TWO) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto("/?example=")
    page.locator("#text").fill("")
    with page.expect_response("**/reading/whole"):
        paste(page, text)


def require_line(page: Page, number: int, state: str | None, end: str) -> None:
    """A line, counted from 1, has a state and a text at its end once its answer is drawn."""
    div = page.locator("#backdrop .chunk > div").nth(number - 1)
    for name, value in (("data-state", state), ("data-end", end)):
        if state is None:
            expect(div).not_to_have_attribute(name, re.compile(""))
        else:
            expect(div).to_have_attribute(name, str(value))


def test_beside_a_line_are_its_state_and_tokens_and_in_a_mixed_text_the_protocol(
    page: Page,
) -> None:
    begin(page)
    require_line(page, 1, "valid", "19")
    require_line(page, 2, "error", "15")

    begin(page, MIXED)
    require_line(page, 1, "valid", "nslip 19")
    require_line(page, 2, "error", "nslip 15")
    require_line(page, 4, "valid", "tline 9")
    require_line(page, 3, None, "")


@pytest.mark.parametrize("text", ["", TWO, "\n".join(f"REQ/TSK|g={n},t=1" for n in range(900))])
def test_the_page_fills_the_window_and_is_no_higher(page: Page, text: str) -> None:
    begin(page, text or "x")
    page.locator("#text").fill(text)

    height = "[document.documentElement.scrollHeight, document.body.scrollHeight, innerHeight]"
    assert set(page.evaluate(height)) == {900}


def test_what_one_needs_from_a_mistake_to_the_log_is_in_the_window(page: Page) -> None:
    begin(page)

    for place in (".diagnostic .fix", "#panel-means .english", ".savebar button"):
        expect(page.locator(f"#reading {place}").first).to_be_in_viewport(ratio=1)


def test_a_problem_is_told_where_it_is_and_fixed_there(page: Page) -> None:
    begin(page)
    page.keyboard.press("F8")

    card = page.locator("#inline-problem")
    expect(card).to_contain_text('Unknown act "RJE".')
    below = page.locator("#backdrop .chunk > div").nth(1).bounding_box()
    place = card.bounding_box()
    assert below
    assert place
    assert 0 <= place["y"] - (below["y"] + below["height"]) < 3
    card.get_by_role("button", name="Apply RJE → REJ").click()

    expect(page.locator("#text")).to_have_value(TWO.replace("RJE", "REJ"))
    expect(card).to_be_hidden()


def test_the_pointer_over_a_squiggle_tells_the_problem_and_escape_closes_it(page: Page) -> None:
    begin(page)
    box = page.locator("#backdrop .chunk > div").nth(1).bounding_box()
    assert box
    page.mouse.move(box["x"] + 10, box["y"] + 10)

    expect(page.locator("#inline-problem")).to_contain_text('Unknown act "RJE".')
    page.keyboard.press("Escape")
    expect(page.locator("#inline-problem")).to_be_hidden()
    page.keyboard.press("F8")
    expect(page.locator("#inline-problem")).to_be_visible()
    show_tab(page, "Messages")
    expect(page.locator("#inline-problem")).to_be_hidden()


def test_tabs_are_walked_by_keys_and_show_one_panel(page: Page) -> None:
    begin(page)
    page.get_by_role("tab", name="Tokens").focus()
    page.keyboard.press("ArrowRight")

    expect(page.get_by_role("tab", name="Formats")).to_be_focused()
    expect(page.locator("#panel-formats")).to_be_visible()
    expect(page.locator("#panel-tokens")).to_be_hidden()
    page.keyboard.press("End")
    expect(page.locator("#panel-examine")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#panel-tokens")).to_be_visible()
    for name in ("Messages", "Formats", "Translate", "Compare", "Conversation", "Checks"):
        show_tab(page, name)
        require_accessible(page)


def test_a_message_chosen_in_the_list_is_scrolled_to_in_the_text(page: Page) -> None:
    begin(page, "".join(f"REQ/TSK|g={n},t=1\n" for n in range(1, 49)))
    show_tab(page, "Messages")
    page.locator("li.more").scroll_into_view_if_needed()
    press_message(page, 40)

    expect(page.locator("#means-title")).to_have_text("Message 40 of 48")
    chosen = page.locator("#backdrop .chunk > div").nth(39)
    expect(chosen).to_have_attribute("data-chosen", "")
    expect(chosen).to_be_in_viewport()


def test_the_text_survives_a_reload_and_back_and_ends_with_the_switch(page: Page) -> None:
    begin(page, TWO)
    page.locator("#text").press("End")
    page.reload()
    expect(page.locator("#text")).to_have_value(TWO)

    page.goto("/protocols/")
    page.go_back()
    expect(page.locator("#text")).to_have_value(TWO)
    page.goto("/")
    expect(page.locator("#text")).to_have_value(TWO)
    page.goto("/?example=mistakes")
    expect(page.locator("#text")).not_to_have_value(TWO)

    page.get_by_label("Remember text in this tab").uncheck()
    page.goto("/")
    expect(page.locator("#means-title")).to_contain_text("of 6")
    assert page.evaluate("sessionStorage.getItem('text')") is None


def test_the_first_visit_says_what_this_is_and_an_edit_ends_that(page: Page) -> None:
    page.goto("/")
    expect(page.locator("#strap")).to_contain_text("Read what agents tell each other.")
    page.get_by_role("button", name="Paste messages").click()
    expect(page.locator("#text")).to_be_focused()
    expect(page.locator("#strap")).to_be_hidden()

    page.reload()
    expect(page.locator("#strap")).to_be_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_the_tabs_and_the_save_button_stay_in_reach(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto("/?example=conversation")

    expect(page.get_by_role("tab", name="Tokens")).to_be_in_viewport()
    expect(page.get_by_role("button", name="Save to log…")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    require_accessible(page)


SHIFTS = """() => {
  window.shifts = [];
  const note = (list) => window.shifts.push(...list.getEntries().map(({ value }) => value));
  new PerformanceObserver(note).observe({ type: "layout-shift", buffered: false });
}"""


LINES = """(sentence) => {
  const boxes = [...sentence.children].flatMap((part) => [...part.getClientRects()]);
  return new Set(boxes.map((box) => box.top)).size;
}"""


def test_at_the_end_of_the_page_on_a_phone_nothing_is_between_the_bars(page: Page) -> None:
    begin(page)
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    save = page.locator("#savebar").bounding_box()
    tabs = page.locator("[data-tabs=panel]").bounding_box()

    assert save is not None
    assert tabs is not None
    assert abs(save["y"] + save["height"] - tabs["y"]) <= 1


def test_a_field_that_has_the_focus_is_not_below_what_sticks_to_the_bottom(page: Page) -> None:
    begin(page, "REQ/TSK|g=42,t=1,p=2,@=auth_refactor\n")
    edits = page.locator("#panel-fields button.edit")
    edits.first.focus()
    for _ in range(edits.count() - 1):
        page.keyboard.press("Tab")

    expect(edits.last).to_be_focused()
    bottom = edits.last.evaluate("(one) => one.getBoundingClientRect().bottom")
    assert bottom <= page.locator("#other-forms").evaluate("(one) => one.getBoundingClientRect().y")


def test_a_longer_value_and_new_fields_move_nothing(page: Page) -> None:
    begin(page, "REQ/TSK|g=42")
    expect(page.locator("#strip-others .counted").first).to_be_visible()
    page.wait_for_timeout(300)
    page.evaluate(SHIFTS)

    sentence = page.locator("#english")
    for typed in (",t=1,@=auth", "_refactor_of_a_service", "_that_nobody_has_a_shorter_name_for"):
        page.keyboard.type(typed)
        expect(sentence).to_contain_text(typed.rpartition("=")[2])

    assert sentence.evaluate(LINES) == 3
    assert page.evaluate("window.shifts") == []


def test_many_findings_of_conversations_fit_beside_the_name_of_their_tab(page: Page) -> None:
    begin(page, "".join(f"REQ/TSK|g={number},t=1\n" for number in range(120)))
    tab = page.get_by_role("tab", name="Conversation")
    expect(tab.locator(".tally")).to_have_text(re.compile(r"^\s*▲\s*99\+$"))

    name, badge = tab.evaluate(
        """(tab) => {
          const range = document.createRange();
          range.selectNodeContents(tab.firstChild);
          const badge = tab.querySelector(".tally");
          return [range.getBoundingClientRect().right, badge.getBoundingClientRect().left];
        }"""
    )

    assert name < badge


def test_names_of_nlip_are_whole_on_a_narrow_screen(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto("/?example=parts")
    names = page.locator("#panel-fields .fieldtable tr[data-f] th")

    for name in ("messagetype", "subformat", "content"):
        lines = names.get_by_text(name, exact=True).evaluate(
            "(cell) => { const text = document.createRange(); text.selectNodeContents(cell);"
            " return new Set([...text.getClientRects()].map((line) => line.top)).size; }"
        )
        assert lines == 1, name
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
