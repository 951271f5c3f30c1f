"""In a browser: one text that is hard to read is noticed among many that are not."""

import pytest
from playwright.sync_api import Page

from tests.browser.axe import require_accessible, require_contrast

pytestmark = pytest.mark.browser

PAGE = """<!doctype html><html lang="en"><head><title>Contrast</title><style>
body { color: #111; background: #fff } .dim { opacity: 0.3 } .dark { background: #222 }
.pale { color: #bbb } .box { position: absolute; top: 0; right: 0 } .gone { display: none }
</style></head><body><main><h1>Contrast</h1>%s<p>Read me.</p>%s<p>Read me.</p>%s</main></body>
</html>
"""
GOOD = "<p>Read me, and this <a href='#'>link</a>.</p>" * 100


@pytest.mark.parametrize(
    "bad",
    [
        "<p class='pale'>Hard to read.</p>",
        "<div class='dim'><p>Hard to read.</p></div>",
        "<div class='dark'><p>Hard to read.</p></div>",
        "<p class='pale gone'>Not there.</p><p class='pale'>Hard to read.</p>",
        "<p><button disabled class='pale'>Off</button></p><p><button class='pale'>On</button></p>",
        "<p class='pale'>x</p><p class='pale'>Hard to read.</p><p class='pale'>x</p>",
        "<div class='dark box'><p>Hard to read.</p></div>",
    ],
)
def test_one_text_without_contrast_is_noticed_among_many(page: Page, bad: str) -> None:
    page.set_content(PAGE % (GOOD, bad, GOOD))

    with pytest.raises(AssertionError, match="color-contrast"):
        require_contrast(page)
    with pytest.raises(AssertionError, match="color-contrast"):
        require_accessible(page, "main")


def test_a_picture_without_a_text_is_noticed_and_a_good_page_passes(page: Page) -> None:
    page.set_content(PAGE % (GOOD, "", GOOD))
    require_accessible(page)

    page.set_content(PAGE % (GOOD, "<img src='data:,'>", GOOD))
    with pytest.raises(AssertionError, match="image-alt"):
        require_accessible(page)
