"""Make the files for decoding in the browser: `python -m playground.offline.build`.

Pyodide and msgspec for it come from the registries, without the modules of Python that nothing
here imports; the tokenizer too. Our own files and the libraries come from this environment.
"""

import gzip
import hashlib
import io
import json
import os
import shutil
import sys
import tarfile
import zipfile
from pathlib import Path

import django

from cablese.tokens import vocabulary
from playground.offline import built, bundle, downloads
from playground.server.environment import BASE_DIR

LIMIT = 9_000_000
"""Bytes that a browser downloads once."""
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
STDLIB = "python_stdlib.zip"
TOKENIZER = (
    "BytePairEncodingCore.js", "constants.js",
    "encodingParams/cl100k_base.js", "encodingParams/constants.js", "encodingParams/o200k_base.js",
    "specialTokens.js", "utfUtil.js", "util.js",
)  # fmt: skip
VOCABULARIES = ("o200k_base", "cl100k_base")
UNUSED = (
    "_pyio.py", "antigravity.py", "bdb.py", "cProfile.py", "cmd.py", "code.py",
    "compileall.py", "ctypes/", "curses/", "dbm/", "doctest.py", "ensurepip/", "ftplib.py",
    "http/server.py", "idlelib/", "imaplib.py", "mailbox.py", "modulefinder.py",
    "netrc.py", "optparse.py", "pdb.py", "pickletools.py", "plistlib.py", "poplib.py", "profile.py",
    "pstats.py", "pty.py", "pyclbr.py", "rlcompleter.py", "sched.py", "shelve.py", "smtplib.py",
    "tabnanny.py", "this.py", "timeit.py", "trace.py", "tracemalloc.py", "tty.py", "unittest/",
    "venv/", "wave.py", "webbrowser.py", "wsgiref/simple_server.py", "xmlrpc/", "zipapp.py",
)  # fmt: skip
ENCODINGS = (
    "__init__",
    "aliases",
    "ascii",
    "cp437",
    "idna",
    "latin_1",
    "punycode",
    "unicode_escape",
)


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playground.settings")
    # The files may be required, and are not there yet.
    os.environ["CABLESE_OFFLINE"] = "off"
    django.setup()
    try:
        made = build()
    except downloads.Unavailable as reason:
        sys.stderr.write(f"Can't make the files for decoding in the browser. {reason}\n")
        return 1
    sys.stdout.write(f"Decoding in the browser: {made.megabytes} MB in {built.FOLDER}\n")
    return 0


def build() -> built.Built:
    """Make the files, unless these very files are there. Raises downloads.Unavailable."""
    if (there := built.current()) is not None:
        return there
    files = dict(sorted(_files().items()))
    packed = {name: gzip.compress(content, 9, mtime=0) for name, content in files.items()}
    size = sum(map(len, packed.values()))
    if size > LIMIT:
        raise downloads.Unavailable(f"They have {size:,} bytes, over the limit of {LIMIT:,}.")
    digest = hashlib.sha256()
    for name, content in files.items():
        digest.update(name.encode() + hashlib.sha256(content).digest())
    folder = digest.hexdigest()[:16]
    shutil.rmtree(built.FOLDER, ignore_errors=True)
    for name, content in files.items():
        path = built.FOLDER / folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.with_name(f"{path.name}.gz").write_bytes(packed[name])
    names = tuple(f"offline/python/{folder}/{name}" for name in files)
    made = built.Built(f"offline/python/{folder}/", names, size, built.digest_sources())
    built.INDEX.write_text(json.dumps(made._asdict()))
    built.current.cache_clear()
    return made


def _files() -> dict[str, bytes]:
    pyodide = _unpack(downloads.get(downloads.PYODIDE))
    tokenizer = _unpack(downloads.get(downloads.TOKENIZER))
    own = BASE_DIR / "static" / "offline"
    return {
        **{name: pyodide[f"package/{name}"] for name in PYODIDE},
        "stdlib.zip": _trim(pyodide[f"package/{STDLIB}"]),
        **{f"gpt-tokenizer/{name}": tokenizer[f"package/esm/{name}"] for name in TOKENIZER},
        **{f"gpt-tokenizer/bpeRanks/{name}.js": _rank(name) for name in VOCABULARIES},
        "tokenizer.js": (own / "tokenizer.js").read_bytes(),
        "msgspec.whl": downloads.get(downloads.MSGSPEC).read_bytes(),
        "cablese.tar.xz": bundle.pack(),
    }


def _rank(name: str) -> bytes:
    """Return a vocabulary as the tokenizer reads it: the text of each token, or its bytes.

    The tokenizer's own files have tokens that begin with U+FEFF without it.
    """
    spelled: list[str | list[int]] = []
    for token in vocabulary.carried(name).token_byte_values():
        try:
            spelled.append(token.decode())
        except UnicodeDecodeError:
            spelled.append(list(token))
    return f"export default {json.dumps(spelled, ensure_ascii=False)};\n".encode()


def _unpack(path: Path) -> dict[str, bytes]:
    with tarfile.open(path) as archive:
        return {
            entry.name: file.read() for entry in archive if (file := archive.extractfile(entry))
        }


def _trim(stdlib: bytes) -> bytes:
    """Return Python's own modules without those that nothing here imports.

    They are stored as they are: the whole file is compressed on its way.
    """
    trimmed = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(stdlib)) as before,
        zipfile.ZipFile(trimmed, "w") as after,
    ):
        for entry in before.infolist():
            if not _is_unused(entry.filename):
                after.writestr(zipfile.ZipInfo(entry.filename), before.read(entry))
    return trimmed.getvalue()


def _is_unused(name: str) -> bool:
    if name.startswith("encodings/") and name.endswith(".py"):
        return Path(name).stem not in ENCODINGS and not name.startswith("encodings/utf_")
    return name.startswith(UNUSED) or name.endswith("/")


if __name__ == "__main__":
    sys.exit(main())
