"""`manage.py evidence`."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from auditlog.log import logs
from auditlog.management.commands import evidence
from auditlog.tree import keys
from tests.auditlog.evidence.packs import fill, verify

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("evidence", *arguments, stdout=out)
    return out.getvalue()


def test_it_writes_a_pack_that_is_verified(tmp_path: Path) -> None:
    log = fill(20)
    path = tmp_path / "a.zip"
    said = run("leaf:3..7", "-o", str(path), "--withhold", "by")
    verdict = verify(path, keys.verifiers(log))
    assert said == f"{path}: 5 packets, {path.stat().st_size:,} bytes.\n"
    assert (verdict.failures, verdict.manifest["withheld"]) == ([], ["by"])
    assert [one.name for one in tmp_path.iterdir() if one.is_file()] == ["a.zip"]


def test_what_cannot_be_answered_is_a_sentence(tmp_path: Path) -> None:
    fill(20)
    logs.create(slug="empty")
    for words, message in (
        (["leaf:("], "Unclosed parenthesis"),
        (["", "--at", "99"], "Invalid at=99"),
        (["", "--log", "none"], "Unknown log none"),
        (["", "--log", "empty"], "Log empty is empty"),
        (["", "-o", str(tmp_path / "no" / "a.zip")], "cannot be written"),
    ):
        with pytest.raises(CommandError, match=message.replace("(", r"\(")):
            run(*words)


def test_without_a_key_there_is_no_pack(tmp_path: Path) -> None:
    fill(20)
    for one in (tmp_path / "data" / "signing-keys").iterdir():
        one.unlink()
    with pytest.raises(CommandError, match="does not sign the log"):
        run("", "-o", str(tmp_path / "a.zip"))
    assert not (tmp_path / "a.zip").exists()


def test_a_terminal_sees_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(20)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setattr(evidence, "_PAUSE", 0.0)
    errors = StringIO()

    call_command("evidence", "", "-o", str(tmp_path / "a.zip"), stdout=StringIO(), stderr=errors)

    shown = errors.getvalue().split("\r")
    assert len(shown) > 3
    assert shown[-1] == "20 of 20 packets\n"
