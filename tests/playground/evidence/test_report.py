"""The file of a report: its policy, its data, and what it leaves out. A browser opens it in
tests/browser/evidence.
"""

import json
import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser

import pytest

from auditlog.ingest.item import Item
from playground.evidence.report import Report
from tests.auditlog.evidence.packs import begin, fill
from tests.auditlog.sending import append, make_sender

pytestmark = pytest.mark.django_db

HOSTILE = "</script><script>alert(1)</script><!--<style>"


class Elements(HTMLParser):
    """The text of each script and style, by its ID or its name, and the policies."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self.policy = self.referrer = ""
        self.tags: list[str] = []
        self._inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append(tag)
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"] or ""
        if given.get("name") == "referrer":
            self.referrer = given["content"] or ""
        if tag in ("script", "style"):
            self._inside = given.get("id") or tag
            self.found[self._inside] = ""

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.found[self._inside] += data

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""


def make(query: str = "", withheld: tuple[str, ...] = ()) -> Elements:
    return Elements(b"".join(Report(begin(query, withheld=withheld)).write()).decode())


def test_it_tells_no_site_where_it_came_from() -> None:
    fill(1)
    assert make().referrer == "no-referrer"


def test_its_policy_allows_only_its_own_script_and_style() -> None:
    fill(20)
    made = make()
    hashes = {
        name: b64encode(sha256(made.found[name].encode()).digest()).decode()
        for name in ("script", "style")
    }
    assert made.policy == (
        f"default-src 'none'; script-src 'sha256-{hashes['script']}'; "
        f"style-src 'sha256-{hashes['style']}'; img-src data:; base-uri 'none'; form-action 'none'"
    )
    assert made.tags.count("script") == 4
    assert not {"a", "img", "iframe", "link", "form"} & set(made.tags)


def test_its_script_asks_for_nothing_and_writes_no_markup() -> None:
    fill(5)
    script = make().found["script"]
    assert not re.search(
        r"fetch\(|XMLHttp|innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|import\(|"
        r"WebSocket|localStorage",
        script,
    )
    assert "</script" not in script
    assert "<!--" not in script


def test_its_data_is_what_the_pack_has_and_never_markup() -> None:
    fill(20)
    append(Item(HOSTILE), sender=make_sender())
    made = make()
    lines = made.found["entries"].splitlines()
    assert len(lines) == 23
    assert json.loads(lines[21])["open"]["raw"]["text"] == HOSTILE
    assert "<" not in made.found["entries"] + made.found["explanations"] + made.found["members"]
    members = json.loads(made.found["members"])
    manifest = json.loads(members["manifest.json"])
    for name in ("entries", "explanations"):
        digest = sha256(made.found[name].encode()).hexdigest()
        assert manifest["members"][f"{name}.ndjson"] == digest


def test_what_is_withheld_is_not_explained() -> None:
    append(Item("REQ/TSK|g=42,t=1"), Item("ACC/TSK|g=42,t=1"), sender=make_sender())
    fill(1)
    said = make("goal:42").found["explanations"]
    assert "svg" in said
    assert "sentence" in said
    assert make("goal:42", withheld=("raw",)).found["explanations"] == ""
    assert "svg" not in make("goal:42", withheld=("index",)).found["explanations"]
