"""The security log: one JSON object a line, nothing in it that could break the line, and no
secrets.
"""

import json
import logging
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from auditlog import access, securitylog
from auditlog.models import ApiKey
from auditlog.securitylog import SecurityFile, SecurityLine

Record = Callable[..., list[dict[str, object]]]


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    handler = SecurityFile(tmp_path / "new" / "security.log", delay=True)
    handler.setFormatter(SecurityLine())
    logging.getLogger(securitylog.NAME).addHandler(handler)
    yield Path(handler.baseFilename)
    logging.getLogger(securitylog.NAME).removeHandler(handler)
    handler.close()


def _read(file: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in file.read_text("ascii").splitlines()]


def test_a_line_is_an_object_with_its_time_in_utc(file: Path) -> None:
    securitylog.record("key.revoked", key="abc", log=None)

    (line,) = _read(file)
    assert str(line.pop("at")).endswith("Z")
    assert line == {"event": "key.revoked", "key": "abc"}


def test_what_somebody_typed_stays_in_its_line_and_is_short(file: Path) -> None:
    securitylog.record("person.made", person='ann"\n{"event": "x"}\u2028\x1b[31mé' + "x" * 500)

    assert len(file.read_text("ascii").splitlines()) == 1
    (line,) = _read(file)
    assert len(str(line["person"])) == securitylog.LONGEST + 1


def test_the_file_is_for_its_owner_and_is_opened_again_when_it_was_moved(file: Path) -> None:
    securitylog.record("key.revoked", key="one")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    file.rename(file.with_suffix(".1"))

    securitylog.record("key.revoked", key="two")

    assert [line["key"] for line in _read(file)] == ["two"]


def test_a_line_that_cannot_be_written_goes_to_stderr(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "folder").mkdir()
    handler = SecurityFile(tmp_path / "folder", delay=True)
    handler.setFormatter(SecurityLine())
    logging.getLogger(securitylog.NAME).addHandler(handler)
    try:
        securitylog.record("key.revoked", key="one")
    finally:
        logging.getLogger(securitylog.NAME).removeHandler(handler)

    said = capsys.readouterr().err
    assert "cannot be written" in said
    assert '"key": "one"' in said


def test_a_line_that_a_full_disk_cuts_goes_to_stderr_and_the_next_one_is_whole(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write = os.write
    with monkeypatch.context() as full:
        full.setattr(os, "write", lambda handle, line: write(handle, line[:20]))
        securitylog.record("key.revoked", key="one")
    securitylog.record("key.revoked", key="two")
    securitylog.record("key.revoked", key="three")

    assert '"key": "one"' in capsys.readouterr().err
    cut, *whole = file.read_text("ascii").splitlines()
    assert len(cut) == 20
    assert [json.loads(line)["key"] for line in whole] == ["two", "three"]


def test_an_event_that_is_not_documented_is_a_mistake() -> None:
    with pytest.raises(AssertionError):
        securitylog.record("nothing.known")


@pytest.mark.django_db
def test_making_and_revoking_a_key_is_logged_without_its_secret(file: Path) -> None:
    key, token = access.create_key(source="bot", scopes=("read",))
    access.revoke_key(key.pk)
    access.revoke_key(key.pk)

    made, revoked = _read(file)
    assert (made["event"], made["key"], made["source"], made["scopes"]) == (
        "key.made",
        key.pk,
        "bot",
        "read",
    )
    assert (revoked["event"], revoked["key"]) == ("key.revoked", key.pk)
    assert token.split("_")[3] not in file.read_text()


@pytest.mark.django_db
def test_the_reason_of_a_refused_key_is_found() -> None:
    key, token = access.create_key(source="bot", scopes=("read",))
    body = f"cbl_live_{key.pk}_{'0' * 43}"
    stranger = f"cbl_live_{'0' * 12}_{'0' * 43}"

    assert access.reason_refused(token[:-1]) == ("malformed", None)
    assert access.reason_refused(f"{body}_{access._checksum(body)}") == ("unknown", key.pk)
    assert access.reason_refused(f"{stranger}_{access._checksum(stranger)}") == (
        "unknown",
        "0" * 12,
    )
    access.revoke_key(key.pk)
    assert access.reason_refused(token) == ("revoked", key.pk)
    ApiKey.objects.filter(pk=key.pk).update(revoked=None, expires="2020-01-01T00:00:00Z")
    assert access.reason_refused(token) == ("expired", key.pk)
