"""In a browser: a page that was changed by many small answers is the page that one whole answer
would have made. If the text is long, the message comes first and the rest in the next frame.
"""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.workbench.elements import (
    COUNTED,
    LONG,
    SLOW,
    press_message,
    rest,
    show_tab,
    type_without_focus,
)
from tests.browser.workbench.test_light import place_caret, write

pytestmark = pytest.mark.browser

TEXT = """REQ/TSK|g=42,t=1,p=2,@=auth_refactor
RJE/PLN|g=42,t=1,@=scope
FETCH|HR|return:HR-Agent|p:1|aacp:1.1
T|17|Q|obj=test_scope
ACC/PLN|g=42,t=01
"""
# The page as it stands, and as the server draws it for the same request when nothing is there yet.
# What scripts write on it is left out: what is lit or quiet, how an element was put in, what was
# opened, and whatever comes by itself.
BOTH = """async () => {
  const form = document.getElementById("workbench");
  const sent = new URLSearchParams(new FormData(form));
  for (const [name, value] of Object.entries(window.sent)) sent.set(name, value);
  sent.delete("have");
  const answer = await fetch(form.getAttribute("hx-post"), { method: "POST", body: sent });
  const holder = document.createElement("template");
  holder.innerHTML = await answer.text();
  const plain = (root) => {
    const copy = root.cloneNode(true);
    const filled =
      ".filled, .spends, #copy-as, .readout, .filtered, .stands, [role=tablist]";
    for (const one of copy.querySelectorAll(filled)) one.replaceChildren();
    for (const one of [copy, ...copy.querySelectorAll("*")]) {
      const passing = /^htmx-|^(lit|lit-h.|has-lit|fresh|hushed|stale|has-pin)$/;
      const kept = [...one.classList].filter((name) => !passing.test(name));
      if (kept.length) one.setAttribute("class", kept.join(" "));
      else one.removeAttribute("class");
      const changing = ["tabindex", "hidden", "open", "aria-pressed", "aria-selected"];
      for (const name of changing) one.removeAttribute(name);
    }
    return copy.outerHTML.replace(/\\s+/g, " ");
  };
  return ["reading", "detection"].map((id) => [
    plain(document.getElementById(id)),
    plain(holder.content.getElementById(id)),
  ]);
}"""
LISTEN = """() => {
  window.sent = {};
  window.swapped = [];
  document.getElementById("workbench").addEventListener("htmx:configRequest", (event) => {
    if (event.target.id === "workbench") window.sent = { ...event.detail.parameters };
  });
  const note = ({ addedNodes }) =>
    window.swapped.push(...[...addedNodes].filter((one) => one.dataset?.stamp).map(({ id }) => id));
  new MutationObserver((all) => all.forEach(note)).observe(
    document.getElementById("workbench"), { childList: true, subtree: true });
}"""
TYPED = LONG + "PRO/PLN|g=42,t=1\nREQ/TSK|g=42,t=1,@=step"
# The frames of each answer: what was put in, and what was lit when the sentence had been.
STEPS = """() => {
  window.steps = [];
  const fields = () => [...document.querySelectorAll("#english .lit")].map((one) => one.dataset.f);
  const note = (records) => {
    const added = records.flatMap(({ addedNodes }) => [...addedNodes]);
    const put = added.map(({ id }) => id).filter(Boolean);
    if (put.length)
      window.steps.push({ put, lit: fields(), fading: document.getAnimations().length });
  };
  new MutationObserver(note).observe(
    document.getElementById("workbench"), { childList: true, subtree: true });
}"""
# No frame ever comes, as in a window that is not drawn.
FROZEN = "() => { window.requestAnimationFrame = () => 0; }"


def test_small_answers_make_the_page_that_a_whole_one_would(page: Page) -> None:
    page.add_init_script(COUNTED)
    write(page, TEXT)
    page.evaluate(LISTEN)
    for step in (
        lambda: typed(page, "@=auth_refactor", "2,b"),
        lambda: typed(page, "t=01", "{"),
        lambda: page.keyboard.press("Backspace"),
        lambda: typed(page, "@=scope", "\n\nACC/PLN|g=1"),
        lambda: page.keyboard.press("Control+z"),
        lambda: typed(page, "HR-Agent", "|nonsense"),
        lambda: press_message(page, 4),
        lambda: page.get_by_role("button", name="Tree").click(),
        lambda: page.locator("#tokenizer").select_option("cl100k_base"),
        lambda: show_tab(page, "Translate"),
        lambda: page.locator("#translate-to").select_option("json"),
        lambda: show_tab(page, "Tokens"),
        lambda: page.get_by_role("button", name=re.compile("^all ")).click(),
        lambda: page.keyboard.insert_text("hello there\n"),
        lambda: typed(page, "hello there", " <b>&amp; T|18|Q|obj=x"),
        lambda: page.locator("#text").fill(""),
        lambda: page.locator("#text").fill(TEXT),
    ):
        step()
        rest(page)
        for now, anew in page.evaluate(BOTH):
            assert now == anew


