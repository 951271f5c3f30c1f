"""In a browser: a queue of packets is reviewed by keys alone, by buttons, and without scripts."""

import re

import pytest
from playwright.sync_api import Browser, FloatRect, Page, StorageState, expect

from tests.browser.axe import require_accessible
from tests.browser.offline.breaking import break_bodies, heal_bodies
from tests.browser.review.desk import BROKEN, fill, open_queue, title
from tests.installation import Installation

pytestmark = pytest.mark.browser

QUEUE = "/audit/review/?log={log}&q=is:invalid"


def focus(page: Page) -> str:
    return str(page.evaluate("() => document.activeElement.className || document.activeElement.id"))


def test_a_queue_is_reviewed_by_keys_alone(page: Page, server: Installation) -> None:
    fill(page, server, "keys")
    open_queue(page, "keys")
    title(page, 60)
    progress = page.locator("#progress")

    page.keyboard.press("a")
    title(page, 59)
    expect(progress).to_contain_text("1 of 60 done, 0 flagged")
    page.keyboard.press("f")
    expect(page.locator("#note")).to_be_focused()
    page.keyboard.type("a b?k")
    page.keyboard.press("Enter")
    title(page, 58)
    expect(page.locator("#said")).to_have_text("Packet 59 flagged.")
    page.keyboard.press("c")
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_have_text("Type a comment first.")
    expect(page.get_by_placeholder("Type a comment first.")).to_be_visible()
    page.keyboard.type("Why?")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("Who?")
    page.keyboard.press("Enter")
    title(page, 57)
    expect(page.get_by_placeholder("Note", exact=True)).to_be_visible()
    expect(progress).to_contain_text("2 of 60 done, 1 flagged")
    expect(page.locator("#state-58")).to_have_text("commented")
    expect(page.locator("#state-59")).to_have_text("flagged")
    assert "leaf=57" in page.url
    go_back_and_undo(page)

    page.reload()
    title(page, 59)
    expect(progress).to_contain_text("1 of 60 done, 0 flagged")


def test_the_panels_of_a_packet_do_not_cover_the_edge_of_its_focus(
    page: Page, server: Installation
) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    page.emulate_media(reduced_motion="reduce")
    fill(page, server, "edge", "RJE/PLN|g=1,t=1,@=queue")
    open_queue(page, "edge")
    panel = page.locator(".desk-body > .panel").first.bounding_box()
    assert panel
    beside = FloatRect(x=panel["x"], y=panel["y"] + panel["height"] / 2, width=3, height=3)

    focused = page.screenshot(clip=beside)
    page.locator(".desk-body").blur()

    assert page.screenshot(clip=beside) != focused


def go_back_and_undo(page: Page) -> None:
    page.keyboard.press("k")
    title(page, 58)
    expect(page.locator("#packet .note")).to_have_text("Why?\nWho?")
    page.keyboard.press("k")
    expect(page.locator("#packet .note")).to_have_text("a b?k")
    page.keyboard.press("j")
    title(page, 58)

    page.keyboard.press("u")
    expect(page.locator("#state-58")).to_be_empty()
    page.keyboard.press("u")
    title(page, 59)
    expect(page.locator("#progress")).to_contain_text("1 of 60 done, 0 flagged")
    expect(page.locator("#packet .steps li")).to_have_count(2)
    expect(page.locator("#packet .steps li").first).to_contain_text("undone")
    assert focus(page).startswith("desk-body")


def test_the_list_follows_and_the_focus_stays(page: Page, server: Installation) -> None:
    fill(page, server, "follow")
    page.goto(f"{QUEUE.format(log='follow')}&leaf=12")
    page.locator("#queue a[aria-current]").focus()
    page.keyboard.press("j")
    title(page, 11)
    expect(page.locator("#queue a[aria-current]")).to_be_focused()
    page.keyboard.press("j")
    title(page, 10)
    expect(page.locator("#queue")).to_have_attribute("data-page", "2")
    expect(page.locator("#queue a[aria-current]")).to_be_focused()
    page.keyboard.press("x")
    expect(page.locator("#selected-number")).to_have_text("1 selected")
    page.keyboard.press("k")
    title(page, 11)
    expect(page.locator("#queue")).to_have_attribute("data-page", "1")
    expect(page.locator("#selected-number")).to_have_text("1 selected")
    assert "selected=51" in page.url

    page.keyboard.press("?")
    expect(page.locator("#help")).to_contain_text("Select all or none")
    page.keyboard.press("Escape")
    expect(page.locator("#queue a[aria-current]")).to_be_focused()


