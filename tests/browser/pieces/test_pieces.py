"""In a browser: the first piece of an answer is shown before the second has come."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.pieces.holding import Holding, holding
from tests.browser.workbench.elements import LONG, rest, type_without_focus
from tests.browser.workbench.test_light import in_input, place_caret, write
from tests.installation import Installation

pytestmark = pytest.mark.browser
TYPED = f"PRO/PLN|g=42,t=1\n{LONG}REQ/TSK|g=42,t=1,@=step"
MISTAKEN = LONG + "REQ/TSK|g=42,t=01\n"
LACKING = "REQ/TS|g=42,t=1,@=step"
FREEZE = """() => {
  // Frames come when the test says so, and not after a tenth of a second either.
  const [frames, later] = [[], window.setTimeout];
  window.requestAnimationFrame = (callback) => frames.push(callback);
  window.setTimeout = (callback, after) => after === 100 || later(callback, after);
  window.paint = () => frames.splice(0).forEach((callback) => callback(performance.now()));
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (detail.requestConfig.path.endsWith("/reading")) window.parsed = true;
  });
}"""


@pytest.fixture
def held(server: Installation) -> Iterator[Holding]:
    with holding(server.base_url) as one:
        yield one


@pytest.fixture
def typing(request: pytest.FixtureRequest, chromium: Browser, held: Holding) -> Iterator[Page]:
    """A page with a text and the caret at its end. The next answers are held."""
    errors: list[str] = []
    context = chromium.new_context(base_url=held.base_url)
    page = context.new_page()
    page.on("pageerror", lambda error: errors.append(str(error)))
    hold_behind(page, held, getattr(request, "param", TYPED))
    yield page
    context.close()
    assert errors == []


def hold_behind(page: Page, held: Holding, text: str) -> None:
    """Write a text and an ``s`` behind it, and hold the next answers."""
    held.go_on.set()
    write(page, text)
    place_caret(page, len(text))
    with page.expect_response("**/reading/whole"):  # the last request after a key
        page.keyboard.type("s")
    expect(page.locator("#chips")).to_contain_text("steps")
    held.go_on.clear()
    held.held = 0


def come(page: Page, held: Holding) -> None:
    """Wait for a first piece, and for what it changes."""
    for _ in range(300):
        page.wait_for_timeout(50)
        if held.held:
            break
    assert held.held
    page.wait_for_timeout(200)


def test_the_message_is_shown_before_the_rest_has_come(typing: Page, held: Holding) -> None:
    lit = in_input(typing)
    assert lit
    typing.keyboard.type("x")
    expect(typing.locator("#english")).to_contain_text("stepsx")
    expect(typing.locator("#english .lit")).to_have_text(re.compile("stepsx"))
    assert in_input(typing) == lit
    expect(typing.locator("#chips")).not_to_contain_text("stepsx")

    held.go_on.set()
    expect(typing.locator("#chips")).to_contain_text("stepsx")
    expect(typing.locator("#english")).to_contain_text("stepsx")
    assert held.held == 1


def test_keys_while_the_rest_is_awaited_are_answered_after_it(typing: Page, held: Holding) -> None:
    typing.keyboard.type("x")
    expect(typing.locator("#english")).to_contain_text("stepsx")
    typing.keyboard.type("yz")
    typing.wait_for_timeout(200)
    expect(typing.locator("#english")).not_to_contain_text("stepsxy")

    held.go_on.set()
    expect(typing.locator("#english")).to_contain_text("stepsxyz")
    expect(typing.locator("#chips")).to_contain_text("stepsxyz")
    assert held.held == 2


def freeze(page: Page, held: Holding, key: str) -> None:
    """Stop the frames of a page, and type a key, to which the whole answer comes."""
    page.evaluate(FREEZE)
    with page.expect_event("requestfinished"):
        page.keyboard.type(key)
        come(page, held)
        held.go_on.set()
    page.wait_for_timeout(50)


@pytest.fixture
def frozen(typing: Page, held: Holding) -> Page:
    freeze(typing, held, "x")
    expect(typing.locator("#english")).to_contain_text("stepsx")
    return typing


def test_a_rest_that_comes_early_waits_for_the_frame_of_the_message(frozen: Page) -> None:
    assert not frozen.evaluate("window.parsed")

    frozen.evaluate("window.paint()")
    expect(frozen.locator("#chips")).to_contain_text("stepsx")
    assert frozen.evaluate("window.parsed")


@pytest.mark.parametrize(
    ("place", "event", "path"),
    [("#workbench", "decode", "/reading"), ("#whole", "whole", "/whole")],
)
def test_a_request_waits_for_no_frame(frozen: Page, place: str, event: str, path: str) -> None:
    with frozen.expect_request(f"**{path}"):
        frozen.evaluate("(sent) => htmx.trigger(...sent)", [place, event])

    assert "stepsx" in frozen.locator("#chips").inner_text()


@pytest.mark.parametrize("typing", [MISTAKEN + LACKING], indirect=True)
def test_a_button_that_the_rest_replaces_is_pressed(typing: Page, held: Holding) -> None:
    place_caret(typing, len(MISTAKEN + "REQ/TS"))
    rest(typing)
    freeze(typing, held, "K")
    assert not typing.evaluate("window.parsed")
    typing.locator(".fix-all").evaluate("(one) => { window.pressed = one; }")

    typing.locator(".fix-all").click()

    expect(typing.locator("dialog[open]")).to_contain_text("Apply")
    assert not typing.evaluate("window.pressed.isConnected")


@pytest.mark.parametrize("typing", [TYPED.replace("t=1,@=step", "t=01,@=step")], indirect=True)
def test_a_message_with_problems_waits_for_the_rest(typing: Page, held: Holding) -> None:
    """Its marks may have to wait, which only the whole answer tells."""
    typing.keyboard.type("x")
    come(typing, held)
    expect(typing.locator("#english")).not_to_contain_text("stepsx")
    assert held.held == 1

    held.go_on.set()
    expect(typing.locator("#english")).to_contain_text("stepsx")


def test_an_answer_waits_for_its_rest_if_a_part_of_it_has_the_focus(
    typing: Page, held: Holding
) -> None:
    typing.locator("#chips .token").first.focus()
    type_without_focus(typing)
    come(typing, held)
    expect(typing.locator("#english")).not_to_contain_text("stepsx")

    held.go_on.set()
    expect(typing.locator("#chips")).to_contain_text("stepsx")
    expect(typing.locator("#chips .token").first).to_be_focused()


def test_an_answer_without_its_rest_is_reported(typing: Page, held: Holding) -> None:
    held.cut = True
    held.go_on.set()
    typing.keyboard.type("x")
    expect(typing.locator("#text-note")).to_have_text(
        "The server could not complete the response. The results are out of date."
    )

    held.cut = False
    typing.keyboard.type("y")
    expect(typing.locator("#chips")).to_contain_text("stepsxy")
    expect(typing.locator("#text-note")).not_to_contain_text("out of date")


@pytest.fixture
def empty(request: pytest.FixtureRequest, chromium: Browser, held: Holding) -> Iterator[Page]:
    """A page without a text, of a width in pixels. The next answers are held."""
    width = getattr(request, "param", 1280)
    context = chromium.new_context(base_url=held.base_url, viewport={"width": width, "height": 900})
    page = context.new_page()
    held.go_on.set()
    page.goto("/?example=")
    page.locator("#text").focus()
    held.go_on.clear()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


def test_the_message_of_a_pasted_text_is_shown_before_the_list(empty: Page, held: Holding) -> None:
    empty.keyboard.insert_text(TYPED)
    expect(empty.locator("#english")).to_be_visible(timeout=20_000)
    expect(empty.get_by_text("Nothing decoded yet")).to_be_hidden()
    expect(empty.locator("#panel-list")).to_have_count(0)
    place = empty.locator("#english").bounding_box()
    empty.locator("#english").evaluate("(one) => { one.came = 'first'; }")

    held.go_on.set()
    expect(empty.locator("#list-title")).to_have_text("22 messages")
    expect(empty.locator("#chips")).to_contain_text("PRO")
    assert empty.locator("#english").bounding_box() == place
    assert empty.locator("#english").evaluate("(one) => one.came") == "first"


@pytest.mark.parametrize("empty", [390], indirect=True)
def test_on_a_narrow_screen_a_pasted_text_waits_for_its_list(empty: Page, held: Holding) -> None:
    empty.keyboard.insert_text(TYPED)
    expect(empty.locator("#english")).to_be_attached(timeout=20_000)
    expect(empty.locator("#english")).to_be_hidden()
    expect(empty.get_by_text("Nothing decoded yet")).to_be_visible()

    held.go_on.set()
    expect(empty.locator("#list-title")).to_have_text("22 messages")
    expect(empty.locator("#english")).to_be_visible()


def test_a_message_without_its_rest_goes_with_its_text(empty: Page, held: Holding) -> None:
    held.cut = True
    empty.keyboard.insert_text(TYPED)
    expect(empty.locator("#english")).to_be_visible(timeout=20_000)
    held.go_on.set()
    expect(empty.locator("#text-note")).to_contain_text("out of date", timeout=20_000)
    expect(empty.locator("#english")).to_be_visible()

    empty.keyboard.press("Control+a")
    empty.keyboard.press("Delete")
    expect(empty.locator("#english")).to_have_count(0)
    expect(empty.get_by_text("Nothing decoded yet")).to_be_visible()
