import os
import threading
from pathlib import Path

import pytest

from auditlog.ingest.body import CutOff
from playground.server.front.arriving.spool import HEAD, Spool


def feed(spool: Spool, data: bytes, piece: int = 10_000) -> None:
    for at in range(0, len(data), piece):
        if spool.feed(data[at : at + piece]):
            spool.flush()
    spool.flush()


@pytest.mark.parametrize("size", [0, 1, HEAD - 1, HEAD, HEAD + 1, 3 * HEAD + 7])
@pytest.mark.parametrize("block", [1_000, HEAD, -1])
def test_what_is_fed_is_read(tmp_path: Path, size: int, block: int) -> None:
    sent, spool, received = os.urandom(size), Spool(tmp_path), b""
    feed(spool, sent)
    spool.end()

    while piece := spool.read(block):
        received += piece

    assert received == sent
    assert spool.size == size
    spool.close()


def test_a_body_that_was_cut_says_so_after_its_last_byte(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    feed(spool, b"abc")
    spool.end(cut=True)

    assert spool.read(2) == b"ab"
    assert spool.read(2) == b"c"
    assert spool.read(0) == b""
    for _ in range(2):
        with pytest.raises(CutOff, match="The body ended early"):
            spool.read(2)


def test_a_small_body_stays_in_memory_and_a_large_one_has_no_name(tmp_path: Path) -> None:
    small, large = Spool(tmp_path), Spool(tmp_path)
    before = open_files()

    feed(small, bytes(HEAD))
    assert open_files() == before
    feed(large, bytes(HEAD + 1))

    assert open_files() == before + 1
    assert list(tmp_path.iterdir()) == []
    large.close()
    assert open_files() == before


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_a_reader_waits_for_what_comes_and_steps_aside_meanwhile(tmp_path: Path) -> None:
    spool, waits = Spool(tmp_path), threading.Event()
    backs: list[bool] = []
    received: list[bytes] = []
    spool.aside, spool.back = waits.set, lambda: backs.append(waits.is_set())
    reader = threading.Thread(target=lambda: received.append(spool.read(6)))
    reader.start()
    assert waits.wait(10)

    spool.feed(b"abc")
    spool.feed(b"defghi")
    reader.join(10)

    assert received == [b"abcdef"]
    assert backs == [True]


def test_a_body_that_ends_early_is_short(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    spool.feed(b"abc")
    spool.end()

    assert (spool.read(10), spool.read(10)) == (b"abc", b"")


class SlowDisk:
    """A disk whose writes wait until they may go on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun, self.go_on = threading.Event(), threading.Event()
        self.writes: list[tuple[int, int]] = []
        monkeypatch.setattr(os, "pwrite", self._write)

    def _write(self, file: int, data: bytes, at: int) -> int:
        self.begun.set()
        assert self.go_on.wait(10)
        os.fstat(file)
        self.writes.append((at, len(data)))
        return len(data)


def test_a_file_that_a_thread_writes_is_closed_after_the_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk, spool, before = SlowDisk(monkeypatch), Spool(tmp_path), open_files()
    spool.feed(bytes(HEAD + 1))
    writer = threading.Thread(target=spool.flush)
    writer.start()
    assert disk.begun.wait(10)

    spool.close()
    assert open_files() == before + 1
    disk.go_on.set()
    writer.join()

    assert disk.writes == [(0, 1)]
    assert open_files() == before
    spool.flush()
    assert disk.writes == [(0, 1)]


def test_two_threads_that_flush_write_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk, spool = SlowDisk(monkeypatch), Spool(tmp_path)
    spool.feed(bytes(HEAD + 1))
    writers = [threading.Thread(target=spool.flush) for _ in range(2)]
    for writer in writers:
        writer.start()
    assert disk.begun.wait(10)
    disk.go_on.set()
    for writer in writers:
        writer.join()

    assert disk.writes == [(0, 1)]
    spool.close()


def test_what_the_disk_takes_in_parts_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.pwrite
    monkeypatch.setattr(os, "pwrite", lambda file, data, at: write(file, data[:1000], at))
    sent, spool = os.urandom(HEAD + 2_500), Spool(tmp_path)

    for at in (0, HEAD + 1_500):
        spool.feed(sent[at : at + HEAD + 1_500])
        spool.flush()
    spool.end()

    assert spool.read() == sent
    spool.close()
