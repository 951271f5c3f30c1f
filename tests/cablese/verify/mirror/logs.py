"""Logs to mirror: their files are made from the definitions, and served with any fault."""

import gzip
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from cablese.tlog import checkpoint, merkle, note, tile
from cablese.tlog.checkpoint import Checkpoint
from cablese.tlog.note import Signer
from cablese.tlog.tile import ENTRIES, Tile
from tests.cablese.tlog.reading import reader

ORIGIN = "example.com/log/default"
SIGNER = note.make_signer(ORIGIN, bytes(range(32)))
KEY = note.format_verifier(SIGNER.verifier)
KEYS = [SIGNER.verifier]
Files = dict[str, bytes]


def sign(leaves: list[bytes], signer: Signer = SIGNER) -> bytes:
    read = reader([merkle.hash_leaf(leaf) for leaf in leaves])
    found = Checkpoint(signer.name, len(leaves), merkle.root(len(leaves), read))
    return note.sign(checkpoint.format_checkpoint(found), [signer]).encode()


def make_leaves(size: int, word: str = "leaf") -> list[bytes]:
    return [f"{word} {number}".encode() for number in range(size)]


def make_log(leaves: list[bytes], signer: Signer = SIGNER) -> Files:
    """Every file of a log, by its path."""
    files = {"checkpoint": sign(leaves, signer)}
    for first in range(0, len(leaves), 256):
        part = leaves[first : first + 256]
        place = Tile(ENTRIES, first // 256, len(part))
        files[tile.format_path(place)] = tile.join_entries(part)
    hashes, level = [merkle.hash_leaf(leaf) for leaf in leaves], 0
    while hashes:
        parts = [hashes[at : at + 256] for at in range(0, len(hashes), 256)]
        for number, part in enumerate(parts):
            files[tile.format_path(Tile(level, number, len(part)))] = b"".join(part)
        hashes = [merkle.hash_perfect(part) for part in parts if len(part) == 256]
        level += 1
    return files


def write_log(folder: Path, files: Files) -> Path:
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    return folder


def read_log(folder: Path) -> Files:
    """The files that a log serves. A mirror keeps a few more."""
    found = {one.relative_to(folder).as_posix(): one for one in folder.rglob("*") if one.is_file()}
    return {
        path: one.read_bytes()
        for path, one in found.items()
        if path == "checkpoint" or path.startswith("tile/")
    }


Answer = Callable[[BaseHTTPRequestHandler, str], bool]
"""Answers a request for a path in its own way, and returns whether it did."""


class Served:
    """A log on a server of this machine. `files` may be changed while it runs."""

    def __init__(self, files: Files) -> None:
        self.files = files
        self.asked: list[str] = []
        self.answer: Answer | None = None
        self.compress = False
        self.url = ""

    def respond(self, handler: BaseHTTPRequestHandler) -> None:
        path = handler.path.removeprefix("/log/default/")
        self.asked.append(path)
        if self.answer is not None and self.answer(handler, path):
            return
        data = self.files.get(path)
        if data is None:
            send(handler, 404, b"<h1>There is no such page, and this page is long</h1>" * 9)
        elif self.compress:
            send(handler, 200, gzip.compress(data), {"Content-Encoding": "gzip"})
        else:
            send(handler, 200, data)


def send(
    handler: BaseHTTPRequestHandler, status: int, data: bytes, headers: dict[str, str] | None = None
) -> None:
    handler.send_response(status)
    for name, value in (headers or {}).items():
        handler.send_header(name, value)
    handler.send_header("Content-Length", str(len(data)))
    handler.end_headers()
    try:
        handler.wfile.write(data)
        handler.wfile.flush()
    except OSError:  # the client had enough
        handler.close_connection = True


@contextmanager
def serve(files: Files) -> Iterator[Served]:
    served = Served(files)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            served.respond(self)

        def log_message(self, *words: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=[0.05])
    thread.start()
    served.url = f"http://127.0.0.1:{server.server_port}/log/default"
    try:
        yield served
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