def test_many_are_decided_after_a_preview_and_undone_together(
    page: Page, server: Installation
) -> None:
    fill(page, server, "bulk")
    open_queue(page, "bulk")
    page.keyboard.press("Shift+A")
    expect(page.locator("#selected-number")).to_have_text("60 selected")
    page.keyboard.press("x")
    expect(page.locator("#selected-number")).to_have_text("59 selected")

    page.keyboard.press("f")
    expect(page.get_by_role("heading", name="Flag 59 packets")).to_be_visible()
    expect(page.locator("#note")).to_be_focused()
    require_accessible(page)
    page.keyboard.press("Escape")
    expect(page.locator("#selected-number")).to_have_text("59 selected")
    page.wait_for_load_state()  # before its scripts, the page has its words but no keys
    page.keyboard.press("f")
    expect(page.locator("#note")).to_be_focused()
    page.keyboard.type("all odd")
    page.keyboard.press("Enter")

    expect(page.locator("main > .notice")).to_have_text("59 packets flagged.")
    expect(page.locator("#progress")).to_contain_text("59 of 60 done, 59 flagged")
    title(page, 60)
    require_accessible(page)
    page.keyboard.press("u")
    expect(page.locator("#progress")).to_contain_text("0 of 60 done, 0 flagged")
    expect(page.locator("main > .notice")).to_have_count(0)


def test_a_bulk_decision_is_undone_by_a_key_after_the_desk_is_opened_again(
    page: Page, server: Installation
) -> None:
    fill(page, server, "again", "\n".join(BROKEN.split("\n")[:4]))
    open_queue(page, "again")
    page.keyboard.press("x")
    page.keyboard.press("j")
    page.keyboard.press("x")
    page.keyboard.press("a")
    page.get_by_role("button", name="Mark 2 packets reviewed").click()
    expect(page.locator("main > .notice")).to_have_text("2 packets reviewed.")

    page.goto("/audit/review/?log=again&q=is:unreviewed")
    page.wait_for_load_state("networkidle")
    expect(page.locator("#undo")).to_contain_text("2 packets reviewed by you at")
    page.keyboard.press("a")  # on packet 2
    expect(page.locator("#undo")).to_contain_text("Packet 2 reviewed")
    # One key undoes what the page offers, and no key that is held goes on to older steps.
    page.keyboard.down("u")
    expect(page.locator("#undo")).to_contain_text("2 packets reviewed by you at")
    page.keyboard.down("u")
    page.keyboard.up("u")
    page.wait_for_load_state("networkidle")
    expect(page.locator("#undo")).to_contain_text("2 packets reviewed by you at")
    page.keyboard.press("u")
    expect(page.locator("main > .notice")).to_have_text("Undone for 2 packets.")
    expect(page.locator("#progress")).to_contain_text("0 of 4 done")
    title(page, 4)
    expect(page.locator("#undo button")).to_have_count(0)

    page.keyboard.press("Shift+A")
    page.keyboard.press("a")
    page.get_by_role("button", name="Mark 4 packets reviewed").click()
    expect(page.locator("#progress")).to_contain_text("4 of 4 done")
    page.goto("/audit/review/?log=again&q=is:unreviewed")
    page.get_by_role("heading", name="No packets to review").wait_for()
    require_accessible(page)
    page.keyboard.press("u")
    expect(page.locator("#progress")).to_contain_text("0 of 4 done")


