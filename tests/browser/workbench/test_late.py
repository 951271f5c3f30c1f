"""In a browser: while an answer is awaited, what is done is done to the text that is there now, or
not at all.
"""

import re

import pytest
from playwright.sync_api import Page, Request, expect

from tests.browser.workbench.elements import COLORED, LINES, come, held, paste, rest, show_tab
from tests.browser.workbench.test_light import place_caret, write

pytestmark = pytest.mark.browser

ONE = "REQ/TSK|g=42,t=01,p=2\n"
FIRST_COLORED = f"() => ({COLORED})()[0] ?? -1"


def test_a_fix_of_an_earlier_text_is_not_written_into_another_place(page: Page) -> None:
    write(page, ONE)
    fix = page.get_by_role("button", name="Apply 01 → 1")
    with held(page):
        place_caret(page, 0)
        page.keyboard.type("hello ")
        fix.click()
        expect(page.locator("#text")).to_have_value(f"hello {ONE}")

    expect(page.locator("#panel-list")).to_contain_text("hello")
    fix.click()
    expect(page.locator("#text")).to_have_value(f"hello {ONE.replace('01', '1')}")


def test_a_value_is_never_written_into_the_field_that_has_its_number_now(page: Page) -> None:
    write(page, ONE)
    with held(page):
        place_caret(page, len("REQ/TSK|"))
        page.keyboard.type("!=n,")
        page.locator("#panel-fields tr[data-f='p'] .edit").click()
        page.keyboard.insert_text("9")
        page.keyboard.press("Enter")
        expect(page.locator(".refused")).to_contain_text("The text has changed.")

    writing = page.locator("#panel-fields tr[data-f='p'][data-index='6'] textarea")
    expect(writing).to_have_value("9")
    writing.press("Enter")
    expect(page.locator("#text")).to_have_value("REQ/TSK|!=n,g=42,t=01,p=9\n")


def test_more_rows_that_come_late_are_those_of_the_text_that_is_there(page: Page) -> None:
    write(page, "".join(f"ACC/PLN|g={number},t=1\n" for number in range(1, 131)))
    with held(page, "**/reading/rows") as rows:
        show_tab(page, "Messages")
        page.locator("li.more").scroll_into_view_if_needed()
        come(page, rows, 1)
        late = rows.pop()
        answer = late.fetch()
        with held(page):
            place_caret(page, 0)
            page.keyboard.insert_text("ACC/PLN|g=999,t=1\n")
            late.fulfill(response=answer)
            expect(page.locator(".message[data-number]")).to_have_count(62)

    expect(page.locator("#list-title")).to_have_text("131 messages")
    expect(page.locator("#message-51 code")).to_have_text("ACC/PLN|g=50,t=1")
    expect(page.locator("#message-62 code")).to_have_text("ACC/PLN|g=61,t=1")


def test_a_list_that_is_opened_before_an_answer_has_its_rows(page: Page) -> None:
    write(page, ONE)
    rows = page.locator(".message[data-number]")
    show_tab(page, "Messages")
    expect(rows).to_have_count(1)
    show_tab(page, "Problems")
    with held(page) as asked:
        place_caret(page, len("REQ/TSK|g=42"))
        page.keyboard.type("7")
        come(page, asked, 1)
        show_tab(page, "Messages")

    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("g=427")


def test_colors_that_come_late_do_not_take_the_place_of_newer_ones(page: Page) -> None:
    write(page, "".join(f"ACC/PLN|g={number},t=1\n" for number in range(1, 601)))
    with held(page, "**/reading/marks") as asked:
        for number, share in enumerate((0.5, 1), 1):
            page.locator(".editor").evaluate(
                "(box, share) => { box.scrollTop = share * box.scrollHeight; }", share
            )
            come(page, asked, number)
        older, newer = asked.pop(0), asked.pop(0)
        newer.continue_()
        page.wait_for_function(f"() => ({FIRST_COLORED})() > 500")
        with page.expect_response("**/reading/marks"):
            older.continue_()
        page.wait_for_timeout(200)
        assert page.evaluate(FIRST_COLORED) > 500


