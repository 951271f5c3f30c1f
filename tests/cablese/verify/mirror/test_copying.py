"""A mirror copies what a log serves, goes on where it stopped, and refuses a log that lies."""

import json
import os
import signal
import subprocess
import sys
import time
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from cablese.tlog import note
from cablese.tlog.tile import ENTRIES, Tile
from cablese.verify.mirror.ahead import Ahead
from cablese.verify.mirror.command import main
from cablese.verify.mirror.folder import Folder
from tests.cablese.verify.mirror.logs import (
    KEY,
    make_leaves,
    make_log,
    read_log,
    serve,
    write_log,
)

OTHER = note.make_signer("example.com/log/other", bytes(range(32)))
OTHER_KEY = note.format_verifier(OTHER.verifier)


def run(url: str, folder: Path, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = main([url, str(folder), "--key", KEY, *words])
    return code, capsys.readouterr().out


@pytest.mark.parametrize("compress", [False, True])
@pytest.mark.parametrize("sizes", [[0, 1, 2], [255, 256, 257], [300, 300, 900, 66_000]])
def test_a_copy_is_what_the_log_serves_at_each_size(
    sizes: list[int], compress: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serve({}) as served:
        served.compress = bool(compress)
        for size in sizes:
            served.files = make_log(make_leaves(size))
            code, words = run(served.url, tmp_path, capsys)
            assert (code, read_log(tmp_path)) == (0, served.files), words
    assert Folder(tmp_path).sizes() == sorted(set(sizes))


def test_it_copies_the_checkpoint_that_it_verified(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The log grows after each answer."""
    sizes = iter(range(300, 900, 7))
    with serve({}) as served:

        def grow(_: BaseHTTPRequestHandler, path: str) -> bool:
            if path == "checkpoint":
                served.files |= make_log(make_leaves(next(sizes)))
            return False

        served.answer = grow
        for size in (300, 307, 314):
            assert run(served.url, tmp_path, capsys)[0] == 0
            assert read_log(tmp_path) == make_log(make_leaves(size))


def test_it_copies_only_what_is_new(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with serve(make_log(make_leaves(1000))) as served:
        run(served.url, tmp_path, capsys)
        served.asked.clear()
        served.files = make_log(make_leaves(1030))
        assert run(served.url, tmp_path, capsys)[0] == 0
        assert sorted(set(served.asked)) == [
            "checkpoint", "tile/0/003", "tile/0/004.p/6", "tile/1/000.p/4", "tile/entries/003",
            "tile/entries/004.p/6",
        ]  # fmt: skip


def test_a_log_need_not_have_the_partial_tiles_of_full_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It grew after the checkpoint that was read."""
    old, new = make_log(make_leaves(300)), make_log(make_leaves(512))
    with serve(
        {**new, "checkpoint": old["checkpoint"], "tile/1/000.p/1": old["tile/1/000.p/1"]}
    ) as served:
        assert run(served.url, tmp_path, capsys)[0] == 0
    assert read_log(tmp_path) == old


@pytest.mark.parametrize(
    ("leaves", "words"),
    [
        (make_leaves(600)[:599], "The log shrank: it had 600 leaves, and now has 599."),
        (make_leaves(600, "other"), "The log forked: its first 600 leaves are not"),
        (make_leaves(600)[:-1] + [b"other"] * 9, "The log forked"),
        ([], "The log shrank"),
    ],
)
def test_a_log_that_shrank_or_forked_is_refused_and_its_checkpoint_kept(
    leaves: list[bytes], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serve(make_log(make_leaves(600))) as served:
        run(served.url, tmp_path, capsys)
        copy = read_log(tmp_path)
        served.files = make_log(leaves)
        for _ in range(2):
            code, said = run(served.url, tmp_path, capsys)
            assert (code, words in said) == (1, True)
        assert read_log(tmp_path) == copy
    kept = [one.read_bytes() for one in (tmp_path / "refused").iterdir()]
    assert kept == [served.files["checkpoint"]]


def test_a_log_that_shrank_and_hides_its_tiles_is_named_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serve(make_log(make_leaves(600))) as served:
        run(served.url, tmp_path, capsys)
        served.files = {"checkpoint": make_log(make_leaves(599))["checkpoint"]}
        code, said = run(served.url, tmp_path, capsys)

    assert (code, "The log shrank: it had 600 leaves, and now has 599." in said) == (1, True)
    kept = [one.read_bytes() for one in (tmp_path / "refused").iterdir()]
    assert kept == [served.files["checkpoint"]]


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("checkpoint", "is wrong"),
        ("tile/entries/001", "tile/entries/001: Leaf 300 is not the one in the signed tree."),
        ("tile/entries/002.p/88", "tile/entries/002.p/88: Leaf 556 is not"),
        ("tile/0/002.p/88", "The signed root does not match"),
        ("tile/1/000.p/2", "The signed root does not match"),
    ],
)
def test_a_changed_file_is_refused_and_named(
    path: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = make_log(make_leaves(600))
    changed = bytearray(files[path])
    at = files[path].find(b"leaf 300") + 7 if path == "tile/entries/001" else 0
    at = files[path].find(b"leaf 556") + 7 if path.startswith("tile/entries/002") else at
    changed[at or 40] ^= 1
    with serve(files | {path: bytes(changed)}) as served:
        code, said = run(served.url, tmp_path, capsys)
        assert (code, words in said) == (1, True), said
        assert "checkpoint" not in read_log(tmp_path)
        served.files = files
        assert run(served.url, tmp_path, capsys)[0] == 0
    assert read_log(tmp_path) == files


def test_a_damaged_file_of_an_interrupted_copy_is_fetched_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = make_log(make_leaves(700))
    write_log(tmp_path, {"tile/entries/000": files["tile/entries/000"], "tile/entries/001": b"??"})
    with serve(files) as served:
        assert run(served.url, tmp_path, capsys)[0] == 0
    assert "tile/entries/000" not in served.asked
    assert read_log(tmp_path) == files


def test_another_log_or_another_key_is_no_copy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serve(make_log(make_leaves(5))) as served:
        assert run(served.url, tmp_path, capsys)[0] == 0
        served.files["checkpoint"] = make_log(make_leaves(5), OTHER)["checkpoint"]
        assert run(served.url, tmp_path, capsys)[0] == 1
        assert main([served.url, str(tmp_path / "b")]) == 2
        assert "Add --key" in capsys.readouterr().out
        assert main([served.url, str(tmp_path), "--key", KEY, "--key", OTHER_KEY]) == 2
        assert "has a copy of example.com/log/default" in capsys.readouterr().out
        assert main([served.url, str(tmp_path), "--key", OTHER_KEY]) == 2
        assert "has a checkpoint that another key signed" in capsys.readouterr().out


def test_one_mirror_at_a_time_writes_to_a_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serve(make_log(make_leaves(5))) as served, Folder(tmp_path).locked():
        code, said = run(served.url, tmp_path, capsys, "--json")
    assert (code, json.loads(said)["code"]) == (2, 2)


def test_it_goes_on_after_it_was_killed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = make_log(make_leaves(20_000))
    with serve(files) as served:
        served.answer = slow
        command = [sys.executable, "-m", "cablese.verify.mirror.command", served.url]
        running = subprocess.Popen([*command, str(tmp_path), "--key", KEY])
        while len([one for one in served.asked if "entries" in one]) < 30:
            time.sleep(0.01)
        os.kill(running.pid, signal.SIGKILL)
        assert running.wait() == -signal.SIGKILL
        copied = {path for path in read_log(tmp_path) if "entries" in path and ".new" not in path}
        assert copied
        assert "checkpoint" not in read_log(tmp_path)
        served.answer = None
        served.asked.clear()
        assert run(served.url, tmp_path, capsys)[0] == 0
    assert copied.isdisjoint(served.asked)
    assert {path: data for path, data in read_log(tmp_path).items() if ".new" not in path} == files


def slow(handler: BaseHTTPRequestHandler, path: str) -> bool:
    time.sleep(0.02)
    return False


def test_a_hundred_refused_checkpoints_are_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serve(make_log(make_leaves(600))) as served:
        run(served.url, tmp_path, capsys)
        write_log(tmp_path, {f"refused/{number}": b"" for number in range(99)})
        for size in (599, 598):
            served.files = make_log(make_leaves(size))
            assert run(served.url, tmp_path, capsys)[0] == 1

    kept = [place.read_bytes() for place in (tmp_path / "refused").iterdir()]
    assert len(kept) == 100
    assert make_log(make_leaves(599))["checkpoint"] in kept


def test_a_checkpoint_has_a_limit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with serve({"checkpoint": b"x" * (256 * 1024 + 1)}) as served:
        code, said = run(served.url, tmp_path, capsys)

    assert (code, "longer than 262,144 bytes" in said) == (2, True)


def test_eight_files_are_asked_for_ahead(tmp_path: Path) -> None:
    order = [Tile(ENTRIES, number, 256) for number in range(50)]
    with Ahead(Folder(tmp_path), order) as ahead:
        ahead.get(order[0])

        assert list(ahead._asked) == order[1:9]
