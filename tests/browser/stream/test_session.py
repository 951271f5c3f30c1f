"""In a browser: messages as they come, from a live session and from a log."""

import json
import re
import threading
import urllib.request

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.offline.breaking import break_bodies, heal_bodies
from tests.browser.stream.messages import (
    HOSTILE,
    WIRE,
    address,
    close,
    lines,
    post,
    post_many,
    wires,
)
from tests.installation import Installation

pytestmark = pytest.mark.browser


def test_what_is_posted_appears_decoded_at_once(pad: Page) -> None:
    expect(pad.get_by_text("Waiting for the first message.")).to_be_visible()

    post(pad, f"{WIRE.format(42)}\nRJE/PLN|g=4\nT|17|Q|obj=x\n")

    shown = lines(pad)
    expect(shown).to_have_count(3)
    expect(shown.nth(1)).to_have_class(re.compile("error"))
    expect(shown.nth(1).locator(".under-error")).to_have_text("RJE")
    expect(shown.nth(2).locator(".chip")).to_have_text("T-line")
    expect(pad.locator("#total-messages")).to_have_text("3")
    expect(pad.locator("#total-invalid")).to_have_text("1")
    expect(pad.get_by_text("Waiting for the first message.")).to_be_hidden()
    pad.get_by_label("Show").select_option("english")
    expect(shown.first).to_contain_text("Requests task 1 of goal 42")


def test_totals_by_act_are_shown_until_a_message_is_chosen(pad: Page) -> None:
    post(pad, f"{WIRE.format(42)}\n{WIRE.format(42)}\nACC/PLN|g=42,t=1\n")

    expect(pad.locator("#acts tbody tr")).to_have_count(2)
    expect(pad.locator("#acts tbody tr").first).to_contain_text("request")
    expect(pad.locator("#acts tbody tr td").first).to_have_text("2")
    lines(pad).first.click()
    expect(pad.locator("#acts")).to_have_count(0)


def test_a_sentence_begins_with_what_differs_from_the_one_above(pad: Page) -> None:
    post(pad, "REQ/TSK|g=42,t=1,p=2,@=first_thing\nREQ/TSK|g=42,t=1,p=2,@=second_thing\n")
    pad.get_by_label("Show").select_option("english")

    second = lines(pad).nth(1).locator(".said-line")
    expect(second.locator(".differs")).to_have_text(re.compile(r"^second.thing"))
    expect(second).to_have_attribute("title", re.compile("^Requests task 1 of goal 42.*second"))
    expect(lines(pad).first.locator(".differs")).to_have_count(0)


def test_the_lines_it_shows_really_post(pad: Page) -> None:
    python = pad.locator("#way-python").inner_text()
    fed = python.replace(
        "sys.stdin.buffer", f"[{WIRE.format(1).encode()!r}, {WIRE.format(2).encode()!r}]"
    )

    exec(compile(fed, "way", "exec"), {})  # noqa: S102  (what the page tells people to run)

    expect(lines(pad)).to_have_count(2)
    assert str(pad.locator("#way-curl").text_content()).startswith(f"curl {address(pad)} ")


def test_a_message_that_is_chosen_is_shown_in_full(pad: Page) -> None:
    post_many(pad, 1, 3)
    lines(pad).nth(1).click()

    expect(pad.locator("#message #panel-fields")).to_contain_text("goal")
    expect(pad.locator("#message pre.wire.full")).to_have_text(WIRE.format(2))
    expect(lines(pad).nth(1)).to_have_attribute("aria-selected", "true")
    pad.locator("#message .fieldtable tr[data-f=g]").hover()
    expect(pad.locator("#message pre.wire .lit").first).to_be_visible()


def test_what_was_refused_is_drawn_as_a_gap(pad: Page) -> None:
    sent = [
        json.dumps({"wire": WIRE.format(1)}),
        '{"wire":7}',
        json.dumps({"wire": WIRE.format(2)}),
    ]
    post(pad, "\n".join(sent), "application/x-ndjson")

    gap = pad.locator("#lines .gap")
    expect(gap).to_have_text("Rejected: Expected text, got a whole number.")
    expect(lines(pad).nth(2).locator(".wire")).to_have_text(WIRE.format(2))


