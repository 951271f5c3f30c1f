"""The report, in a browser that is offline: it verifies itself, and finds what was changed."""

import json
import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from auditlog.evidence.summed import encode
from cablese.tlog import note
from tests.installation import Installation

pytestmark = pytest.mark.browser

LOG = "evidence"
HOSTILE = "</script><img src=x onerror=alert(1)><!-- \u202e \u2028 &lt; é"
TALK = [f"{act}|g=77,t=1,@=auth" for act in ("REQ/TSK", "PRO/PLN", "ACC/PLN", "INF/STS")]
NOTE = "<b>why</b> & so?"


@pytest.fixture(scope="module")
def text(chromium: Browser, server: Installation) -> str:
    """A report, downloaded by a person who is signed in."""
    server.manage("log", "create", LOG)  # leaf 0 is its key
    key = server.manage("apikey", "create", "witness", "--scopes", "ingest").split()[-1]
    context = chromium.new_context(base_url=server.base_url)
    page = context.new_page()
    server.sign_in(page)
    parties = ["planner", "coder", "planner", "coder"]
    items = [
        {"wire": wire, "log": LOG, "from": who} for wire, who in zip(TALK, parties, strict=True)
    ]
    items += [{"wire": HOSTILE, "log": LOG}, {"wire": "REQ/TSK|g=1", "log": LOG, "event_id": "e1"}]
    answer = page.request.post(
        "/api/v1/packets/batch",
        data="\n".join(map(json.dumps, items)),
        headers={"Content-Type": "application/x-ndjson", "Authorization": f"Bearer {key}"},
    )
    assert answer.ok, answer.text()
    first = answer.json()["results"][0]["packet"]
    page.goto(f"/audit/{LOG}/{first}")
    page.get_by_label("Note").fill(NOTE)
    page.locator("button[name=state][value=flagged]").click()
    page.wait_for_load_state()
    found = page.request.get(f"/audit/evidence/file.html?log={LOG}")
    assert found.ok, found.text()
    assert found.headers["content-disposition"].startswith("attachment; filename=")
    made = found.text()
    context.close()
    return str(made)


@pytest.fixture
def tab(chromium: Browser) -> Iterator[Page]:
    """A page without a network: every request but the one for the file is refused."""
    context = chromium.new_context(offline=True)
    tab = context.new_page()
    asked: list[str] = []
    errors: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.route(re.compile("^(?!file:|data:)"), lambda route: route.abort())
    yield tab
    assert errors == []
    assert [url for url in asked if not url.startswith(("file:", "data:image/svg"))] == []
    context.close()


def open_in(tab: Page, path: Path, text: str) -> str:
    """Open a report, and return what it says of itself."""
    path.write_text(text, newline="")
    tab.goto(path.as_uri())
    tab.wait_for_selector("html[data-done]", timeout=60_000)
    return tab.locator("#verdict").get_attribute("data-state") or ""


def test_it_verifies_itself_and_draws_what_it_verified(
    tab: Page, tmp_path: Path, text: str
) -> None:
    assert open_in(tab, tmp_path / "report.html", text) == "verified", tab.content()[-3000:]
    expect(tab.locator("#verdict")).to_contain_text("This file can’t show whose key that is")
    expect(tab.locator("#packets article")).to_have_count(6)
    expect(tab.locator("#packet-1")).to_contain_text("admin flagged")
    expect(tab.locator("#packet-1")).to_contain_text(NOTE)
    expect(tab.locator("#packet-5 pre")).to_contain_text("</script><img src=x onerror=alert(1)>")
    expect(tab.locator("#packet-5 pre")).to_contain_text("⟨U+202E⟩")
    picture = tab.locator("#figures img").first
    picture.scroll_into_view_if_needed()
    assert picture.evaluate("one => one.decode().then(() => one.naturalWidth)") > 100