def test_of_two_reviewers_none_loses_a_decision(chromium: Browser, server: Installation) -> None:
    # A page of its own, because Chromium calls a refusal an error.
    page = chromium.new_context(base_url=server.base_url).new_page()
    fill(page, server, "two", "RJE/PLN|g=1,t=1\nRJE/PLN|g=2,t=1")
    open_queue(page, "two")
    other = chromium.new_context(base_url=server.base_url).new_page()
    server.sign_in(other, "grace")
    open_queue(other, "two")
    other.keyboard.press("a")
    expect(other.locator("#state-2")).to_have_text("reviewed")

    page.keyboard.press("f")
    page.keyboard.type("odd")
    with page.expect_response("**/audit/review/step") as told:
        page.keyboard.press("Enter")

    assert told.value.status == 409
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("Packet 2: grace reviewed this packet after you opened it.")
    expect(page.locator("#state-2")).to_have_text("reviewed")
    expect(page.locator("#progress")).to_contain_text("1 of 2 done")
    alert.get_by_role("button", name="Open packet 2").click()
    title(page, 2)
    expect(page.locator("#note")).to_have_value("odd")
    expect(page.locator("#packet .steps")).to_contain_text("grace")
    page.get_by_role("button", name="Flag packet").click()
    expect(page.locator("#progress")).to_contain_text("1 of 2 done, 1 flagged")
    other.context.close()
    page.context.close()


def test_a_page_that_is_out_of_date_says_to_reload_it_and_keeps_the_note(
    chromium: Browser, server: Installation
) -> None:
    page = chromium.new_context(base_url=server.base_url).new_page()
    fill(page, server, "old", "RJE/PLN|g=1,t=1\nRJE/PLN|g=2,t=1")
    open_queue(page, "old")
    page.context.clear_cookies(name="csrftoken")
    page.keyboard.press("c")
    page.keyboard.type("Why?")
    page.keyboard.press("Enter")

    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("Not allowed. This page is out of date")
    expect(alert).to_contain_text("Nothing was stored.")
    alert.get_by_role("button").click()
    expect(page.locator("#note")).to_have_value("Why?")
    page.context.close()


def test_who_has_been_signed_out_can_sign_in_in_a_new_tab_and_go_on(
    chromium: Browser, server: Installation
) -> None:
    page = chromium.new_context(base_url=server.base_url).new_page()
    fill(page, server, "gone", "RJE/PLN|g=1,t=1\nRJE/PLN|g=2,t=1")
    open_queue(page, "gone")
    page.context.clear_cookies(name="sessionid")
    page.keyboard.press("a")

    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("You have been signed out. Nothing was stored.")
    link = alert.get_by_role("link", name="Sign in in a new tab")
    with page.context.expect_page() as opened:
        link.click()
    expect(opened.value.get_by_role("heading", name="Sign in")).to_be_visible()
    server.sign_in(page)
    alert.get_by_role("button").click()
    title(page, 2)
    page.keyboard.press("a")
    expect(page.locator("#state-2")).to_have_text("reviewed")
    page.context.close()


def test_a_step_that_was_not_stored_is_reported_with_its_note(
    page: Page, server: Installation
) -> None:
    fill(page, server, "lost", "RJE/PLN|g=1,t=1\nRJE/PLN|g=2,t=1")
    open_queue(page, "lost")
    page.route("**/audit/review/step", lambda route: route.fulfill(status=200, body="<p>Hi</p>"))
    page.keyboard.press("c")
    page.keyboard.type("Why?")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text(
        "The server responded with status 200. Reload the page to see whether the step was stored."
    )
    expect(page.locator("#said")).not_to_contain_text("commented")
    page.unroute("**/audit/review/step")

    page.keyboard.press("k")
    title(page, 2)
    expect(page.locator("#note")).to_have_value("Why?")
    page.keyboard.press("c")
    page.keyboard.press("Enter")
    expect(page.locator("#state-2")).to_have_text("commented")


def test_after_a_response_that_breaks_the_next_step_is_sent(
    page: Page, server: Installation
) -> None:
    fill(page, server, "broken", "\n".join(BROKEN.split("\n")[:4]))
    open_queue(page, "broken")
    break_bodies(page, "/audit/review/step")
    page.keyboard.press("c")
    page.keyboard.type("Why?")
    page.keyboard.press("Enter")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("Packet 4: can’t reach the server. Reload the page to see")
    title(page, 3)
    heal_bodies(page)

    page.keyboard.press("a")
    title(page, 2)
    expect(page.locator("#said")).to_have_text("Packet 3 reviewed.")
    page.keyboard.press("k")
    title(page, 3)
    page.keyboard.press("k")
    title(page, 4)
    expect(page.locator("#note")).to_have_value("Why?")
    expect(page.locator("#packet .steps li")).to_have_count(1)  # the server stored it
    page.keyboard.press("u")
    expect(page.locator("#said")).to_have_text("Undone for packet 3.")


