"""The page that prepares evidence, its files, and their progress."""

import errno
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from auditlog.tree import keys, memory
from cablese.tlog.note import parse_verifier
from playground.evidence import progress, report
from tests.auditlog.erasure.orders import erase_leaves
from tests.auditlog.evidence.packs import fill, verify
from tests.database.faults import raising

pytestmark = pytest.mark.django_db


@pytest.fixture
def client() -> Client:
    client = Client()
    client.force_login(User.objects.create_user("grace"))
    return client


def words_of(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def test_the_page_says_what_is_in_the_pack_and_what_is_not(client: Client) -> None:
    fill(20)
    page = words_of(client.get("/audit/evidence?q=proto:nslip&at=15"))
    assert "<code>proto:nslip</code>" in page
    assert '<input type="hidden" name="at" value="15">' in page
    assert "Not included" in page
    assert "Only a range of leaves" in page
    assert "Download report" in page


def test_the_page_has_the_command_and_the_key_that_verify_the_pack(client: Client) -> None:
    log = fill(3)
    page = client.get("/audit/evidence?q=proto:nslip").content.decode()

    found = re.search(
        r'cablese-verify --key log.keys.*?tabindex="0">(.*?)\n</pre>', page, re.DOTALL
    )
    assert found is not None
    assert list(map(parse_verifier, found[1].splitlines())) == keys.verifiers(log)


def test_of_a_range_it_says_that_it_is_complete(client: Client) -> None:
    fill(20)
    page = words_of(client.get("/audit/evidence?q=leaf:3..7"))
    assert "Every leaf from 3 to 7" in page
    assert "Only a range of leaves" not in page


def test_of_a_range_it_counts_what_was_erased(client: Client) -> None:
    fill(20)
    erase_leaves(4, 5)

    assert "3 and 2 erased" in words_of(client.get("/audit/evidence?q=leaf:3..7"))
    assert "erased, of which" not in words_of(client.get("/audit/evidence?q=proto:nslip"))


@pytest.mark.parametrize(
    ("address", "status", "words"),
    [
        ("q=leaf:(", 422, "Unclosed parenthesis"),
        ("at=99", 422, "Invalid at=99"),
        ("log=none", 400, "Unknown log &quot;none&quot;."),
        ("withhold=none", 400, "Select a valid choice"),
        ("q=<b>(", 422, "&lt;b&gt;"),
    ],
)
def test_the_page_names_what_is_wrong(
    client: Client, address: str, status: int, words: str
) -> None:
    fill(5)
    answer = client.get(f"/audit/evidence?{address}")
    assert answer.status_code == status
    assert words in words_of(answer)


def test_nobody_else_gets_evidence() -> None:
    for path in ("", "/progress", "/file.zip", "/file.html"):
        answer = Client().get(f"/audit/evidence{path}")
        assert answer.status_code == 302
        assert answer.headers["Location"].startswith("/signin")


def test_the_pack_is_a_file_that_is_verified(client: Client, tmp_path: Path) -> None:
    log = fill(20)
    answer = client.get("/audit/evidence/file.zip?q=leaf:3..7&withhold=by&withhold=event")
    assert re.fullmatch(
        r'attachment; filename="default-21-\d{8}T\d{6}Z-evidence.zip"',
        answer.headers["Content-Disposition"],
    )
    path = tmp_path / "a.zip"
    path.write_bytes(b"".join(answer.streaming_content))  # type: ignore[attr-defined]
    verdict = verify(path, keys.verifiers(log))
    assert verdict.failures == []
    assert (verdict.manifest["count"], verdict.manifest["made_by"]) == (5, "grace")
    assert verdict.manifest["withheld"] == ["by", "event"]


def test_there_is_no_other_form(client: Client) -> None:
    fill(5)
    assert client.get("/audit/evidence/file.pdf").status_code == 404


def test_a_bad_search_has_no_file(client: Client) -> None:
    fill(5)
    for form in ("zip", "html"):
        answer = client.get(f"/audit/evidence/file.{form}?q=leaf:(")
        assert (answer.status_code, answer.headers["Content-Type"]) == (
            422, "text/plain; charset=utf-8",
        )  # fmt: skip


def test_until_another_server_signs_the_log_there_is_no_file(
    client: Client, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    fill(5)
    for one in (tmp_path / "data" / "signing-keys").iterdir():
        one.unlink()
    answer = client.get("/audit/evidence/file.zip")
    assert (answer.status_code, answer["Retry-After"]) == (503, "10")
    assert "does not sign the log" in words_of(answer)
    assert "503 GET" not in caplog.text


def test_a_key_that_cannot_be_used_is_a_failure(
    client: Client, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    fill(5)
    for one in (tmp_path / "data" / "signing-keys").iterdir():
        one.chmod(0o644)
    answer = client.get("/audit/evidence/file.zip")
    assert answer.status_code == 503
    assert "cannot be used" in words_of(answer)
    assert "NoCheckpoint" in caplog.text


def test_a_full_disk_is_no_fault_of_the_key(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(5)
    full = OSError(errno.ENOSPC, "No space left on device")
    monkeypatch.setattr(memory, "write", raising(full))

    answer = client.get("/audit/evidence/file.zip")

    assert answer.status_code == 503
    assert "The checkpoint cannot be signed: No space left on device." in words_of(answer)


def test_a_report_has_a_limit(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(20)
    monkeypatch.setattr(report, "LIMIT", 10)
    assert "There is no report, because the limit is 10 packets" in words_of(
        client.get("/audit/evidence")
    )
    answer = client.get("/audit/evidence/file.html")
    assert answer.status_code == 422
    assert "The limit is 10 packets" in words_of(answer)
    monkeypatch.setattr(report, "BYTES", 10)
    assert client.get("/audit/evidence/file.html?q=leaf:3").status_code == 422


def test_progress_counts_the_packets_of_ones_own_download(client: Client) -> None:
    fill(20)
    asked = "/audit/evidence/progress?token=abc"
    assert "has not started" in words_of(client.get(asked))
    blocks = iter(client.get("/audit/evidence/file.zip?token=abc"))
    next(blocks)
    begun = client.get(asked)
    assert begun.headers["Refresh"] == "2"
    assert "0 packets" in words_of(begun)
    assert list(blocks)
    ended = client.get(asked)
    assert "Refresh" not in ended.headers
    assert "<strong>Finished.</strong> 20 packets." in words_of(ended)

    other = Client()
    other.force_login(User.objects.create_user("ada"))
    assert "has not started" in words_of(other.get(asked))


def test_a_part_of_the_page_asks_again_until_the_end(client: Client) -> None:
    fill(20)
    asked, htmx = "/audit/evidence/progress?token=abc", {"HX-Request": "true"}
    assert "load delay:1s" in words_of(client.get(asked, headers=htmx))
    assert b"".join(client.get("/audit/evidence/file.zip?token=abc"))
    ended = words_of(client.get(asked, headers=htmx))
    assert "<html" not in ended
    assert "load delay:1s" not in ended


def test_the_progress_of_two_hundred_packs_is_remembered() -> None:
    pack: Any = SimpleNamespace(done=1, total=2, is_finished=False)
    for number in range(201):
        progress.remember(7, str(number), pack)

    assert progress.find(7, "0") is None
    assert progress.find(7, "1") == progress.Progress(1, 2, is_finished=False)
    assert progress.find(8, "1") is None