def typed(page: Page, behind: str, what: str) -> None:
    text = page.locator("#text").input_value()
    page.locator("#text").focus()
    place_caret(page, text.index(behind) + len(behind))
    page.keyboard.type(what)


def test_a_key_changes_what_it_changed_and_nothing_else(page: Page) -> None:
    write(page, TEXT)
    show_tab(page, "Messages")
    expect(page.locator("#message-2")).to_be_visible()
    page.evaluate(LISTEN)
    page.evaluate(
        "() => document.querySelectorAll('#reading *').forEach((one) => { one.old = true; })"
    )

    typed(page, "@=auth_refactor", "s")
    expect(page.locator("#english")).to_contain_text("auth_refactors")

    kept, drawn = (
        ("#message-2", "#panel-diagnostics", "#panel-translate", "#spends"),
        ("#message-1", "#english"),
    )
    old = [page.locator(one).evaluate("(one) => one.old === true") for one in kept + drawn]
    assert old == [True] * len(kept) + [False] * len(drawn)
    swapped = set(page.evaluate("swapped"))
    assert {"message-1", "field-6", "chips"} <= swapped
    others = {"reading", "panel-list", "panel-fields", "field-5", "message-2", "spends", "copy-as"}
    assert not swapped & others


def test_more_rows_that_were_scrolled_to_stay_when_one_types(page: Page) -> None:
    write(page, "".join(f"ACC/PLN|g={number},t=1\n" for number in range(1, 131)))
    rows = page.locator(".message[data-number]")
    show_tab(page, "Messages")
    for count in (62, 112):
        page.locator("li.more").scroll_into_view_if_needed()
        expect(rows).to_have_count(count)

    typed(page, "g=1,t=1", "2")
    expect(page.locator("#message-1")).to_contain_text("t=12")
    typed(page, "g=99,t=1", "3")
    expect(page.locator("#message-99")).to_contain_text("t=13")

    expect(rows).to_have_count(112)
    expect(page.locator("#message-99")).to_have_class(re.compile("chosen"))


def test_rows_that_come_behind_a_key_are_those_of_the_text_it_made(page: Page) -> None:
    write(page, "".join(f"ACC/PLN|g={number},t=1\n" for number in range(1, 81)))
    held: list[Route] = []
    page.route("**/rows", lambda route: held.append(route))
    show_tab(page, "Messages")
    page.locator("li.more").scroll_into_view_if_needed()
    with page.expect_response("**/reading"):
        typed(page, "g=50,t=1", "2")
    expect(page.locator("#means-title")).to_contain_text("50 of 80")

    held[0].continue_()

    expect(page.locator("#message-50 .wire")).to_have_text("ACC/PLN|g=50,t=12")
    expect(page.locator("#message-50")).to_have_class(re.compile("chosen"))


def test_what_was_told_of_a_token_goes_when_the_tokens_do(page: Page) -> None:
    write(page, TEXT)
    readout = page.locator("#panel-tokens .readout")
    page.locator(".token").nth(3).hover()
    expect(readout).to_contain_text("token 4")

    press_message(page, 4)

    expect(readout).to_have_text("Hover over a token to see its ID.", use_inner_text=True)


def test_what_has_the_focus_and_stays_keeps_it(page: Page) -> None:
    write(page, TEXT)
    show_tab(page, "Compare")
    page.locator("#other").fill("3")
    page.keyboard.press("Tab")
    page.get_by_text("Show message 3").focus()
    page.evaluate(LISTEN)

    with page.expect_response("**/reading"):
        page.evaluate("htmx.trigger('#workbench', 'decode')")
    page.wait_for_timeout(100)

    expect(page.get_by_text("Show message 3")).to_be_focused()


