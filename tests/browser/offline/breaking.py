"""Responses whose headers arrive, and whose bodies break."""

from playwright.sync_api import Page

_BREAK = """(address) => {
  for (const name of ["json", "text"]) {
    const whole = Response.prototype[name];
    Response.prototype[name] = function () {
      const breaks = window.bodiesBreak && this.url.includes(address);
      return breaks ? Promise.reject(new TypeError("network error")) : whole.call(this);
    };
  }
  window.bodiesBreak = true;
}"""


def break_bodies(page: Page, address: str) -> None:
    """Break the body of each response from addresses that contain this one.

    The script of the page gets what a browser gives it when the connection is lost in a body. The
    server has done what it was asked for.
    """
    page.evaluate(_BREAK, address)


def heal_bodies(page: Page) -> None:
    """Let the next bodies arrive."""
    page.evaluate("() => { window.bodiesBreak = false; }")