def test_the_same_works_without_scripts_on_a_small_screen(
    page: Page, chromium: Browser, server: Installation
) -> None:
    fill(page, server, "bare", "\n".join(BROKEN.split("\n")[:4]))
    bare = without_scripts(chromium, server, page.context.storage_state())
    bare.goto("/audit/?log=bare&q=is:invalid")
    bare.get_by_role("link", name="Review", exact=True).click()
    title(bare, 4)
    bare.get_by_role("button", name="Mark reviewed", exact=True).click()
    title(bare, 3)
    bare.locator("#note").fill("odd")
    bare.get_by_role("button", name="Flag packet", exact=True).click()
    title(bare, 2)
    bare.get_by_role("link", name="‹ Previous").click()
    expect(bare.locator("#packet .note")).to_have_text("odd")
    bare.locator("#undo button").click()
    expect(bare.locator("#progress")).to_contain_text("1 of 4 done, 0 flagged")

    bare.get_by_role("link", name="Select all").click()
    bare.get_by_role("button", name="Add comments…").click()
    bare.locator("#note").fill("Why?")
    bare.get_by_role("button", name="Comment on 4 packets").click()
    expect(bare.locator("main > .notice")).to_have_text("4 packets commented.")
    expect(bare.locator("#undo")).to_contain_text("4 packets commented")
    wide = bare.evaluate("() => document.documentElement.scrollWidth")
    assert wide <= 390
    bare.context.close()


def without_scripts(chromium: Browser, server: Installation, state: StorageState) -> Page:
    context = chromium.new_context(
        base_url=server.base_url,
        java_script_enabled=False,
        storage_state=state,
        viewport={"width": 390, "height": 844},
    )
    return context.new_page()


def test_the_progress_and_the_undo_line_up(page: Page, server: Installation) -> None:
    fill(page, server, "line", "RJE/PLN|g=1,t=1\nRJE/PLN|g=2,t=1")
    open_queue(page, "line")
    page.keyboard.press("a")
    said = page.locator("#undo-what")
    expect(said).to_contain_text("reviewed")
    bottoms = [
        one.evaluate("(one) => one.getBoundingClientRect().bottom")
        for one in (page.locator("#progress span"), said)
    ]
    assert bottoms[0] == bottoms[1]


def test_times_are_those_of_the_readers_zone(
    chromium: Browser, page: Page, server: Installation
) -> None:
    fill(page, server, "zone", "\n".join(BROKEN.splitlines()[:3]))
    open_queue(page, "zone")
    for key in "xjxa":
        page.keyboard.press(key)
    page.get_by_role("button", name="Mark 2 packets reviewed").click()
    expect(page.locator("main > .notice")).to_have_text("2 packets reviewed.")
    context = chromium.new_context(
        base_url=server.base_url,
        timezone_id="Asia/Kolkata",
        storage_state=page.context.storage_state(),
    )
    there = context.new_page()
    open_queue(there, "zone")
    expect(there.locator(".row-facts time").first).to_have_text(re.compile(r"^[\d: -]+ GMT\+5:30$"))
    expect(there.locator("#undo-what time")).to_have_text(re.compile(r"GMT\+5:30$"))
    there.keyboard.press("k")
    title(there, 2)
    expect(there.locator("#packet .steps time").first).to_have_text(re.compile(r"GMT\+5:30$"))
    received = there.locator("#packet .facts time")
    expect(received).to_have_text(re.compile(r"GMT\+5:30$"))
    expect(received).to_have_attribute("title", re.compile("UTC$"))
    there.keyboard.press("a")
    expect(there.locator("#progress")).to_contain_text("2 of 3")
    there.keyboard.press("u")
    expect(there.locator("#undo-what time")).to_have_text(re.compile(r"GMT\+5:30$"))
    context.close()