def test_every_changed_character_of_its_data_is_found(tab: Page, tmp_path: Path, text: str) -> None:
    begin, end = text.index('id="entries">') + 13, text.rindex("<script>")
    step = max(1, (end - begin) // 60)
    for at in range(begin, end, step):
        if text[at] in "<>" or text[at - 9 : at + 9].count("script"):
            continue
        other = "1" if text[at] != "1" else "2"
        changed = text[:at] + other + text[at + 1 :]
        assert open_in(tab, tmp_path / "report.html", changed) == "failed", changed[
            at - 40 : at + 9
        ]
        assert tab.locator("#checks li").count() >= 1


def test_a_failure_names_its_place(tab: Page, tmp_path: Path, text: str) -> None:
    changed = text.replace('"text":"REQ/TSK|g=1"', '"text":"REQ/TSK|g=2"')
    assert changed != text
    assert open_in(tab, tmp_path / "report.html", changed) == "failed"
    places = tab.locator("#checks").inner_text()
    assert "entries, line 7, leaf 6, raw: It does not match the leaf’s commitment." in places
    expect(tab.locator("#packet-6 header")).to_contain_text("failed")


def test_another_script_does_not_run(tab: Page, tmp_path: Path, text: str) -> None:
    changed = text.replace("async function run() {", "async function run() { ", 1)
    assert changed != text
    path = tmp_path / "report.html"
    path.write_text(changed, newline="")
    tab.goto(path.as_uri())
    tab.wait_for_timeout(300)
    expect(tab.locator("#verdict")).to_contain_text("Not verified")
    assert tab.locator("html[data-done]").count() == 0


def test_without_ed25519_it_says_so_and_names_the_command(
    tab: Page, tmp_path: Path, text: str
) -> None:
    tab.add_init_script(
        "crypto.subtle.importKey = () => Promise.reject(new DOMException('', 'NotSupportedError'))"
    )
    assert open_in(tab, tmp_path / "report.html", text) == "warned"
    expect(tab.locator("#checks")).to_contain_text("cablese-verify")


@dataclass
class Parts:
    """The data of a report, to be changed by somebody who makes every sum and digest again."""

    manifest: dict[str, Any]
    members: dict[str, str]
    entries: list[dict[str, Any]]


def forge(text: str, change: Callable[[Parts], object]) -> str:
    found = {
        name: re.search(rf'id="{name}">(.*?)</script>', text, re.DOTALL)
        for name in ("entries", "explanations", "members")
    }
    data = {name: match[1] for name, match in found.items() if match is not None}
    members = read(data["members"])
    parts = Parts(
        read(members.pop("manifest.json")), members, [*map(read, data["entries"].split("\n")[:-1])]
    )
    change(parts)
    entries = "".join(f"{encode(line).decode()}\n" for line in parts.entries)
    texts = {"entries.ndjson": entries, "explanations.ndjson": data["explanations"]} | members
    digests = {name: sha256(one.encode()).hexdigest() for name, one in texts.items()}
    manifest = encode(parts.manifest | {"members": digests}).decode()
    whole = encode({"manifest.json": manifest} | members).decode()
    return text.replace(data["entries"], entries).replace(data["members"], whole)


def read(line: str) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(line)
    del value["sum"]
    return value


def resign(parts: Parts) -> None:
    note, signature = parts.members["checkpoint"].rsplit(" ", 1)
    made = bytearray(b64decode(signature))
    made[-1] ^= 1
    parts.members["checkpoint"] = f"{note} {b64encode(made).decode()}\n"


def begin_otherwise(parts: Parts) -> None:
    """Sign with a key of the forger's own, and name another tree as the first."""
    head = parts.members["checkpoint"].partition("\n\n")[0]
    signer = note.generate(parts.manifest["origin"])
    first = f"{parts.manifest['origin']}\n1\n{b64encode(bytes(32)).decode()}\n"
    parts.manifest["keys"] = [{"vkey": note.format_verifier(signer.verifier)}]
    parts.members["checkpoint"] = note.sign(f"{head}\n", [signer])
    parts.members["first-checkpoint"] = note.sign(first, [signer])


@pytest.mark.parametrize(
    "selection",
    [{}, {"query": "leaf:1..6", "first": 1, "last": 6}, {"query": "leaf:90..99"}],
)
def test_a_report_whose_sums_were_made_again_is_verified(
    tab: Page, tmp_path: Path, text: str, selection: dict[str, Any]
) -> None:
    same = forge(text, lambda parts: parts.manifest["selection"].update(selection))

    assert open_in(tab, tmp_path / "report.html", same) == "verified"


def leave_out_a_review(parts: Parts) -> None:
    (review,) = (line for line in parts.entries if '"kind":"review"' in line.get("entry", ""))
    del review["about"], review["open"]


FORGERIES: dict[str, Callable[[Parts], object]] = {
    "The leaf is from another log.": lambda parts: parts.manifest.update(log="other"),
    "It is missing, and neither withheld nor erased.": lambda parts: parts.entries[1]["open"].pop(
        "raw"
    ),
    "The leaf is not about packet 2 of this report.": lambda parts: parts.entries[7].update(
        about=2
    ),
    "Leaf 0 does not erase it.": lambda parts: parts.entries[1].update(erased=0),
    "count is 5, not 6.": lambda parts: parts.manifest.update(count=5),
    "Leaf 8 of the range is missing.": lambda parts: parts.manifest["selection"].update(
        first=0, last=8
    ),
    "leaf 7: It is about packet 1, and has no `about`.": leave_out_a_review,
    "The search is a range of leaves, and its ends are different.": lambda parts: parts.manifest[
        "selection"
    ].update(query="leaf:1..6", first=1, last=5),
    "Leaf 1 is not about the key": lambda parts: parts.manifest["keys"][0].update(leaf=1),
    "It ends with another size.": lambda parts: parts.entries[-1].update(end=7),
    "It is out of order, or has the wrong number of hashes.": lambda parts: parts.entries[2].update(
        before=b64encode(bytes(32)).decode()
    ),
    "The leaves do not match the signed tree.": lambda parts: parts.entries.pop(-2),
    "It is for another log.": lambda parts: parts.manifest.update(origin="example.com/log/other"),
    "No key of the report signed it.": resign,
    "The tree does not begin with the first signed tree.": begin_otherwise,
    "Its size differs from the manifest.": lambda parts: parts.manifest.update(size=9),
}


@pytest.mark.parametrize("said", FORGERIES)
def test_a_forger_who_makes_the_sums_again_is_found(
    tab: Page, tmp_path: Path, text: str, said: str
) -> None:
    forged = forge(text, FORGERIES[said])

    assert open_in(tab, tmp_path / "report.html", forged) == "failed"
    expect(tab.locator("#checks")).to_contain_text(said)


def sign_with_another_id(parts: Parts) -> None:
    """Keep the signature, and change the ID of its key, which is in front of it."""
    note, signature = parts.members["checkpoint"].rsplit(" ", 1)
    made = bytearray(b64decode(signature))
    made[0] ^= 1
    parts.members["checkpoint"] = f"{note} {b64encode(made).decode()}\n"


def change_key(
    parts: Parts, change: Callable[[bytes], bytes], *, key_id: str | None = None
) -> None:
    """Change the bytes of each key, and its ID with them unless one is given."""
    for each in parts.manifest["keys"]:
        name, _, key = each["vkey"].split("+", 2)
        made = change(b64decode(key))
        digest = sha256(f"{name}\n".encode() + made).hexdigest()
        each["vkey"] = f"{name}+{key_id or digest[:8]}+{b64encode(made).decode()}"


NO_KEY = "The key is not an Ed25519 key."
IDS: dict[str, tuple[Callable[[Parts], object], str]] = {
    "signature": (sign_with_another_id, "No key of the report signed it."),
    "key": (lambda parts: change_key(parts, bytes, key_id="00000000"), NO_KEY),
    "algorithm": (lambda parts: change_key(parts, lambda key: b"\2" + key[1:]), NO_KEY),
    "length": (lambda parts: change_key(parts, lambda key: key + b"\0"), NO_KEY),
}


@pytest.mark.parametrize("which", IDS)
def test_a_key_has_its_id_and_so_has_its_signature(
    tab: Page, tmp_path: Path, text: str, which: str
) -> None:
    change, said = IDS[which]

    assert open_in(tab, tmp_path / "report.html", forge(text, change)) == "failed"
    expect(tab.locator("#checks")).to_contain_text(said)