def test_a_text_that_waits_for_its_answer_asks_for_no_colors(page: Page) -> None:
    write(page, ONE)
    marks: list[str] = []

    def note(request: Request) -> None:
        # Those of the text before may come late.
        if request.url.endswith("/reading/marks") and "ACC" in (request.post_data or ""):
            marks.append(request.url)

    page.on("request", note)
    with held(page):
        paste(page, "".join(f"ACC/PLN|g={number},t=1\n" for number in range(1, 301)))
        page.locator(".editor").evaluate("(box) => { box.scrollTop = box.scrollHeight; }")
        page.wait_for_timeout(300)
        assert marks == []

    page.wait_for_function(f"() => ({FIRST_COLORED})() > 100")


RUNS = """() => [...document.querySelectorAll("#backdrop .chunk > *")].map((line) =>
  [...line.querySelectorAll(".h0, .h1, .h2, .h3, .h4, .h5, .h6, .h7")].map((run) =>
    run.textContent))"""


def test_what_is_colored_moves_with_the_text_while_an_answer_is_awaited(page: Page) -> None:
    write(page)
    before = page.evaluate(RUNS)
    assert before == [["REQ", "TSK", "42", "1"], ["RJE", "PLN", "7", "01", "🙂no"], []]
    with held(page) as asked:
        place_caret(page, 0)
        page.keyboard.insert_text("ACC/PLN|g=9,t=3\n")
        come(page, asked, 1)
        assert page.evaluate(RUNS) == [[], *before]

        page.locator("#text").evaluate("(box) => box.setSelectionRange(17, 26)")
        page.keyboard.insert_text("x")
        assert page.locator("#text").input_value().splitlines()[1] == "Rx42,t=1"
        assert page.evaluate(SAME_TEXT)
        assert page.evaluate(RUNS)[1] == ["Rx", "", "42", "1"]
    expect(page.locator("#backdrop .chunk > div").first.locator(".h0")).to_have_text("ACC")


def test_after_a_paste_the_lines_far_from_the_caret_are_colored_too(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 9000})
    write(page, "".join(f"ACC/PLN|g={number},t=1\n" for number in range(1, 201)))
    expect(page.locator("#backdrop .chunk > :has(.h0)")).to_have_count(200)


def test_an_answer_takes_no_focus_from_one_who_types_again(page: Page) -> None:
    write(page, ONE)
    box = page.locator("#text")
    with held(page):
        page.locator("#detection summary").click()
        page.locator("#detection button[value=nslip]").click()
        place_caret(page, 0)
    expect(page.locator("#detection")).to_contain_text("your choice")
    expect(box).to_be_focused()

    page.locator("#panel-fields tr[data-f='p'] .edit").click()
    with held(page):
        page.keyboard.insert_text("9")
        page.keyboard.press("Enter")
        expect(box).to_have_value(ONE.replace("p=2", "p=9"))
        place_caret(page, 0)
        page.keyboard.type("x")
    expect(page.locator("#panel-list, #reading").first).to_contain_text("p=9")
    rest(page)
    expect(box).to_be_focused()


SHARED = (
    """(text) => {
  const lines = """
    + LINES
    + """;
  const area = document.getElementById("text");
  const layer = document.getElementById("backdrop");
  area.focus();
  document.execCommand("insertHTML", false, text);
  const look = () => ({ lines: lines().length, height: layer.offsetHeight,
    elements: layer.querySelectorAll(".chunk > *").length });
  const before = look();
  return new Promise((resolve, reject) => {
    layer.addEventListener("separated", () => resolve([before, look()]), { once: true });
    setTimeout(() => reject(new Error("the lines still share elements")), 20_000);
  });
}"""
)
NUMBERED = f"""() => ({LINES})().map((line) =>
  getComputedStyle(line, "::before").content !== "none")"""
