"""Messages between the serving process and a helper: four bytes of length, then the content."""

import socket

LIMIT = 64 * 1024 * 1024
"""Bytes of a message."""
_LENGTH = 4


class Ended(OSError):
    """The other process has closed its end, or ended."""


def send(end: socket.socket, content: bytes) -> None:
    """Send a message. Raises OSError."""
    if len(content) > LIMIT:
        raise OSError("The message is too large.")
    end.sendall(len(content).to_bytes(_LENGTH, "big"))
    end.sendall(content)


def receive(end: socket.socket) -> bytearray:
    """Wait for a message. Raises OSError; Ended if there will be none."""
    length = int.from_bytes(_read(end, _LENGTH), "big")
    if length > LIMIT:
        raise OSError("The message is too large.")
    return _read(end, length)


def _read(end: socket.socket, size: int) -> bytearray:
    content = bytearray(size)
    rest = memoryview(content)
    while rest:
        read = end.recv_into(rest)
        if not read:
            raise Ended
        rest = rest[read:]
    return content
