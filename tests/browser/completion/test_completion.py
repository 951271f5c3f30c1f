"""In a browser: the search box completes what is typed, by keys, mouse, and touch."""

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.axe import require_accessible
from tests.browser.workbench.elements import SLOW, come, held
from tests.installation import Installation
from tests.pages.visits import preview

pytestmark = pytest.mark.browser
HOSTILE = "<b>img</b><script>alert(1)</script>"
WIRES = (
    *(f"REQ/TSK|g=7{n},t=1,p=2,@=zeta_common" for n in range(3)),
    "PRO/PLN|g=70,t=1,@=zeta_rare",
    "REJ/PLN|g=70,t=1,!=zeta scope too large",
    f"REJ/PLN|g=70,t=1,!={HOSTILE}",
)


@pytest.fixture(scope="module")
def filled(chromium: Browser, server: Installation) -> None:
    context = chromium.new_context(base_url=server.base_url)
    page = context.new_page()
    server.sign_in(page)
    # In a log of its own: beyond 2,000 packets, values are counted in a sample.
    server.manage("log", "create", "zeta")
    preview(page, "\n".join(WIRES))
    page.locator("#id_log").select_option("zeta")
    page.locator(".savebar button.primary").click()
    page.locator("table.packets").wait_for()
    context.close()


@pytest.fixture
def trail(page: Page, server: Installation, filled: None) -> Page:
    server.sign_in(page)
    page.goto("/audit/?log=zeta", wait_until="networkidle")
    return page


def box(page: Page) -> Locator:
    return page.get_by_role("combobox", name="Search", exact=True)


def options(page: Page) -> Locator:
    return page.locator("#completions [role=option]")


def query_of(page: Page) -> str:
    return parse_qs(urlsplit(page.url).query)["q"][0]


def test_keys_and_then_values_are_accepted_by_keyboard(trail: Page) -> None:
    box(trail).press_sequentially("a")
    expect(options(trail).first).to_contain_text("act:")
    expect(box(trail)).to_have_attribute("aria-expanded", "true")
    expect(trail.locator(".searchfield [role=status]")).to_contain_text("suggestion")

    trail.keyboard.press("ArrowDown")
    expect(box(trail)).to_have_attribute("aria-activedescendant", "completion-0")
    expect(options(trail).first).to_have_attribute("aria-selected", "true")
    trail.keyboard.press("Tab")
    expect(box(trail)).to_have_value("act:")
    expect(box(trail)).to_be_focused()
    expect(options(trail).first).to_contain_text("request")
    trail.keyboard.type("pr")
    expect(options(trail).first.locator("mark")).to_have_text("pr")
    trail.keyboard.press("ArrowDown")
    trail.keyboard.press("Enter")
    expect(box(trail)).to_have_value("act:propose ")
    expect(options(trail)).to_have_count(0)

    with trail.expect_navigation():
        trail.keyboard.press("Enter")
    assert query_of(trail).strip() == "act:propose"


def test_values_come_by_frequency_and_the_mouse_accepts_one(trail: Page) -> None:
    box(trail).press_sequentially("goal:70 @zeta")
    expect(options(trail)).to_have_count(2)
    expect(options(trail).nth(0)).to_contain_text("zeta_common")
    expect(options(trail).nth(0).locator(".count")).to_have_text("3")
    expect(options(trail).nth(1).locator(".count")).to_have_text("1")

    options(trail).nth(1).click()
    expect(box(trail)).to_have_value("goal:70 @zeta_rare ")
    expect(box(trail)).to_be_focused()
    trail.keyboard.press("Control+z")
    expect(box(trail)).to_have_value("goal:70 @zeta")


def test_enter_searches_when_nothing_is_selected_and_escape_closes(trail: Page) -> None:
    box(trail).press_sequentially("zeta_common")
    expect(options(trail).first).to_contain_text("@zeta_common")
    trail.keyboard.press("Escape")
    expect(box(trail)).to_have_attribute("aria-expanded", "false")
    expect(box(trail)).to_have_value("zeta_common")
    trail.keyboard.press("Control+Space")
    expect(options(trail).first).to_contain_text("@zeta_common")
    with trail.expect_navigation():
        trail.keyboard.press("Enter")
    assert query_of(trail) == "zeta_common"


