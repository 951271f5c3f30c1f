"""In a browser: the reference pages of the protocols on a narrow screen."""

import pytest
from playwright.sync_api import Page

pytestmark = pytest.mark.browser

BROKEN = """(cells) => cells.flatMap((cell) => {
  const broken = [], texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  for (let text; (text = texts.nextNode()); )
    for (const { 0: word, index } of text.data.matchAll(/[A-Za-z]+/g)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word);
    }
  return broken;
})"""


@pytest.mark.parametrize("width", [320, 360])
def test_tables_of_codes_break_no_word(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("/protocols/nlip")

    cells = page.locator(".codes:not(.differences) :is(th, td)")
    assert cells.count() > 20
    assert cells.evaluate_all(BROKEN) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