def test_a_mistake_that_is_being_typed_stays_quiet_from_key_to_key(page: Page) -> None:
    page.add_init_script(SLOW)
    write(page, "REQ/TSK|g=42,t=1\nACC/PLN|g=1,t=1\n")
    for keys in ("!", "?", "!"):
        with page.expect_response("**/reading"):
            typed(page, "REQ/TSK|g=42,t=1", keys)
        page.wait_for_timeout(100)
        expect(page.locator("#note-1-1")).to_be_hidden(timeout=1)
    expect(page.locator("#note-1-1")).to_be_visible()


def test_a_paste_behind_a_mistake_says_it_at_once(page: Page) -> None:
    page.add_init_script(SLOW)
    write(page, "REQ/TSK|g=42,t=1\nACC/PLN|g=1,t=1\n")
    typed(page, "REQ/TSK|g=42,t=1", "!")
    expect(page.locator("#note-1-1")).to_have_class(re.compile("fresh"))

    place_caret(page, page.locator("#text").input_value().rindex("\n"))
    page.keyboard.insert_text("000")

    expect(page.locator("#note-1-1")).to_be_visible(timeout=2_000)


def watched(page: Page, text: str = TYPED) -> None:
    write(page, text)
    place_caret(page, len(text))
    page.keyboard.type("s")
    expect(page.locator("#english")).to_contain_text("steps")
    expect(page.locator("#chips")).to_contain_text("steps")
    page.evaluate(STEPS)


def steps(page: Page) -> list[dict[str, Any]]:
    """What was put in at once, step by step. The conversations come later, on their own."""
    found: list[dict[str, Any]] = page.evaluate("window.steps")
    return [step for step in found if "whole" not in step["put"]]


def test_the_message_comes_before_the_rest(page: Page) -> None:
    watched(page)

    page.keyboard.type("x")
    expect(page.locator("#chips")).to_contain_text("stepsx")

    first, second = steps(page)
    assert {"english", "field-5"} <= set(first["put"])
    assert not {"reading-state", "chips", "savebar"} & set(first["put"])
    assert {"reading-state", "chips"} <= set(second["put"])
    assert "english" not in second["put"]


def test_the_answer_to_a_short_text_comes_at_once(page: Page) -> None:
    watched(page, TYPED.removeprefix(LONG))

    page.keyboard.type("x")
    expect(page.locator("#chips")).to_contain_text("stepsx")

    (step,) = steps(page)
    assert {"english", "reading-state", "chips"} <= set(step["put"])


def test_what_the_caret_is_in_stays_lit(page: Page) -> None:
    """Lit a frame later, it would flicker and fade in at every key."""
    watched(page)

    page.keyboard.type("x")
    expect(page.locator("#chips")).to_contain_text("stepsx")

    assert [step["lit"] for step in steps(page)] == [["@"], ["@"]]
    assert [step["fading"] for step in steps(page)] == [0, 0]


def test_the_rest_comes_without_a_frame(page: Page) -> None:
    watched(page)
    page.evaluate(FROZEN)

    page.keyboard.type("x")

    expect(page.locator("#english")).to_contain_text("stepsx")
    expect(page.locator("#chips")).to_contain_text("stepsx")
    assert len(steps(page)) == 2


def test_the_next_request_does_not_overtake_the_rest(page: Page) -> None:
    """It tells the server what the page has, and which message was chosen."""
    watched(page)
    page.evaluate("() => { window.requestAnimationFrame = window.setTimeout = () => 0; }")

    page.keyboard.type("x")
    expect(page.locator("#english")).to_contain_text("stepsx")
    assert len(steps(page)) == 1
    with page.expect_request("**/reading") as request:
        page.keyboard.type("y")

    stamp = page.locator("#reading-state").get_attribute("data-stamp")
    assert len(steps(page)) >= 2
    assert stamp is not None
    assert stamp in (request.value.post_data or "")


def test_a_message_with_problems_comes_with_the_rest(page: Page) -> None:
    """Its marks may have to wait, which only the whole answer tells."""
    watched(page, TYPED.replace("t=1,@=step", "t=01,@=step"))

    page.keyboard.type("x")
    expect(page.locator("#english")).to_contain_text("stepsx")

    assert {"english", "reading-state"} <= set(steps(page)[0]["put"])


def test_an_answer_that_replaces_what_has_the_focus_comes_at_once(page: Page) -> None:
    watched(page)
    page.locator("#chips .token").first.focus()

    type_without_focus(page)
    expect(page.locator("#english")).to_contain_text("stepsx")

    assert {"english", "chips"} <= set(steps(page)[0]["put"])
    expect(page.locator("#chips .token").first).to_be_focused()
