"""In a browser whose colors, contrast or motion are the reader's choice: nothing is told by a
color of ours alone.
"""

import pytest
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.browser

LOOK = """(one, [pseudo, name]) => getComputedStyle(one, pseudo || undefined)[name]"""


def look(one: Locator, name: str, pseudo: str = "") -> str:
    return str(one.evaluate(LOOK, [pseudo, name]))


def with_mistakes(page: Page) -> None:
    page.goto("/?example=mistakes")
    expect(page.locator("#panel-fields tr[data-f]").first).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_forced_colors_leave_pressed_lit_and_focused_apart(page: Page, scheme: str) -> None:
    page.emulate_media(forced_colors="active", color_scheme="dark" if scheme == "dark" else "light")
    with_mistakes(page)
    rows = page.locator("#panel-fields tr[data-f]")
    names = rows.locator("th")
    runs = page.locator("#panel-means .said[data-f]")
    table, tree = (page.get_by_role("button", name=name, exact=True) for name in ("Table", "Tree"))

    rows.first.hover()
    expect(runs.first).to_contain_class("lit")

    assert look(table, "backgroundColor") != look(tree, "backgroundColor")
    assert look(runs.first, "backgroundColor") != look(runs.nth(1), "backgroundColor")
    assert look(names.first, "content", "::before") != look(names.nth(1), "content", "::before")
    page.keyboard.press("Tab")
    table.focus()
    assert (look(table, "outlineStyle"), look(tree, "outlineStyle")) == ("solid", "none")
    assert look(table, "outlineColor") != look(table, "backgroundColor")
    errors = page.locator(".filter").first
    errors.focus()
    around = look(page.locator("html"), "backgroundColor")
    assert look(errors, "outlineColor") not in (look(errors, "backgroundColor"), around)


def test_forced_colors_mark_the_chosen_message_and_no_other(page: Page) -> None:
    page.emulate_media(forced_colors="active", color_scheme="light")
    with_mistakes(page)

    chosen, other = (
        page.locator(f".message{which} button").first for which in (".chosen", ":not(.chosen)")
    )
    sheet = look(page.locator("body"), "backgroundColor")

    assert look(chosen, "borderInlineStartColor") != look(other, "borderInlineStartColor")
    assert look(other, "borderInlineStartColor") in (sheet, "rgb(255, 255, 255)")


def test_forced_colors_do_not_cover_the_mistakes_in_the_input(page: Page) -> None:
    page.emulate_media(forced_colors="active", color_scheme="light")
    with_mistakes(page)

    text, backdrop = page.locator("#text"), page.locator("#backdrop")
    picture = page.locator(".editor").screenshot()
    page.locator("#backdrop span").evaluate_all(
        "(runs) => runs.forEach((run) => { run.className = ''; })"
    )

    assert look(text, "color") == "rgba(0, 0, 0, 0)"
    assert look(backdrop, "color") == look(page.locator("h2").first, "color")
    assert page.locator(".editor").screenshot() != picture


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_more_contrast_gives_an_edge_to_what_a_wash_alone_told(page: Page, scheme: str) -> None:
    page.emulate_media(contrast="more", color_scheme="dark" if scheme == "dark" else "light")
    with_mistakes(page)
    page.locator("#panel-fields tr[data-f]").first.hover()
    lit = page.locator("#panel-means .said.lit").first

    expect(page.get_by_role("button", name="Table", exact=True)).not_to_have_css(
        "box-shadow", "none"
    )
    expect(page.get_by_role("button", name="Tree", exact=True)).to_have_css("box-shadow", "none")
    expect(page.locator(".chip").first).to_have_css("border-top-style", "solid")
    expect(lit).to_have_css("outline-style", "solid")
    ink = "rgb(255, 255, 255)" if scheme == "dark" else "rgb(0, 0, 0)"
    expect(page.locator("body")).to_have_css("color", ink)


def test_less_motion_lets_nothing_move_or_fade(page: Page) -> None:
    moving = """() => [...document.querySelectorAll("*")].filter((one) => {
        const style = getComputedStyle(one);
        const fades = style.transitionDuration.split(",").some((time) => parseFloat(time));
        return style.animationName !== "none" || fades;
    }).map((one) => `${one.tagName}.${one.className}`)"""
    with_mistakes(page)
    page.evaluate("() => document.getElementById('workbench').classList.add('late')")

    assert "TR." in page.evaluate(moving)
    page.emulate_media(reduced_motion="reduce")

    assert page.evaluate(moving) == []