SAME_TEXT = """() => {
  const lines = [...document.querySelectorAll("#backdrop .chunk > *")];
  const drawn = lines.map((one) => one.textContent.replace(/\\n$/, ""));
  return drawn.join("\\n") === document.getElementById("text").value;
}"""


def test_lines_out_of_view_share_elements_until_they_are_scrolled_to(page: Page) -> None:
    write(page, "REQ/TSK|g=1,t=1\n")
    pasted = "".join(
        f"REQ/TSK|g={number},t=1,@=" + "long_" * (number % 40) + "\n" for number in range(600)
    )

    before, after = page.evaluate(SHARED, pasted)

    assert max(before["elements"], after["elements"]) < 200
    assert before["lines"] == after["lines"] == 602
    assert before["height"] == after["height"]
    assert page.evaluate(SAME_TEXT)
    page.locator(".editor").evaluate("(box) => { box.scrollTop = box.scrollHeight; }")
    expect(page.locator("#backdrop .chunk > :has(.h0)").last).to_contain_text("g=599")
    page.keyboard.type("x")
    assert "long_x\n" in page.locator("#text").input_value()
    assert page.evaluate(SAME_TEXT)


STATES = """() => [...document.querySelectorAll("#backdrop [data-state]")].map((line) =>
  [line.textContent.slice(0, 3), line.dataset.state])"""
CUT = """(box) => {
  const line = (number) => box.value.split("\\n").slice(0, number).join("\\n").length;
  box.setSelectionRange(line(150), line(191));
}"""


def test_the_state_of_a_line_stays_with_it_while_an_answer_is_awaited(page: Page) -> None:
    acts = ("REQ/TSK", "RJE/PLN", "PRO/PLN")
    write(page, "".join(f"{acts[n % 3]}|g={n},t=1\n" for n in range(400)))
    page.locator(".editor").evaluate("(box) => { box.scrollTop = (box.scrollHeight * 150) / 400; }")
    page.wait_for_function(f"() => ({STATES})().length > 20")
    page.wait_for_timeout(300)
    with held(page) as asked:
        page.locator("#text").evaluate(CUT)
        page.keyboard.press("Delete")
        come(page, asked, 1)
        page.wait_for_function(f"() => !({LINES})()[165].matches('.shared')")
        states = page.evaluate(STATES)

    assert len(states) > 5
    assert {state for act, state in states if act == "RJE"} == {"error"}
    assert {state for act, state in states if act != "RJE"} == {"valid"}


def test_a_paste_of_very_many_lines_shows_each(page: Page) -> None:
    write(page, "REQ/TSK|g=1,t=1\n")

    before, after = page.evaluate(SHARED, "\n" * 200_000)

    assert before["lines"] == after["lines"] == 200_002
    assert after["elements"] < 10_000
    page.locator(".editor").evaluate("(box) => { box.scrollTop = box.scrollHeight / 2; }")
    page.wait_for_function(f"() => !({LINES})()[100_000].matches('.shared')")


EDITED = """async () => {
  const text = document.getElementById("text");
  let seed = 7;
  const below = (most) => {
    seed = (seed * 48271) % 2147483647;
    return seed % most;
  };
  for (let edit = 0; edit < 150; edit += 1) {
    const start = below(text.value.length + 1);
    const end = Math.min(start + below(edit % 10 ? 60 : 3000), text.value.length);
    const put = "g=1,t=2\\n".repeat(below(edit % 7 ? 4 : 300));
    text.setRangeText(put, start, end, "end");
    text.dispatchEvent(new InputEvent("input", { inputType: "insertText", data: "x" }));
    if (edit % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 60));
    const lines = text.value.split("\\n");
    const drawn = [];
    for (const one of document.querySelectorAll("#backdrop .chunk > *")) {
      const [, waiting] = one.matches(".waiting") ? one.style.counterIncrement.split(" ") : [];
      if (waiting) drawn.push(...lines.slice(drawn.length).slice(0, Number(waiting)));
      else {
        const own = one.textContent.replace(/\\n$/, "").split("\\n");
        const counted = Number(one.style.counterIncrement.split(" ")[1] ?? 1);
        if (counted !== own.length) return `${counted} of ${own.length} lines at edit ${edit}`;
        drawn.push(...own);
      }
    }
    if (drawn.join("\\n") !== text.value) return `edit ${edit}`;
    const sizes = [...document.getElementById("backdrop").children].map((one) =>
      one.childElementCount);
    if (Math.min(...sizes) < 1 || Math.max(...sizes) > 64) return `chunks of ${sizes}`;
  }
  return "";
}"""


