"""Security events: who signed in, which key was refused, which rule was changed. One JSON object a
line.

All of them go through `record` to the logger `cablese.security`, which writes to `security.log` in
the data directory. A line holds names, IDs and addresses: never a secret, a message, or more of a
key than its ID.
"""

import errno
import json
import logging
import os
import sys
from datetime import UTC, datetime
from io import TextIOWrapper
from logging.handlers import WatchedFileHandler
from pathlib import Path
from typing import Any

NAME = "cablese.security"
FILE = "security.log"
LONGEST = 200
"""Characters of a value that are logged."""
EVENTS = {
    "signin.link_made": "a sign-in link was created for a person",
    "signin.accepted": "a person signed in with a link",
    "signin.refused": "a link was refused: already used, expired, or unknown",
    "session.ended": "a session ended; the reason is signed_out, idle, age, or command",
    "person.made": "an account was created",
    "person.disabled": "an account was disabled, and its sessions and links ended",
    "person.enabled": "an account was enabled again",
    "person.admin_granted": "a person was made an administrator",
    "person.admin_removed": "a person is no longer an administrator",
    "key.made": "an API key was created",
    "key.rotated": "an API key was replaced by a successor, and expires",
    "key.revoked": "an API key was revoked",
    "key.refused": "an API key was refused; the reason is malformed, unknown, expired, or revoked",
    "right.refused": "a person or a key lacked the right for a request",
    "form.refused": "a form was sent without our own page's token",
    "pace.refused": "an address sent more requests than its limit allows",
    "rule.changed": "a SACP definition or an AACP rule was added, changed, or withdrawn",
    "search.saved": "a search was saved",
    "search.changed": "a saved search was renamed or updated",
    "search.deleted": "a saved search was deleted",
    "packet.erased": "packets were erased from a log",
    "pad.ended": "a live session ended because its key expired or was revoked",
}

_logger = logging.getLogger(NAME)


def record(event: str, **facts: str | int | None) -> None:
    """Log one of `EVENTS` with its facts, without those that are None."""
    assert event in EVENTS, event
    _logger.info(
        event, extra={"facts": {name: value for name, value in facts.items() if value is not None}}
    )


class SecurityLine(logging.Formatter):
    """A line of JSON: the time in UTC, the event, then its facts. ASCII, so that nothing in it
    breaks the line.
    """

    def format(self, entry: logging.LogRecord) -> str:
        at = (
            datetime.fromtimestamp(entry.created, UTC)
            .isoformat(timespec="milliseconds")
            .replace("+00:00", "Z")
        )
        facts = {name: _short(value) for name, value in vars(entry).get("facts", {}).items()}
        return json.dumps({"at": at, "event": entry.getMessage(), **facts})


class SecurityFile(WatchedFileHandler):
    """A file for its owner only, opened again when a tool has moved it away. Where it fails, stderr
    gets the line.
    """

    def _open(self) -> TextIOWrapper:
        Path(self.baseFilename).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(self.baseFilename, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        return TextIOWrapper(os.fdopen(handle, "ab", 0), encoding="ascii", write_through=True)

    def emit(self, record: logging.LogRecord) -> None:
        try:
            self.reopenIfNeeded()
            self._append(f"{self.format(record)}\n".encode("ascii"))
        except OSError:
            self.handleError(record)

    def _append(self, line: bytes) -> None:
        """Write a line in one call, so that lines of several processes do not mix. A full disk can
        take its beginning only: the next line then begins below it.
        """
        if self.stream is None:
            self.stream = self._open()
            self._statstream()
        handle = self.stream.fileno()
        size = os.fstat(handle).st_size
        if size and os.pread(handle, 1, size - 1) != b"\n":
            line = b"\n" + line
        if os.write(handle, line) < len(line):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  (the name is logging's)
        error = sys.exc_info()[1]
        sys.stderr.write(
            f"{FILE} cannot be written ({type(error).__name__}): {self.format(record)}\n"
        )


def _short(value: Any) -> Any:
    return f"{value[:LONGEST]}…" if isinstance(value, str) and len(value) > LONGEST else value
