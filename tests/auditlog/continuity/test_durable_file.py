"""Files that are whole and on disk, or not there."""

from pathlib import Path

import pytest

from auditlog.continuity import durable_file


def test_a_file_replaces_the_one_before_and_leaves_no_draft(tmp_path: Path) -> None:
    place = tmp_path / "signed" / "default"
    for data in (b"one", b"two"):
        durable_file.write(place, data)
        assert place.read_bytes() == data
    assert [*place.parent.iterdir()] == [place]


def test_only_its_owner_can_read_it(tmp_path: Path) -> None:
    place = tmp_path / "keys" / "default"
    durable_file.write(place, b"secret")
    assert place.stat().st_mode & 0o777 == 0o600
    assert place.parent.stat().st_mode & 0o777 == 0o700


def test_the_draft_of_a_process_that_was_killed_is_not_used(tmp_path: Path) -> None:
    draft = tmp_path / "@new-default"
    draft.write_bytes(b"half of another")
    draft.chmod(0o644)
    durable_file.write(tmp_path / "default", b"new")
    assert (tmp_path / "default").read_bytes() == b"new"
    assert (tmp_path / "default").stat().st_mode & 0o777 == 0o600


def test_a_new_file_never_replaces_another(tmp_path: Path) -> None:
    place = tmp_path / "default"
    durable_file.write(place, b"one", new=True)
    with pytest.raises(FileExistsError):
        durable_file.write(place, b"two", new=True)
    assert place.read_bytes() == b"one"
    assert [*tmp_path.iterdir()] == [place]


def test_it_is_on_disk_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, seen = tmp_path / "default", []
    monkeypatch.setattr("os.fsync", lambda _: seen.append(place.exists()))
    durable_file.write(place, b"one")
    assert seen == [False, True]