def test_the_lines_are_those_of_the_text_however_it_is_edited(page: Page) -> None:
    write(page, ONE)

    assert page.evaluate(EDITED) == ""


def test_lines_near_the_view_are_numbered(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 2400})
    write(page, "".join(f"REQ/TSK|g={number},t=1\n" for number in range(1, 901)))
    for first, top in ((0, "0"), (450, "box.scrollHeight / 2"), (820, "box.scrollHeight")):
        page.locator(".editor").evaluate(f"(box) => {{ box.scrollTop = {top}; }}")
        page.wait_for_function(f"() => ({NUMBERED})().slice({first}, {first + 70}).every(Boolean)")
        assert len(page.evaluate(NUMBERED)) == 901
        assert sum(page.evaluate(NUMBERED)) < 400


def test_a_long_text_that_is_restored_has_few_elements_and_is_numbered_at_its_end(
    page: Page,
) -> None:
    write(page, "".join(f"REQ/TSK|g={number},t=1\n" for number in range(1, 901)))
    page.reload()
    expect(page.locator("#text")).to_have_value(re.compile(r"g=900,t=1\n$"))
    assert page.locator("#backdrop .chunk > *").count() < 300
    assert page.evaluate(SAME_TEXT)

    page.locator(".editor").evaluate("(box) => { box.scrollTop = box.scrollHeight; }")
    page.wait_for_function(f"() => ({NUMBERED})().slice(880).every(Boolean)")
    assert len(page.evaluate(NUMBERED)) == 901
    assert page.locator("#backdrop .chunk > *").count() < 300


HANGING = """async (text) => {
  const layer = document.getElementById("backdrop");
  const box = document.querySelector(".editor");
  document.execCommand("insertHTML", false, text);
  const own = [...layer.querySelectorAll(".chunk > :not(.shared)")].slice(-10);
  const tops = () => own.map((one) =>
    one.getBoundingClientRect().top - layer.getBoundingClientRect().top);
  box.scrollTop = box.scrollHeight;
  const before = { waiting: layer.querySelectorAll(".waiting").length, tops: tops(),
    height: layer.offsetHeight };
  await new Promise(requestAnimationFrame);
  const atEnd = layer.querySelectorAll(".waiting").length;
  box.scrollTop = 0;
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  const after = { waiting: layer.querySelectorAll(".waiting").length, tops: tops(),
    height: layer.offsetHeight };
  const [first] = layer.querySelector(".chunk > *").textContent.split("\\n");
  return { before, atEnd, after, first };
}"""


@pytest.mark.parametrize("width", [390, 1280])
def test_lines_above_a_paste_take_their_room_at_once_and_come_with_scrolling(
    page: Page, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    write(page, "ACC/PLN|g=1,t=1\n")
    with held(page):
        place_caret(page, 0)
        drawn = page.evaluate(HANGING, "".join(f"{'long ' * (n % 50)}{n}\n" for n in range(600)))

    assert (drawn["before"]["waiting"], drawn["atEnd"], drawn["after"]["waiting"]) == (1, 1, 0)
    assert drawn["before"]["tops"] == drawn["after"]["tops"]
    assert drawn["before"]["height"] == drawn["after"]["height"] > 10_000
    assert drawn["first"] == "0"
