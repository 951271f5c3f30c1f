"""What is downloaded for the browser: exact versions, from the registries of this machine.

Files stay in `build/`, so that a second build needs no network. A file with another hash is
refused.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import urllib.request
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from playground.server.environment import BASE_DIR

FOLDER = BASE_DIR / "build" / "offline" / "downloads"
_PATIENCE = 120
"""Seconds for one download."""


class Unavailable(Exception):
    """A file that cannot be downloaded here. The message says why, and what to do."""


@dataclass(frozen=True)
class Tarball:
    """A package of the npm registry."""

    name: str
    version: str
    sha256: str

    @property
    def file(self) -> str:
        return f"{self.name}-{self.version}.tgz"

    def download(self, folder: Path) -> None:
        if npm := shutil.which("npm"):
            _run([npm, "pack", "--silent", f"{self.name}@{self.version}"], folder)
        elif registry := os.environ.get("npm_config_registry"):  # noqa: SIM112 - npm's own
            address = f"{registry.rstrip('/')}/{self.name}/-/{self.file}"
            _save(address, folder / self.file)
        else:
            raise Unavailable("Install npm, or name a registry in npm_config_registry.")


@dataclass(frozen=True)
class Wheel:
    """A wheel for Pyodide of a Python package."""

    name: str
    version: str
    platform: str
    python: str
    sha256: str

    @property
    def file(self) -> str:
        abi = f"cp{self.python.replace('.', '')}"
        return f"{self.name}-{self.version}-{abi}-{abi}-{self.platform}.whl"

    def download(self, folder: Path) -> None:
        # An environment that uv made has no pip.
        pip = [sys.executable, "-m", "pip"] if find_spec("pip") else ["uv", "tool", "run", "pip"]
        kind = ("--platform", self.platform, "--python-version", self.python)
        which = (*kind, "--implementation", "cp", "--no-deps", "--only-binary", ":all:")
        _run([*pip, "download", "--quiet", *which, f"{self.name}=={self.version}"], folder)


PYODIDE = Tarball(
    "pyodide", "314.0.7", "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0"
)
TOKENIZER = Tarball(
    "gpt-tokenizer", "4.0.0", "e50075c9a98389fbe59bf6b42d8d50b49c1cbd7aec6c205bfc28847ee0eeb20a"
)
MSGSPEC = Wheel(
    "msgspec",
    "0.22.0",
    "pyemscripten_2026_0_wasm32",
    "3.14",
    "a66b1766311e42371e509c996c3933b161c7ae0eabdf361af5316dec197e1022",
)


def get(wanted: Tarball | Wheel) -> Path:
    """Return the file, downloaded unless it is there. Raises Unavailable."""
    path = FOLDER / wanted.file
    if path.exists() and _sha256(path) == wanted.sha256:
        return path
    FOLDER.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    wanted.download(FOLDER)
    if not path.exists():
        raise Unavailable(f"The registry has no {wanted.file}.")
    if (found := _sha256(path)) != wanted.sha256:
        path.unlink()
        raise Unavailable(f"{wanted.file} has SHA-256 {found}. Expected {wanted.sha256}.")
    return path


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _run(command: list[str], folder: Path) -> None:
    try:
        subprocess.run(  # noqa: S603 - fixed commands
            command, cwd=folder, check=True, capture_output=True, text=True, timeout=_PATIENCE
        )
    except (OSError, subprocess.SubprocessError) as error:
        said = getattr(error, "stderr", None) or str(error)
        raise Unavailable(str(said).strip().splitlines()[-1]) from error


def _save(address: str, path: Path) -> None:
    if not address.startswith(("https://", "http://127.0.0.1")):
        raise Unavailable("npm_config_registry must start with https://.")
    try:
        with urllib.request.urlopen(address, timeout=_PATIENCE) as answer:  # noqa: S310 - checked
            path.write_bytes(answer.read())
    except OSError as error:
        raise Unavailable(f"{path.name}: {error}") from error
