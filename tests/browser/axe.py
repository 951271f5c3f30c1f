"""axe, the checker of accessibility, asked for nothing but what is wrong."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

_AXE = Axe()
_WRONG_ONLY = {"resultTypes": ["violations"]}
"""By default axe describes every element that passes too, which takes half of its time."""
COLORS = ("color-contrast", "link-in-text-block")
"""The rules that read a color: all that can differ between a light page and a dark one."""


def require_accessible(page: Page, context: str | None = None, *rules: str) -> None:
    """Fail with axe's report if the page, or what a selector names, breaks one of the rules, or of
    all rules if none is named.
    """
    only = {"runOnly": list(rules)} if rules else {}
    found = _AXE.run(page, context=context, options=_WRONG_ONLY | only)

    assert found.violations_count == 0, found.generate_report()
