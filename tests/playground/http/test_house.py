"""The rules of the house that a tool does not know: pages for errors, safe log lines, clean
templates and files.
"""

import logging
import re
import subprocess
import sys

import pytest
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path

from playground.server.log_format import LogLine
from playground.urls import handler400, handler403, handler404, handler500, urlpatterns
from tests.installation import ROOT

REPORT = ROOT / "templates/evidence/report.html"
"""A file that is only downloaded, with a policy of its own, see tests/browser/evidence."""
TEMPLATES = sorted(set((ROOT / "templates").rglob("*.html")) - {REPORT})
SCRIPTS = sorted((ROOT / "static").rglob("*.js"))

__all__ = ["handler400", "handler403", "handler404", "handler500"]


def break_down(_request: HttpRequest) -> HttpResponse:
    raise LookupError("the words of an agent")


def send_too_much(_request: HttpRequest) -> HttpResponse:
    raise RequestDataTooBig


# This module is a URL configuration too: the project's, and pages that fail.
urlpatterns = [*urlpatterns, path("break", break_down), path("too-much", send_too_much)]


@pytest.mark.django_db
@pytest.mark.urls(__name__)
@pytest.mark.parametrize(
    ("address", "status", "words"),
    [
        ("/nowhere", 404, "Page not found"),
        ("/too-much", 413, "Too large"),
        ("/break", 500, "Server error"),
    ],
)
def test_an_error_has_a_page(address: str, status: int, words: str) -> None:
    response = Client(raise_request_exception=False).get(address)

    assert response.status_code == status
    assert words in response.content.decode()


@pytest.mark.django_db
def test_a_host_that_is_not_ours_is_refused() -> None:
    assert Client().get("/signin", headers={"host": "evil.example"}).status_code == 400


def log_line(error: BaseException) -> str:
    try:
        raise error
    except BaseException:  # noqa: BLE001  (the test is about every one)
        record = logging.LogRecord(
            "x", logging.ERROR, __file__, 1, "it failed", None, sys.exc_info()
        )
    return LogLine().format(record)


def test_a_traceback_in_the_log_does_not_quote_what_an_agent_wrote() -> None:
    error = ValueError("REQ/TSK|secret")
    error.__cause__ = KeyError("secret too")

    line = log_line(error)

    assert "secret" not in line.replace(__file__, "").split("it failed")[0]
    assert "builtins.ValueError" in line
    assert "builtins.KeyError" in line
    assert "ValueError: " not in line
    assert line.index("KeyError\n") < line.index("test_house.py") < line.index("ValueError")


def test_a_template_has_nothing_that_our_policy_blocks() -> None:
    """Inline scripts, styles and handlers do not run, and a filter in hx-trigger would let every
    event through.
    """
    blocked = (
        r"<script(?![^>]*\bsrc=)(?![^>]*application/json)",
        r"<style\b|\sstyle=",
        r"\s(?:hx-)?on[a-z:-]+=",
        r"hx-trigger=\"[^\"]*\[|[\"']js:|hx-(?:vals|headers)=\"js",
        r"(?:src|href|action)=\"(?:https?:)?//",
    )
    texts = {
        template: re.sub(r"{%.*?%}|{#.*?#}", "", template.read_text(), flags=re.DOTALL)
        for template in TEMPLATES
    }

    assert [
        (str(template), pattern)
        for template, text in texts.items()
        for pattern in blocked
        if re.search(pattern, text)
    ] == []


def test_a_script_builds_no_page_from_text() -> None:
    builds = re.compile(
        r"\binnerHTML\b|\bouterHTML\b|\beval\(|new Function|insertAdjacentHTML|document\.write"
    )

    assert [str(script) for script in SCRIPTS if builds.search(script.read_text())] == []


def test_no_file_names_a_machine_or_a_package_index() -> None:
    tracked = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout
    files = [ROOT / name for name in tracked.split("\0") if name]
    tell_tale = re.compile(
        "|".join((r"/(?:ro)ot/", r"/ho(?:)me/\w", r"py(?:pi)\.org", r"files\.python(?:hosted)"))
    )

    assert [
        file.name
        for file in files
        if file.is_file() and tell_tale.search(file.read_text(errors="ignore"))
    ] == []
