"""Pages of Chromium that tests use one after the other: a fresh one costs half a second of the
processor, most of it to start a process and to compile scripts.

`Windows.lend` gives a page that holds nothing of the tests before: no cookie, no stored data, no
route, no listener. What a test calls is either known here, and undone after it, or the page is
closed after it.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import (
    Browser,
    Error,
    Frame,
    Page,
    Request,
    StorageState,
    ViewportSize,
)

SIZE = ViewportSize(width=1280, height=900)
ONE_PROCESS = "--process-per-site"
"""A flag of Chromium: a page that is empty for a while finds its process again, with the scripts
that it compiled.
"""
UNDONE = frozenset((
    "add_cookies", "add_script_tag", "add_style_tag", "aria_snapshot", "bring_to_front", "check",
    "clear_cookies", "clear_permissions", "click", "content", "cookies", "dblclick",
    "dispatch_event", "drag_and_drop", "emulate_media", "eval_on_selector",
    "eval_on_selector_all", "evaluate", "evaluate_handle", "expect_console_message",
    "expect_download", "expect_event", "expect_file_chooser", "expect_navigation", "expect_page",
    "expect_popup", "expect_request", "expect_request_finished", "expect_response", "fill",
    "focus", "frame", "frame_locator", "get_attribute", "get_by_alt_text", "get_by_label",
    "get_by_placeholder", "get_by_role", "get_by_test_id", "get_by_text", "get_by_title",
    "go_back", "go_forward", "goto", "grant_permissions", "hover", "inner_html", "inner_text",
    "input_value", "is_checked", "is_closed", "is_disabled", "is_editable", "is_enabled",
    "is_hidden", "is_visible", "locator", "new_page", "press", "query_selector",
    "query_selector_all", "reload", "remove_listener", "route", "screenshot", "select_option",
    "set_checked", "set_content", "set_input_files", "set_offline", "set_viewport_size",
    "storage_state", "tap", "text_content", "title", "type", "uncheck", "unroute", "unroute_all",
    "wait_for_event", "wait_for_function", "wait_for_load_state", "wait_for_selector",
    "wait_for_timeout", "wait_for_url",
))  # fmt: skip
"""The methods of a page and its context that leave nothing, or nothing that `clean` keeps."""
KEYS = ("Alt", "Control", "Meta", "Shift")
_NOTE_BREACHES = (
    "document.addEventListener('securitypolicyviolation', (event) => "
    "window.note_breach(`${event.violatedDirective} ${event.blockedURI}`))"
)


class Window:
    """One page in a context of its own, and what is wrong with both."""

    def __init__(self, browser: Browser, base_url: str, *, scripts: bool, watched: bool) -> None:
        self._base_url = base_url
        self._context = browser.new_context(
            base_url=base_url, viewport=SIZE, java_script_enabled=scripts
        )
        self.breaches: list[str] = []
        """Each breach of our policy and each request to another host, if the window is watched."""
        self.is_spoiled = False
        """Whether a test did what `clean` cannot undo."""
        self._undo: list[Callable[[], None]] = []
        if watched:
            self._watch()
        self.page = self._context.new_page()
        self.page.on("framenavigated", self._note_place)
        self._session = self._context.new_cdp_session(self.page)
        for part in (self.page, self._context, self._context.clock):
            self._spoil_by_calls(part)
        for part in (self.page, self._context):
            self._undo_listening(part)
        self._undo_sessions()

    def sign_in(self, state: StorageState) -> None:
        """Have the cookies of a browser that has signed in."""
        cookies: Any = state["cookies"]
        self._context.add_cookies(cookies)

    def _watch(self) -> None:
        self._context.expose_function("note_breach", lambda words: self.breaches.append(words))
        self._context.add_init_script(_NOTE_BREACHES)
        self._context.on("request", self._note_request)

    def _note_request(self, request: Request) -> None:
        place = urlsplit(request.url)
        if place.scheme in ("http", "https", "ws", "wss") and not self._is_ours(request.url):
            self.breaches.append(f"a request to {request.url}")

    def _note_place(self, frame: Frame) -> None:
        """Stored data can be cleared for one place only."""
        if frame.url != "about:blank" and not self._is_ours(frame.url):
            self.is_spoiled = True

    def _is_ours(self, url: str) -> bool:
        place = urlsplit(url)
        return f"{place.scheme}://{place.netloc}" == self._base_url

    def _spoil_by_calls(self, part: object) -> None:
        kind = type(part)
        names = [name for name in dir(kind) if not name.startswith("_") and name not in UNDONE]
        for name in names:
            if callable(getattr(kind, name)):
                setattr(part, name, self._spoiling(getattr(part, name)))

    def _spoiling(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def call(*words: Any, **more: Any) -> Any:
            self.is_spoiled = True
            return method(*words, **more)

        return call

    def _undo_listening(self, part: Any) -> None:
        listen = type(part).on.__get__(part)

        def on(event: str, heard: Callable[..., Any]) -> None:
            listen(event, heard)
            self._undo.append(lambda: part.remove_listener(event, heard))

        part.on = on

    def _undo_sessions(self) -> None:
        start = type(self._context).new_cdp_session.__get__(self._context)

        def new_cdp_session(page: Page | Frame) -> Any:
            session = start(page)
            self._undo.append(session.detach)
            return session

        setattr(self._context, "new_cdp_session", new_cdp_session)  # noqa: B010

    def clean(self) -> bool:
        """Take away what a test left; return whether the page is as good as a fresh one."""
        try:
            # What the page has said until now, the test is to hear.
            self.page.evaluate("0")
            if not self.is_spoiled:
                self._forget()
                self._reset()
        except Error:
            self.is_spoiled = True
        self.breaches.clear()
        return not self.is_spoiled

    def _forget(self) -> None:
        """Forget listeners, routes, other pages, and everything that is stored."""
        while self._undo:
            self._undo.pop()()
        for page in self._context.pages:
            if page is not self.page:
                page.close()
        self.page.unroute_all()
        self._context.unroute_all()
        self._context.set_offline(False)
        # Scripts may store something when their page is left, so it is cleared on another one.
        self.page.goto("/healthz")
        self.page.evaluate("() => { sessionStorage.clear(); window.name = ''; }")
        place = {"origin": self._base_url, "storageTypes": "all"}
        self._session.send("Storage.clearDataForOrigin", place)
        self._context.clear_cookies()
        self._context.clear_permissions()

    def _reset(self) -> None:
        """Have an empty page of the first size, without a history, and nothing held down."""
        self.page.goto("about:blank")
        self._session.send("Page.resetNavigationHistory")
        for key in KEYS:
            self.page.keyboard.up(key)
        self.page.mouse.up()
        self.page.mouse.move(-1, -1)
        self.page.emulate_media(
            media="null",
            color_scheme="null",
            reduced_motion="null",
            forced_colors="null",
            contrast="null",
        )
        self.page.set_viewport_size(SIZE)

    def close(self) -> None:
        self._context.close()


class Windows:
    """The windows of one browser that no test uses now."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._base_url = ""
        self._free: dict[tuple[bool, bool], Window] = {}

    @contextmanager
    def lend(
        self, base_url: str, *, scripts: bool = True, watched: bool = False
    ) -> Iterator[Window]:
        """Lend a window of a server to a test. One of another server is closed."""
        if base_url != self._base_url:
            self.close()
            self._base_url = base_url
        kind = (scripts, watched)
        window = self._free.pop(kind, None) or Window(
            self._browser, base_url, scripts=scripts, watched=watched
        )
        try:
            yield window
        finally:
            if window.clean() and base_url == self._base_url and kind not in self._free:
                self._free[kind] = window
            else:
                window.close()

    def close(self) -> None:
        while self._free:
            self._free.popitem()[1].close()