def test_a_value_of_several_words_is_quoted_and_hostile_text_is_text(trail: Page) -> None:
    box(trail).press_sequentially("reason:zeta")
    expect(options(trail).first).to_contain_text("zeta scope")
    options(trail).first.click()
    expect(box(trail)).to_have_value('reason:"zeta scope too large" ')

    box(trail).fill("")
    box(trail).press_sequentially("reason:img")
    expect(options(trail).first).to_contain_text(HOSTILE)
    assert trail.locator("#completions :is(b, script)").count() == 0
    options(trail).first.click()
    with trail.expect_navigation():
        trail.keyboard.press("Enter")
    expect(trail.locator(".packets a.open")).to_have_count(1)


def test_the_caret_counts_as_the_browser_does_and_what_follows_stays(trail: Page) -> None:
    box(trail).fill("\U0001f600 act:pr goal:70")
    box(trail).evaluate("box => box.setSelectionRange(9, 9)")
    trail.keyboard.press("Control+Space")
    expect(options(trail)).to_have_count(1)
    trail.keyboard.press("ArrowDown")
    trail.keyboard.press("Tab")

    expect(box(trail)).to_have_value("\U0001f600 act:propose goal:70")


def test_a_late_answer_never_replaces_that_to_newer_text(trail: Page) -> None:
    with held(trail, "**/audit/complete?*") as waiting:
        box(trail).press_sequentially("a")
        come(trail, waiting, 1)
        trail.keyboard.press("Backspace")
        box(trail).press_sequentially("since:")
        trail.wait_for_timeout(120)
        assert len(waiting) == 1, "one request is under way at a time"

        waiting.pop().continue_()
        come(trail, waiting, 1)
        expect(options(trail)).to_have_count(0)
    expect(options(trail).first).to_contain_text("1h")


def test_an_error_appears_after_a_rest_and_goes_at_once(trail: Page) -> None:
    trail.add_init_script(SLOW)
    trail.reload(wait_until="networkidle")
    note = trail.locator(".search-problem")
    box(trail).press_sequentially("goal:7 gaol:3")
    trail.wait_for_timeout(300)
    expect(note).to_be_hidden()
    expect(note).to_contain_text("Unknown field")
    expect(trail.locator(".search-mirror span")).to_have_text("gaol")
    assert trail.evaluate("document.documentElement.scrollWidth <= innerWidth")
    trail.keyboard.press("Backspace")
    expect(note).to_be_hidden()


def test_nothing_moves_and_it_is_accessible_when_the_list_is_open(trail: Page) -> None:
    trail.set_viewport_size({"width": 360, "height": 740})
    before = trail.locator(".trail-bar").bounding_box()
    box(trail).press_sequentially("a")
    expect(options(trail).first).to_be_visible()
    trail.keyboard.press("ArrowDown")

    assert trail.locator(".trail-bar").bounding_box() == before
    edges = trail.locator("#completions").bounding_box()
    assert edges
    assert edges["x"] >= 0
    assert edges["x"] + edges["width"] <= 360
    assert trail.evaluate("document.documentElement.scrollWidth <= innerWidth")
    require_accessible(trail)


LARGE = """() => [...document.querySelectorAll("#completions [role=option]")]
  .every((one) => one.getBoundingClientRect().height >= 44)"""


def test_targets_are_large_on_touch(chromium: Browser, server: Installation, filled: None) -> None:
    context = chromium.new_context(
        base_url=server.base_url, has_touch=True, is_mobile=True,
        viewport={"width": 390, "height": 800}, color_scheme="dark",
    )  # fmt: skip
    page = context.new_page()
    server.sign_in(page)
    page.goto("/audit/?log=zeta", wait_until="networkidle")
    # Each key may draw the list again, and an option that is gone has no height.
    with page.expect_response(lambda answer: "q=%40zeta&" in answer.url):
        box(page).press_sequentially("@zeta")
    expect(options(page)).to_have_count(2)
    page.wait_for_function(LARGE)
    require_accessible(page)
    options(page).first.tap()
    expect(box(page)).to_have_value("@zeta_common ")
    context.close()


def test_composing_asks_for_nothing_until_it_ends(trail: Page) -> None:
    asked: list[str] = []
    trail.on("request", lambda request: asked.append(request.url))
    box(trail).focus()
    session = trail.context.new_cdp_session(trail)
    session.send("Input.imeSetComposition", {"selectionStart": 1, "selectionEnd": 1, "text": "a"})
    trail.wait_for_timeout(150)
    assert not [url for url in asked if "/audit/complete" in url]
    session.send("Input.insertText", {"text": "a"})
    expect(options(trail).first).to_contain_text("act:")
