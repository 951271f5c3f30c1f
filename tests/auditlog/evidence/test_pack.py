"""Packs as they are written, read by the verifier."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from auditlog import review
from auditlog.evidence import selection
from auditlog.evidence.signed import NoCheckpoint
from auditlog.ingest.item import Item
from auditlog.log import logs
from auditlog.models import Checkpoint, Log
from auditlog.search.query import QueryError
from auditlog.search.saved.pin import BadPin
from auditlog.tree import checkpoints, keys
from cablese.tlog import note
from cablese.verify.report import Unusable
from tests.auditlog.evidence.packs import (
    alter_manifest,
    begin,
    fill,
    mark,
    read,
    rewrite,
    verify,
    write,
)
from tests.auditlog.sending import append, make_sender

pytestmark = pytest.mark.django_db


def test_a_pack_of_a_whole_log_is_verified(tmp_path: Path) -> None:
    log = fill()
    mark(5)
    verdict = verify(write(tmp_path / "a.zip"), keys.verifiers(log))
    assert (verdict.failures, verdict.warnings) == ([], [])
    assert verdict.manifest["count"] == 300
    assert verdict.manifest["made_by"] == "ada"


def test_without_a_key_it_is_only_consistent_with_itself(tmp_path: Path) -> None:
    fill(20)
    verdict = verify(write(tmp_path / "a.zip", "proto:nslip"))
    assert verdict.failures == []
    assert [warning[:16] for warning in verdict.warnings] == ["No key was given"]


def test_the_key_of_another_log_fails(tmp_path: Path) -> None:
    fill(20)
    other = note.generate("example.com/log/default").verifier
    verdict = verify(write(tmp_path / "a.zip"), [other])
    assert any(failure.startswith("checkpoint: ") for failure in verdict.failures)


def test_the_first_signed_tree_is_in_the_pack_with_its_proof(tmp_path: Path) -> None:
    log = fill(20)
    write(tmp_path / "first.zip")
    fill(300)
    path = write(tmp_path / "a.zip", "leaf:30..40")
    verdict = verify(path, keys.verifiers(log))
    assert {"first-checkpoint", "consistency"} <= read(path).keys()
    assert (verdict.failures, verdict.warnings) == ([], [])
    assert verdict.manifest["count"] == 11


def test_a_pack_is_pinned(tmp_path: Path) -> None:
    log = fill(20)
    mark(5)
    fill(20)
    mark(6)
    verdict = verify(write(tmp_path / "a.zip", at=22), keys.verifiers(log))
    assert (verdict.failures, verdict.warnings) == ([], [])
    found = verdict.manifest
    assert (found["count"], found["about"], found["selection"]["at"], found["size"]) == (
        20, 2, 22, 43,
    )  # fmt: skip


def test_the_same_pack_has_the_same_members(tmp_path: Path) -> None:
    fill(20)
    one, other = write(tmp_path / "a.zip", "goal:4*"), write(tmp_path / "b.zip", "goal:4*")
    assert one.read_bytes() == other.read_bytes()


def test_an_empty_search_is_a_pack_too(tmp_path: Path) -> None:
    log = fill(20)
    verdict = verify(write(tmp_path / "a.zip", "nothing-has-this"), keys.verifiers(log))
    assert (verdict.failures, verdict.manifest["count"]) == ([], 0)


def test_another_tool_reads_the_zip(tmp_path: Path) -> None:
    fill(20)
    with zipfile.ZipFile(write(tmp_path / "a.zip")) as file:
        assert file.testzip() is None
        assert file.namelist() == ["README.txt", "checkpoint", "entries.ndjson", "manifest.json"]
        assert all(info.date_time == (1980, 1, 1, 0, 0, 0) for info in file.infolist())
        lines = file.read("entries.ndjson").splitlines()
    assert len([json.loads(line) for line in lines]) == 22


def test_the_pack_counts_what_it_wrote() -> None:
    fill(20)
    pack = begin("leaf:2..9")
    assert (pack.done, pack.total, pack.is_finished) == (0, None, False)
    assert b"".join(pack.write())
    assert (pack.done, pack.total, pack.is_finished) == (8, 8, True)


def test_withheld_content_is_a_warning(tmp_path: Path) -> None:
    log = fill(20)
    mark(5)
    path = write(tmp_path / "a.zip", withheld=("by", "raw"))
    verdict = verify(path, keys.verifiers(log))
    assert (verdict.failures, len(verdict.warnings)) == ([], 1)
    assert b"user:ada" not in read(path)["entries.ndjson"]


def test_an_undone_decision_is_in_the_pack(tmp_path: Path) -> None:
    log = fill(20)
    step = mark(5)
    review.undo(steps=[step], who=User.objects.get())
    path = write(tmp_path / "a.zip")
    assert verify(path, keys.verifiers(log)).failures == []
    assert b'\\"undoes\\":21' in read(path)["entries.ndjson"]


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"count": 19}, "manifest.json: 'count' is 19"),
        ({"about": 2}, "manifest.json: 'about' is 2"),
        ({"origin": "example.com/log/other"}, "checkpoint: "),
        ({"log": "other"}, "entries.ndjson, line 1, leaf 0: The leaf is from another log"),
        ({"members": {}}, "entries.ndjson: Its digest does not match the manifest"),
        ({"withheld": ["by"]}, "entries.ndjson, line 1, leaf 0, by: The manifest says"),
        ({"keys": []}, "manifest.json: The pack has none of the keys"),
    ],
)
def test_another_manifest_fails_by_its_place(
    tmp_path: Path, change: dict[str, Any], place: str
) -> None:
    log = fill(20)
    members = alter_manifest(read(write(tmp_path / "a.zip")), change)
    failures = verify(rewrite(tmp_path / "b.zip", members), keys.verifiers(log)).failures
    assert [failure for failure in failures if failure.startswith(place)]


def test_another_character_of_the_manifest_fails(tmp_path: Path) -> None:
    log = fill(20)
    members = read(write(tmp_path / "a.zip"))
    members["manifest.json"] = members["manifest.json"].replace(b'"ada"', b'"adb"')
    verdict = verify(rewrite(tmp_path / "b.zip", members), keys.verifiers(log))
    assert verdict.failures == ["manifest.json: It was changed: its sum does not match."]


def test_a_missing_line_fails(tmp_path: Path) -> None:
    log = fill(20)
    members = read(write(tmp_path / "a.zip"))
    lines = members["entries.ndjson"].split(b"\n")
    members["entries.ndjson"] = b"\n".join(lines[:4] + lines[5:])
    with pytest.raises(Unusable, match="line 5 has the wrong number of hashes"):
        verify(rewrite(tmp_path / "b.zip", members), keys.verifiers(log))


def test_a_range_is_complete_or_fails(tmp_path: Path) -> None:
    log = fill(20)
    members = read(write(tmp_path / "a.zip", "leaf:3..5"))
    found = json.loads(members["manifest.json"])["selection"]
    members = alter_manifest(members, {"selection": found | {"last": 6}})
    verdict = verify(rewrite(tmp_path / "b.zip", members), keys.verifiers(log))
    assert "entries.ndjson: The range lacks 1 leaf." in verdict.failures


def test_what_cannot_be_answered_is_refused() -> None:
    log = fill(5)
    with pytest.raises(QueryError):
        selection.begin(log, "leaf:(")
    with pytest.raises(BadPin):
        selection.begin(log, "", at=7)
    with pytest.raises(BadPin):
        selection.begin(logs.create(slug="empty"), "")


def test_a_tree_that_is_too_small_for_the_packets_proves_none_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fill(20)
    size = begin().signed.size

    def refuse(_: Log) -> Checkpoint:
        raise checkpoints.NotSigned("It stopped.")

    monkeypatch.setattr(checkpoints, "sign_now", refuse)
    assert begin().signed.size == size
    append(Item("REQ/TSK|g=1"), sender=make_sender())
    assert begin(at=size).signed.size == size
    with pytest.raises(NoCheckpoint, match="It stopped"):
        begin()
