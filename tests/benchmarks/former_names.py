"""The names that modules had before they moved, so that figures can measure older revisions."""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

FORMER = {
    "auditlog.log.draft": "auditlog.draft",
    "auditlog.log.group_commit": "auditlog.commits",
    "auditlog.log.writer": "auditlog.writer",
    "cablese": "protocols",
    "cablese.message": "protocols.message",
    "cablese.registry": "protocols.registry",
    "cablese.tokens": "auditlog.tokens",
    "cablese.transcript": "protocols.transcript",
    "protocols.tokens": "auditlog.tokens",  # what `from cablese import tokens` asks for there
}
_PACKAGES = {"auditlog.log"}
"""Packages that did not exist."""


class FormerNames(MetaPathFinder, Loader):
    """Imports a module by its new name from a revision that has it under the former one."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name in FORMER or name in _PACKAGES:
            return ModuleSpec(name, self, is_package=name in _PACKAGES)
        return None

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return import_module(FORMER[spec.name]) if spec.name in FORMER else None

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: the module was executed under its former name."""


def use(root: Path) -> None:
    """Make the new names known, when the revision in a directory has only the former ones."""
    if (root / "protocols").is_dir():
        sys.meta_path.append(FormerNames())
