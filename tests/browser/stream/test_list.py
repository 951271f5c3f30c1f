"""In a browser: the list of messages by keys, paused, followed, scrolled, and filtered."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.stream.messages import WIRE, lines, newest, post, post_many
from tests.installation import Installation

pytestmark = pytest.mark.browser

# A place that is set is scrolled to in the next frame, and drawn in the one after it.
FRAMES = """async () => {
  for (let left = 3; left; left -= 1) await new Promise(requestAnimationFrame);
}"""


def test_everything_works_by_keys(pad: Page) -> None:
    post_many(pad, 1, 60)
    expect(pad.locator("#total-messages")).to_have_text("60")

    pad.keyboard.press("k")
    expect(pad.locator("#message pre.wire.full")).to_have_text(WIRE.format(60))
    pad.keyboard.press("k")
    expect(pad.locator("#message pre.wire.full")).to_have_text(WIRE.format(59))
    pad.locator("#lines").focus()
    pad.keyboard.press("Home")
    expect(pad.locator("#message pre.wire.full")).to_have_text(WIRE.format(1))
    expect(pad.locator("#lines")).to_have_attribute("aria-activedescendant", "line-1")
    pad.keyboard.press("ArrowDown")
    expect(pad.locator("#message pre.wire.full")).to_have_text(WIRE.format(2))
    pad.keyboard.press("p")
    expect(pad.locator("#state")).to_have_text("Paused")
    pad.keyboard.press("p")
    pad.keyboard.press("f")
    expect(pad.locator("#follow")).to_have_attribute("aria-pressed", "true")
    expect(pad.locator("#line-60")).to_be_visible()


def test_times_are_those_of_the_readers_zone(chromium: Browser, server: Installation) -> None:
    context = chromium.new_context(base_url=server.base_url, timezone_id="Asia/Kolkata")
    there = context.new_page()
    there.goto("/stream/")
    there.get_by_role("button", name="Start live session").click()
    expect(there.locator("main .hint time")).to_have_text(re.compile(r"GMT\+5:30$"))
    post(there, WIRE.format(1))

    time = lines(there).first.locator("time")
    expected = there.evaluate(
        "(at) => new Date(at).toLocaleString('sv', { timeZone: 'Asia/Kolkata' })",
        time.get_attribute("title"),
    )
    expect(time).to_have_text(re.compile(rf"^{expected[11:]}\.\d{{3}}$"))
    context.close()


def test_a_pause_holds_the_list_and_loses_nothing(pad: Page) -> None:
    post_many(pad, 1, 3)
    expect(lines(pad)).to_have_count(3)
    pad.get_by_role("button", name="Pause").click()
    post_many(pad, 4, 8)

    expect(pad.get_by_role("button", name="Resume (5 new)")).to_be_visible()
    expect(lines(pad)).to_have_count(3)
    expect(pad.locator("#total-messages")).to_have_text("8")
    pad.get_by_role("button", name="Resume (5 new)").click()
    expect(lines(pad)).to_have_count(8)
    expect(pad.locator("#lines .gap")).to_have_count(0)


def test_a_long_pause_leaves_a_gap(pad: Page) -> None:
    post_many(pad, 1, 3)
    expect(lines(pad)).to_have_count(3)
    pad.get_by_role("button", name="Pause").click()
    post_many(pad, 4, 1203)
    expect(pad.get_by_role("button", name="Resume (1,200 new)")).to_be_visible()
    pad.get_by_role("button", name="Resume").click()
    pad.locator("#lines").focus()
    pad.keyboard.press("Home")

    expect(pad.locator("#lines .gap")).to_have_count(0)
    expect(pad.locator("#cap")).to_contain_text(
        "Showing the last 1,000. Older messages are no longer shown."
    )


def test_it_follows_until_somebody_scrolls_up_and_again_when_asked(pad: Page) -> None:
    post_many(pad, 1, 200)
    expect(pad.locator("#line-200")).to_be_in_viewport()
    pad.locator("#lines").evaluate("(one) => { one.scrollTop = 0; }")
    expect(pad.locator("#line-1")).to_be_in_viewport()
    expect(pad.get_by_role("button", name="Follow")).to_have_attribute("aria-pressed", "false")

    post_many(pad, 201, 300)
    expect(pad.locator("#total-messages")).to_have_text("300")
    expect(pad.locator("#line-1")).to_be_in_viewport()
    pad.get_by_role("button", name="Follow").click()

    expect(pad.locator("#line-300")).to_be_in_viewport()


def test_the_page_holds_a_thousand_lines_and_draws_those_in_view(pad: Page) -> None:
    post_many(pad, 1, 900)
    expect(pad.locator("#line-900")).to_be_in_viewport()
    post_many(pad, 901, 2500)

    expect(pad.locator("#line-2500")).to_be_in_viewport()
    expect(pad.locator("#cap")).to_have_text(
        "Showing the last 1,000. Older messages are no longer shown."
    )
    assert pad.locator("#lines .line").count() < 60
    pad.locator("#lines").evaluate("(one) => { one.scrollTop = 0; }")
    expect(pad.locator("#line-1501")).to_be_in_viewport()


def test_who_reads_further_up_keeps_the_place_while_old_lines_go(pad: Page) -> None:
    post_many(pad, 1, 1000)
    expect(pad.locator("#line-1000")).to_be_in_viewport()
    pad.locator("#lines").evaluate("(one) => { one.scrollTop = one.scrollHeight / 2; }")
    expect(pad.locator("#follow")).to_have_attribute("aria-pressed", "false")
    before = newest(pad)

    post_many(pad, 1001, 1100)
    expect(pad.locator("#total-messages")).to_have_text("1,100")
    pad.evaluate(FRAMES)

    assert abs(newest(pad) - before) <= 1


def test_filters_choose_while_it_runs(pad: Page) -> None:
    post(pad, f"{WIRE.format(42)}\nRJE/PLN|g=4\nT|17|Q|obj=x\n")
    expect(lines(pad)).to_have_count(3)

    pad.get_by_label("Filter").fill("goal:42 @live*")
    expect(lines(pad)).to_have_count(1)
    expect(pad.locator("#cap")).to_have_text("2 hidden by filters.")
    post(pad, f"{WIRE.format(42)}\n{WIRE.format(7)}\n")
    expect(lines(pad)).to_have_count(2)
    expect(pad.locator("#cap")).to_have_text("3 hidden by filters.")
    assert "q=goal" in pad.url
    pad.get_by_label("Filter").fill("")
    pad.get_by_label("Severity").select_option("error")
    expect(lines(pad)).to_have_count(1)
    pad.get_by_label("Severity").select_option("")
    pad.get_by_label("Protocol").select_option("sacp")
    expect(pad.get_by_text("No messages match these filters yet.")).to_be_visible()
