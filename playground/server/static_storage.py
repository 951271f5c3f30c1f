"""Static files with hashed names, also in the imports of our JavaScript modules, and compressed
copies. A style sheet of ours gets the sheets that it imports in place of their imports: a browser
finds an import only after it has read the sheet around it. Line comments and the comments of sheets
are not sent: without them the first page is a tenth smaller. Lines keep their numbers, so an error
names the right one.

Django's own option for modules reads every script, including those of other projects, and fails at
text that only looks like an import.
"""

import posixpath
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

from django.conf import settings
from django.contrib.staticfiles.storage import ManifestStaticFilesStorage
from django.core.files.base import ContentFile
from servestatic.compress import Compressor

from playground.server.environment import BASE_DIR

_IMPORT = r"""(?m)(?P<matched>(?P<lead>^(?:import|export)\b[^;"']*|\bimport\()"(?P<url>\.[^"]+)")"""
"""An import at the top of a module, or one by a call: both must load the same copy of a module."""
_SHEET = re.compile(r"""(?m)^@import "(?P<url>\.[^"]+)";\n""")
_COMMENT = {".js": re.compile(r"(?m)^ *//.*"), ".css": re.compile(r"(?s)/\*.*?\*/")}
"""Comments on lines of their own, and those of sheets. `test_static_storage` tests that no text of
ours looks like one.
"""

# Brotli takes seconds for a megabyte, and no page of ours needs a larger file.
_BROTLI_LIMIT = 64 * 1024

FIXED = "offline/python/"
_ROOMS = sorted(path.name for path in (BASE_DIR / "static").iterdir() if path.is_dir())
_FOLDERS = tuple(f"{room}/" for room in _ROOMS)


class HashedFiles(ManifestStaticFilesStorage):
    patterns = (
        *ManifestStaticFilesStorage.patterns,
        *((f"{room}/*.js", ((_IMPORT, '%(lead)s"%(url)s"'),)) for room in _ROOMS),
    )

    def get_modified_time(self, name: str) -> NoReturn:
        """Compare no times: a file of a newer package may be older than the copy of the old one."""
        raise NotImplementedError

    def post_process(
        self, paths: dict[str, Any], *args: Any, **options: Any
    ) -> Iterator[tuple[str, str, bool] | tuple[str, None, RuntimeError]]:
        small, large = Compressor(quiet=True), Compressor(quiet=True, use_brotli=False)
        # These are in a folder that is named by their digest, load each other by their names, and
        # are compressed once, by the build.
        fixed = {name for name in paths if name.startswith(FIXED)}
        yield from ((name, name, True) for name in fixed)
        named = {name: path for name, path in paths.items() if name not in fixed}
        ours = [name for name in named if name.endswith((".js", ".css"))]
        ours = [name for name in ours if name.startswith(_FOLDERS)]
        sent = named | {name: (_Sent(named), name) for name in ours}
        for processed in super().post_process(sent, *args, **options):
            if processed[1] is not None and small.should_compress(processed[1]):
                path = Path(self.path(processed[1]))
                fits = path.stat().st_size <= _BROTLI_LIMIT
                (small if fits else large).compress(path)
            yield processed

    def loaded_with(self, name: str) -> list[str]:
        """Return the URLs of the modules that a module imports, and of those that these import:
        none with `CABLESE_DEBUG`, where a page loads the sources instead of the collected files.
        """
        if settings.DEBUG:
            return []
        found: dict[str, None] = {}
        todo = [self.stored_name(name)]
        while todo:
            new = [each for each in self._imports[todo.pop()] if each not in found]
            found |= dict.fromkeys(new)
            todo += new
        return [f"{self.base_url}{each}" for each in found]

    @cached_property
    def _imports(self) -> dict[str, list[str]]:
        """The names of the modules that each collected module of ours is loaded with. What it
        imports by a call may never be needed.
        """
        imports = {}
        for name in self.hashed_files.values():
            if name.endswith(".js") and name.startswith(_FOLDERS):
                with self.open(name) as file:
                    found = re.finditer(_IMPORT, str(file.read(), "utf-8"))
                imports[name] = [
                    _beside(name, each["url"]) for each in found if each["lead"] != "import("
                ]
        return imports


class _Sent:
    """Our scripts and sheets as they are sent, as a storage that `post_process` reads."""

    def __init__(self, paths: Mapping[str, Any]) -> None:
        self._paths = paths

    def open(self, name: str) -> "ContentFile[bytes]":
        def put(match: re.Match[str]) -> str:
            imported = _beside(name, match["url"])
            if imported not in self._paths:
                raise ValueError(f"{name} imports {imported}, which does not exist.")
            return self._read(imported)

        content = self._read(name)
        if name.endswith(".css"):
            content = _SHEET.sub(put, content)
        return ContentFile(content.encode())

    def _read(self, name: str) -> str:
        storage, path = self._paths[name]
        with storage.open(path) as file:
            content = str(file.read(), "utf-8")
        return _COMMENT[posixpath.splitext(name)[1]].sub(_blank, content)


def _blank(comment: re.Match[str]) -> str:
    return "\n" * comment[0].count("\n")


def _beside(name: str, url: str) -> str:
    """Return the name of a file that another one names by a relative URL."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), url))
