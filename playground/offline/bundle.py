"""The Python files that run in the browser, as one archive: ours, the templates, and libraries.

The libraries are those of this environment, so both sides have the same versions. What a fragment
never needs is left out, by folder or file; a test draws all fragments with the rest.
"""

import io
import json
import lzma
import tarfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from django.urls import URLPattern, get_resolver

from playground.server.environment import BASE_DIR

OURS = {
    "cablese": (),
    "auditlog": ("migrations",),
    "playground": (
        "management", "accounts", "health", "reference/proofs.json", "review", "stream",
        "server/front", "server/launch",
    ),
    "templates": (),
}  # fmt: skip
LIBRARIES = {
    "asgiref": (),
    "detect_secrets": ("audit", "core/upgrades"),
    "django": (
        "conf/app_template", "conf/project_template", "contrib/admin", "contrib/admindocs",
        "contrib/auth/migrations", "contrib/contenttypes/migrations", "contrib/flatpages",
        "contrib/gis", "contrib/postgres", "contrib/redirects", "contrib/sessions/migrations",
        "contrib/sitemaps", "contrib/syndication",
        "core/management/commands", "db/backends/mysql", "db/backends/oracle",
        "db/backends/postgresql", "test", "views/templates",
    ),
    "django_htmx": ("static", "locale"),
    "phonenumbers": ("geodata", "carrierdata", "tzdata"),
    "rfc8785": (),
    "sqlparse": (),
    "stdnum": (),
    "toon_format": (),
    "tzdata": (),
    "yaml": (),
}  # fmt: skip
_INSTEAD = {
    "tiktoken.py": "tiktoken.py",
    "requests.py": "requests.py",
    "cablese/tokens/vocabulary.py": "vocabulary.py",
}
_ENDINGS = (".py", ".html", ".svg", ".json", ".jsonl")
_TABLES = ("stdnum/iban.dat", "stdnum/isil.dat")
_LZMA2 = {
    "id": lzma.FILTER_LZMA2,
    "preset": 9 | lzma.PRESET_EXTREME,
    "dict_size": 16 * 1024 * 1024,
}
"""The dictionary has room for all files; the browser needs as much memory to unpack them."""
ROUTES = "playground/offline/browser/routes.json"


def pack() -> bytes:
    """Return the archive (tar, compressed with xz), equal for equal files."""
    files = dict(_files())
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in sorted(files.items()):
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return lzma.compress(packed.getvalue(), filters=[_LZMA2])


def routes() -> list[tuple[str, str]]:
    """Return address and name of each page and fragment."""
    return [
        (str(pattern.pattern), pattern.name)
        for pattern in get_resolver().url_patterns
        if isinstance(pattern, URLPattern) and pattern.name
    ]


def _files() -> Iterator[tuple[str, bytes]]:
    for name, skipped in OURS.items():
        yield from _tree(BASE_DIR, name, skipped)
    for name, skipped in LIBRARIES.items():
        yield from _tree(_place(name), name, skipped)
    instead = Path(__file__).parent / "browser" / "instead"
    for name, file in _INSTEAD.items():
        yield name, (instead / file).read_bytes()
    yield ROUTES, json.dumps(routes()).encode()


def _place(name: str) -> Path:
    """Return the folder that contains a library."""
    found = find_spec(name)
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parents[1]


def _tree(root: Path, name: str, skipped: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    for path in sorted((root / name).rglob("*")):
        inside, whole = path.relative_to(root / name), path.relative_to(root).as_posix()
        if any(inside.is_relative_to(folder) for folder in skipped) or not path.is_file():
            continue
        if _is_wanted(whole):
            yield whole, path.read_bytes()


def _is_wanted(name: str) -> bool:
    # Of Django's languages, English alone.
    if "/locale/" in name and not name.endswith(("/locale/__init__.py", *_ENGLISH)):
        return False
    return name.endswith(_ENDINGS) or name in _TABLES or name.startswith("tzdata/zoneinfo/")


_ENGLISH = ("/locale/en/__init__.py", "/locale/en/formats.py")
