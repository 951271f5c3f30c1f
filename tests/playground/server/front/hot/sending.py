"""Send the odd requests to an installation, and take down what it answers, logs, and stores."""

import json
import re
import select
import socket
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from typing import NamedTuple
from urllib.parse import urlsplit

from auditlog import securitylog
from tests.installation import Installation
from tests.playground.server.front.hot.odd.steps import KEYS, Case, Change, Request

PAUSE = 0.1
"""Seconds in which an interim answer may come between two parts of a request."""
_MASKS = (
    (rb"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", b"<packet>"),
    (rb"(?<![0-9A-Za-z])[0-9a-f]{64}(?![0-9A-Za-z])", b"<hash>"),
    (rb'"leaf":\d+', b'"leaf":<leaf>'),
    (rb"as leaf \d+ of", b"as leaf <leaf> of"),
    (rb"(?<=x-request-id: )[0-9a-f]+", b"<request>"),
    (rb"(?<=date: )[^\r]+", b"<date>"),
    (rb"(?<=retry-after: )\d+", b"<seconds>"),
    (rb'(?<="requests";)r=\d+;t=\d+', b"r=<requests>;t=<seconds>"),
)
_CHANGES = {
    "revoke": "UPDATE auditlog_apikey SET revoked = '2020-01-01 00:00:00' WHERE id = ?",
    "expire": "UPDATE auditlog_apikey SET expires = '2020-01-01 00:00:00' WHERE id = ?",
    "narrow": "UPDATE auditlog_apikey SET scopes = 'read' WHERE id = ?",
}
_STORED = """\
SELECT g.slug, hex(p.wire), p.protocol, p.dialect, p.valid, p.diagnostics, p.meaning, p.supplied,
    hex(p.canonical), hex(p.content), p.sent_at, p.event_id, p.tokens, p.tokens_json, s.name,
    length(p.key_id), p.user_id, l.kind
FROM auditlog_packet p JOIN auditlog_log g ON g.id = p.log_id
JOIN auditlog_source s ON s.id = p.source_id
JOIN auditlog_leaf l ON l.log_id = p.log_id AND l."index" = p.leaf
ORDER BY g.slug, p.leaf"""
_CONFLICTS = "SELECT hex(wire), hex(facts), length(key_id) FROM auditlog_conflict ORDER BY received"
_USED = (
    "SELECT s.name, last_used IS NULL FROM auditlog_apikey k JOIN auditlog_source s "
    "ON s.id = k.source_id ORDER BY s.name"
)

_UNMARKED = (
    "SELECT 1 FROM auditlog_apikey k JOIN auditlog_packet p ON p.key_id = k.id "
    "WHERE k.last_used IS NULL"
)


class Answer(NamedTuple):
    """A response without what differs from one to the next, its headers in order."""

    status: int
    headers: tuple[bytes, ...]
    body: bytes


class Sender:
    """A client of one installation, which makes the log and the keys that the cases use."""

    def __init__(self, installation: Installation) -> None:
        self.installation = installation
        installation.manage("log", "create", "team")
        self._words = {b"<host>": urlsplit(installation.base_url).netloc.encode()}
        self.ids: dict[str, str] = {}
        for name, (source, scopes, *more) in KEYS.items():
            key = installation.manage("apikey", "create", source, "--scopes", scopes, *more)
            self._words[f"<{name}>".encode()] = key.encode()
            self.ids[name] = key.split("_")[2]
        self.change(Change("revoke", "revoked"))
        self.change(Change("expire", "expired"))

    def run(self, cases: Iterable[Case]) -> Iterator[tuple[str, list[list[Answer]]]]:
        """Send the requests of each case, from an address of its own; the answers of each."""
        for number, one in enumerate(cases, 256):
            address = f"127.1.{number >> 8}.{number & 255}"
            answers = []
            for step in one.steps:
                if isinstance(step, Change):
                    self.change(step)
                else:
                    answers.append(self.send(step, address))
            yield one.name, answers

    def change(self, step: Change) -> None:
        with closing(self._database()) as database, database:
            changed = database.execute(_CHANGES[step.what], (self.ids[step.key],))
            assert changed.rowcount == 1

    def send(self, request: Request, address: str) -> list[Answer]:
        """Send a request and return everything that is answered before the connection ends."""
        place = urlsplit(self.installation.base_url)
        with socket.create_connection(
            (str(place.hostname), place.port or 0), timeout=60, source_address=(address, 0)
        ) as wire:
            for at, part in enumerate(request.parts):
                if at:
                    select.select([wire], [], [], PAUSE)
                try:
                    wire.sendall(_fill(part, self._words))
                except OSError:  # it answers before it has read everything
                    break
            return list(_answers(_receive(wire), head_only=request.head_only))

    def stored(self) -> list[tuple[object, ...]]:
        """Return everything that was stored, without what differs."""
        with closing(self._database()) as database:
            return [
                row
                for statement in (_STORED, _CONFLICTS, _USED)
                for row in database.execute(statement).fetchall()
            ]

    def is_waiting(self) -> bool:
        """Return whether a key has stored a packet and is not marked as used yet."""
        with closing(self._database()) as database:
            return bool(database.execute(_UNMARKED).fetchone())

    def security(self) -> list[dict[str, object]]:
        """Return the lines of the security log, with the names of keys."""
        names = {value: name for name, value in self.ids.items()}
        lines = (self.installation.data / securitylog.FILE).read_text().splitlines()
        found = [json.loads(line) for line in lines]
        for one in found:
            one["key"] = names.get(one.get("key"), one.get("key"))
            del one["at"]
        return found

    def _database(self) -> sqlite3.Connection:
        return sqlite3.connect(self.installation.data / "cablese.sqlite3", timeout=20)


def _fill(part: bytes, words: Mapping[bytes, bytes]) -> bytes:
    for word, value in words.items():
        part = part.replace(word, value)
    return part


def _receive(wire: socket.socket) -> bytes:
    received = b""
    while True:
        try:
            piece = wire.recv(1 << 16)
        except ConnectionResetError:
            return received
        if not piece:
            return received
        received += piece


def _answers(received: bytes, *, head_only: bool) -> Iterator[Answer]:
    while received:
        head, _, received = received.partition(b"\r\n\r\n")
        first, *headers = _mask(head.lower()).split(b"\r\n")
        status = int(first.split()[1])
        found = re.search(rb"(?i)\r\ncontent-length: (\d+)", head)
        size = int(found[1]) if found and not head_only and status != 100 else 0
        body, received = received[:size], received[size:]
        # The length counts the digits of masked numbers.
        kept = [line for line in headers if not line.startswith(b"content-length")]
        yield Answer(status, tuple(sorted(kept)), _mask(body))


def _mask(said: bytes) -> bytes:
    for pattern, instead in _MASKS:
        said = re.sub(pattern, instead, said)
    return said
