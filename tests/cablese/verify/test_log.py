"""A whole log is verified, and each file of it that is not right is named."""

import json
import random
from base64 import b64encode
from pathlib import Path

import pytest

from cablese.amount import leaves
from cablese.verify import log
from cablese.verify.command import main
from cablese.verify.mirror.folder import Folder
from cablese.verify.report import FAILED, VERIFIED, WARNED, Report, Unusable
from tests.cablese.verify.mirror.logs import (
    KEY,
    KEYS,
    Files,
    make_leaves,
    make_log,
    serve,
    sign,
    write_log,
)

SMALL = make_log(make_leaves(700))
LARGE = make_log(make_leaves(66_000))


class Held:
    """The files of a log in memory."""

    def __init__(self, files: Files) -> None:
        self.files = files

    def get(self, path: str, limit: int) -> bytes | None:
        return self.files.get(path)

    def close(self) -> None:
        pass


def verify(files: Files) -> Report:
    report = Report("log")
    log.verify_log(Held(files), KEYS, report)
    return report


@pytest.mark.parametrize("size", [0, 1, 255, 256, 257, 1000])
def test_a_right_log_is_verified(size: int) -> None:
    report = verify(make_log(make_leaves(size)))
    assert (report.code, report.failures) == (VERIFIED, [])
    assert f"The log had {leaves(size)}." in report.facts[-1]


@pytest.mark.parametrize("path", sorted(SMALL.keys() - {"checkpoint"}))
def test_each_changed_file_is_named(path: str) -> None:
    for changed in (spoil(path, SMALL[path]), SMALL[path][:-1], SMALL[path] + b"\0"):
        check_that_it_is_named(path, SMALL | {path: changed})
    check_that_it_is_named(path, {one: SMALL[one] for one in SMALL if one != path})


@pytest.mark.parametrize(
    "path",
    ["tile/2/000.p/1", "tile/1/000", "tile/1/001.p/1", "tile/0/000", "tile/0/256",
     "tile/0/257.p/208", "tile/entries/255", "tile/entries/257.p/208"],
)  # fmt: skip
def test_each_changed_file_of_a_tree_with_three_levels_is_named(path: str) -> None:
    check_that_it_is_named(path, LARGE | {path: spoil(path, LARGE[path])})


def spoil(path: str, data: bytes) -> bytes:
    changed = bytearray(data)
    changed[random.Random(path).randrange(len(data))] ^= 1
    return bytes(changed)


def check_that_it_is_named(path: str, files: Files) -> None:
    report = verify(files)
    assert report.code == FAILED
    assert path in {place for place, _ in report.failures}
    assert len(report.failures) <= 3


def test_leaves_that_were_exchanged_are_named_and_many_failures_are_counted() -> None:
    files = make_log(make_leaves(40_000))
    for number in range(156):
        path = f"tile/entries/{number:03}"
        files[path] = files[path].replace(b"leaf", b"LEAF")
    report = verify(files)
    assert (len(report.failures), report.more) == (100, 56)
    assert report.failures[3] == (
        "tile/entries/003",
        "Leaf 768 is not the one in the signed tree. 255 more in this bundle are not.",
    )


@pytest.mark.parametrize("text", [b"", b"\xff", b"a\n1\n\n\xe2\x80\x94 a b\n"])
def test_a_checkpoint_that_nobody_signed_fails(text: bytes) -> None:
    report = verify(SMALL | {"checkpoint": text})
    assert [place for place, _ in report.failures] == ["checkpoint"]
    with pytest.raises(Unusable):
        verify({})


def signing_key(act: str, public: bytes) -> bytes:
    found = {"act": act, "kind": "signing-key", "public": b64encode(public).decode(), "v": 2}
    return json.dumps(found, separators=(",", ":")).encode()


OWN, OTHER = KEYS[0].public, bytes(32)


@pytest.mark.parametrize(
    ("events", "code", "words"),
    [
        ([], VERIFIED, ""),
        ([("add", OWN)], VERIFIED, "The log names the key that signed it."),
        ([("add", OTHER), ("add", OWN), ("retire", OTHER)], VERIFIED, "The log names the key"),
        ([("add", OTHER)], WARNED, "signed this tree, but the log does not name it."),
        (
            [("add", OWN), ("retire", OWN)],
            WARNED,
            "but leaf 301 retired it.",
        ),
    ],
)
def test_the_log_should_name_the_key_that_signed_it(
    events: list[tuple[str, bytes]], code: int, words: str
) -> None:
    leaves = [*make_leaves(300), *(signing_key(act, public) for act, public in events)]
    report = verify(make_log(leaves))
    assert report.code == code
    assert any(words in one for one in [*report.facts, *report.warnings])


def test_a_log_must_contain_what_it_had(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "kept"
    with serve(make_log(make_leaves(700))) as served:
        for size, word, code in ((300, "leaf", 0), (300, "other", 1), (701, "leaf", 1)):
            kept.write_bytes(sign(make_leaves(size, word)))
            assert main([served.url, "--key", KEY, "--contains", str(kept)]) == code
    said = capsys.readouterr().out
    assert "It contains 1 earlier checkpoint, from 300 leaves on." in said
    assert "The log forked: its first 300 leaves" in said
    assert "The log shrank: it had 701 leaves, and now has 700." in said


def test_the_checkpoints_that_a_mirror_kept_are_verified(tmp_path: Path) -> None:
    write_log(tmp_path, make_log(make_leaves(700)))
    for size in (256, 300, 700):
        write_log(tmp_path, {f"checkpoints/{size}": sign(make_leaves(size))})
    report = Report("log")
    log.verify_log(Folder(tmp_path), KEYS, report)
    assert report.code == VERIFIED
    assert "It contains 3 earlier checkpoints, from 256 leaves on." in report.facts
    write_log(tmp_path, {"checkpoints/301": sign(make_leaves(301, "other"))})
    write_log(tmp_path, {"checkpoints/302": b"nothing"})
    log.verify_log(Folder(tmp_path), KEYS, report)
    assert {place for place, _ in report.failures} == {"checkpoint", "checkpoints/302"}
