"""The body of a response of a model's endpoint, read up to the limits of its size and time.

`openai` would read a body of any length into memory, and its timeout restarts with every byte.
"""

import time
from collections.abc import Iterator

import httpx2
import openai

LIMIT = 1024 * 1024
"""Bytes of a response, with all that the protocol has around the answer."""


class Unread(Exception):
    """The body is not read. The message is the reason."""


class ResponseBody(httpx2.SyncByteStream):
    """A body that ends with Unread or ReadTimeout at its limits."""

    def __init__(self, whole: httpx2.SyncByteStream, seconds: float) -> None:
        self._whole = whole
        self._end = time.monotonic() + seconds

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for block in self._whole:
            size += len(block)
            if size > LIMIT:
                raise Unread(
                    f"The model endpoint's response is larger than the limit of {LIMIT:,} bytes."
                )
            if time.monotonic() > self._end:
                raise httpx2.ReadTimeout("The time for the whole body is over.")
            yield block

    def close(self) -> None:
        self._whole.close()


def client(seconds: float) -> httpx2.Client:
    """Return a client whose responses are read up to the limits."""

    def bound(response: httpx2.Response) -> None:
        if response.headers.get("Content-Encoding", "identity") != "identity":
            # A body could be a thousand times as long as what was compressed.
            raise Unread("The model endpoint's response is compressed, which was not requested.")
        assert isinstance(response.stream, httpx2.SyncByteStream)
        response.stream = ResponseBody(response.stream, seconds)

    # A redirect would send the key and the prompt to a server that is not configured.
    return openai.DefaultHttpxClient(
        follow_redirects=False,
        headers={"Accept-Encoding": "identity"},
        event_hooks={"response": [bound]},
    )
