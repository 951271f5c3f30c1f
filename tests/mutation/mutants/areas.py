"""The areas that are mutated, and which files each of them has."""

import re
from collections.abc import Mapping
from pathlib import Path

from tests.rooms import PRODUCT, ROOT

AREAS = {
    "drawing": r"templates/.*|playground/(display|templatetags)/.*"
    r"|playground/http/fragments/patches\.py",
    "access": r"auditlog/access\.py|playground/accounts/.*|playground/rest/keys\.py"
    r"|playground/http/(csp|transport|security_events)\.py|playground/stream/pads?\.py",
    "limits": r"playground/http/(throttle|proxy|uploads)\.py|playground/rest/(body|text)\.py"
    r"|playground/server/front/.*|auditlog/ingest/.*",
    "fixes": r"cablese/editing/.*|playground/workbench/(fixes|edits|forms)\.py",
    "translation": r"cablese/translation/.*|cablese/protocols/\w+/express\.py",
    "search": r"auditlog/search/.*",
    "writer": r"auditlog/log/.*",
}
"""Regular expressions of paths. A file belongs to the first area that has it."""
OTHER = "other"
"""Files that are in no area. Their escapes, permissions, limits, and expiries count anyway."""
_AREAS = {name: re.compile(pattern) for name, pattern in AREAS.items()}


def area_of(path: str) -> str:
    return next((name for name, paths in _AREAS.items() if paths.fullmatch(path)), OTHER)


def read_product(root: Path = ROOT) -> Mapping[str, str]:
    """Return the modules and templates of the product, by path."""
    modules = (path for floor in PRODUCT for path in sorted((root / floor).rglob("*.py")))
    templates = (path for path in sorted((root / "templates").rglob("*")) if path.is_file())
    files = [*modules, *templates]
    return {
        path.relative_to(root).as_posix(): path.read_text()
        for path in files
        if "migrations" not in path.parts
    }
