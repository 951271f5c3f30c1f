"""Static files with hashed names, also in the imports of our JavaScript modules, and compressed
copies.

Django's own option for modules reads every script, including those of other projects, and fails at
text that only looks like an import.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from django.contrib.staticfiles.storage import ManifestStaticFilesStorage
from servestatic.compress import Compressor

from playground.server.environment import BASE_DIR

_IMPORT = r"""(?m)(?P<matched>(?P<lead>^(?:import|export)\b[^;"']*|\bimport\()"(?P<url>\.[^"]+)")"""
"""An import at the top of a module, or one by a call: both must load the same copy of a module."""

# Brotli takes seconds for a megabyte, and no page of ours needs a larger file.
_BROTLI_LIMIT = 64 * 1024

FIXED = "offline/python/"
_ROOMS = sorted(path.name for path in (BASE_DIR / "static").iterdir() if path.is_dir())


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
        for processed in super().post_process(named, *args, **options):
            if processed[1] is not None and small.should_compress(processed[1]):
                path = Path(self.path(processed[1]))
                fits = path.stat().st_size <= _BROTLI_LIMIT
                (small if fits else large).compress(path)
            yield processed