def test_a_connection_that_breaks_is_taken_up_where_it_was(pad: Page) -> None:
    post_many(pad, 1, 2)
    expect(lines(pad)).to_have_count(2)
    blocked = threading.Event()

    def block(route: Route) -> None:
        blocked.set()
        route.abort()

    # A browser that is offline keeps the streams it has: what breaks is each new one, and this one
    # is ended.
    pad.route("**/events*", block)
    pad.route("**/lines*", block)
    pad.get_by_label("Filter").fill("live_feed")
    expect(pad.locator("#state")).to_have_text("Reconnecting…")
    assert blocked.is_set()
    post_many(pad, 3, 4)
    pad.unroute("**/events*")
    pad.unroute("**/lines*")

    expect(lines(pad)).to_have_count(4, timeout=20_000)
    assert wires(pad) == [WIRE.format(at) for at in range(1, 5)]


def test_without_a_place_for_a_stream_it_asks_for_batches(pad: Page) -> None:
    pad.route("**/events*", lambda route: route.fulfill(status=503, body="{}"))
    pad.get_by_label("Filter").fill("live_feed")
    expect(pad.locator("#state")).to_have_text("Polling every 2 s")

    post_many(pad, 1, 3)

    expect(lines(pad)).to_have_count(3)
    pad.unroute("**/events*")


def test_a_batch_that_breaks_is_asked_for_again(pad: Page) -> None:
    break_bodies(pad, "/lines?")
    pad.route("**/events*", lambda route: route.fulfill(status=503, body="{}"))
    with pad.expect_response("**/lines?*"):
        pad.get_by_label("Filter").fill("live_feed")
    expect(pad.locator("#state")).to_have_text("Reconnecting…")
    post_many(pad, 1, 3)
    heal_bodies(pad)

    expect(pad.locator("#state")).to_have_text("Polling every 2 s")
    expect(lines(pad)).to_have_count(3)
    pad.unroute("**/events*")


def test_the_end_of_a_pad_is_told(pad: Page) -> None:
    post_many(pad, 1, 1)
    other = pad.context.new_page()
    other.goto(pad.url)
    close(other)
    other.close()

    expect(pad.locator("#state")).to_have_text("Ended")
    expect(pad.get_by_role("alert")).to_have_text("This live session has ended.")
    pad.goto("/stream/")


def test_hostile_text_is_only_text(pad: Page) -> None:
    post(pad, HOSTILE)
    lines(pad).click()
    expect(pad.locator("#message pre.wire.full")).to_have_text(HOSTILE)
    pad.get_by_label("Show").select_option("english")

    assert pad.evaluate("() => window.broken") is None
    assert pad.locator("main img, main script").count() == 0


def test_what_it_received_is_saved_on_the_page_that_previews(
    pad: Page, server: Installation
) -> None:
    address_of_pad = pad.url
    server.sign_in(pad, "lin")
    pad.goto(address_of_pad)
    post_many(pad, 1, 3)
    pad.get_by_role("button", name="Save to log…").click()
    pad.get_by_label("Goal").fill("from the pad")
    pad.get_by_role("button", name="Save 3 packets").click()

    expect(pad.get_by_text("3 packets saved to log default.")).to_be_visible()
    pad.goto(address_of_pad)


def test_the_end_of_a_log_is_watched(page: Page, server: Installation) -> None:
    server.sign_in(page, "lin")
    key = server.manage("apikey", "create", "browser-tail", "--scopes", "ingest")
    page.goto("/stream/")
    page.get_by_role("link", name="default").click()
    expect(page.locator("#state")).to_have_text("Live")
    page.get_by_label("Filter").fill("goal:501")
    page.wait_for_url("**/stream/log/default?q=goal*")
    expect(page.locator("#state")).to_have_text("Live")
    for number in (500, 501):
        body = json.dumps({"wire": WIRE.format(number)}).encode()
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        packets = f"{server.base_url}/api/v1/packets"
        request = urllib.request.Request(packets, body, headers)  # noqa: S310
        urllib.request.urlopen(request, timeout=20).close()  # noqa: S310

    expect(lines(page)).to_have_count(1)
    expect(page.locator("#total-messages")).to_have_text("2")
    lines(page).click()
    expect(page.get_by_role("link", name="View packet")).to_be_visible()
    page.get_by_label("Filter").fill("nokey:1")
    page.get_by_label("Filter").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("nokey")
