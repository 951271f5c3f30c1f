"""Compare texts by meaning if the extra `embeddings` is installed.

The model loads on first use, because loading takes time and memory that other installations do not
need. It embeds one text at a time, so that many requests leave processors free. Vectors of compared
texts are cached by text.
"""

import os
from collections import OrderedDict
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playground.sacp.minilm import MiniLM, Vector

MOST_NEW = 50
"""New texts that one request may embed."""
CACHED = 4_096
"""Texts whose vectors are cached, 1.5 kB each."""
_loading = Lock()


class Unread(Exception):
    """Report the number of texts that are not embedded yet. Each request embeds some more."""

    def __init__(self, left: int) -> None:
        super().__init__(left)
        self.left = left


class Embedder:
    """The model and the vectors of the texts compared last."""

    def __init__(self, model: "MiniLM") -> None:
        self._model = model
        self._turn = Lock()
        self._known: OrderedDict[bytes, Vector | None] = OrderedDict()

    def compare(self, query: str, texts: Sequence[str]) -> list[float] | None:
        """Return the similarity of each text to the request, from -1 to 1, or None for a request
        without words. Raises Unread.
        """
        new = [text for text in texts if _key(text) not in self._known]
        if len(new) > MOST_NEW:
            for text in new[:MOST_NEW]:
                self._read(text)
            raise Unread(len(new) - MOST_NEW)
        with self._turn:
            query_vector = self._model.embed(query)
        if query_vector is None:
            return None
        vectors = map(self._read, texts)
        return [0.0 if vector is None else float(query_vector @ vector) for vector in vectors]

    def _read(self, text: str) -> "Vector | None":
        key = _key(text)
        with self._turn:
            if key not in self._known:
                self._known[key] = self._model.embed(text)
            self._known.move_to_end(key)
            vector = self._known[key]
            if len(self._known) > CACHED:
                self._known.popitem(last=False)
        return vector


def find() -> Embedder | None:
    """Return the embedder of this process, or None if the extra is not installed."""
    with _loading:
        return _load()


@cache
def _load() -> Embedder | None:
    # NumPy reads this on first import. OpenBLAS threads spin while they wait for each other: on
    # a busy machine, two threads took twenty times as long as one.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from playground.sacp.minilm import MiniLM
    except ImportError:
        return None
    return Embedder(MiniLM())


def _key(text: str) -> bytes:
    return sha256(text.encode(errors="surrogatepass")).digest()
