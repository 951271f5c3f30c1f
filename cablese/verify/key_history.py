"""The keys that a log of ours says it signs with: its `signing-key` leaves (docs/design/audit.md).

The key that somebody trusts should be one of them. Logs of other software have no such leaves.
"""

from base64 import b64encode
from collections.abc import Sequence

from cablese.tlog import note
from cablese.tlog.note import Verifier
from cablese.tlog.tile import split_entries
from cablese.verify import strict_json
from cablese.verify.report import Report
from cablese.verify.strict_json import BadJson

_MARK = b'"kind":"signing-key"'


class KeyHistory:
    """The keys that the leaves so far added and retired, by their public key in base64."""

    def __init__(self) -> None:
        self._added: dict[str, int] = {}
        self._retired: dict[str, int] = {}

    def take(self, first: int, bundle: bytes, width: int) -> None:
        """Read the leaves of a bundle that is right. The first leaf has this index."""
        if _MARK in bundle:
            for index, leaf in enumerate(split_entries(bundle, width), first):
                if _MARK in leaf:
                    self._take(index, leaf)

    def check(self, signed: str, keys: Sequence[Verifier], report: Report) -> None:
        """Warn unless a key that the log names, and did not retire, signed its checkpoint."""
        if not self._added:
            return
        names = {(one.name, one.key_id) for one in note.open(signed, keys).signatures}
        signers = [key for key in keys if (key.name, key.key_id) in names]
        states = [self._state(key) for key in signers]
        if any(state is None for state in states):
            report.facts.append("The log names the key that signed it.")
        else:
            report.warnings += [state for state in states if state is not None]

    def _take(self, index: int, leaf: bytes) -> None:
        try:
            found = strict_json.parse(leaf)
        except BadJson:
            return
        public, act = found.get("public"), found.get("act")
        if found.get("kind") == "signing-key" and isinstance(public, str):
            (self._retired if act == "retire" else self._added).setdefault(public, index)

    def _state(self, key: Verifier) -> str | None:
        """Return why a key should not have signed; None if it may."""
        public, words = b64encode(key.public).decode(), f"The key {key.name}+{key.key_id.hex()}"
        if public in self._retired:
            return f"{words} signed this tree, but leaf {self._retired[public]:,} retired it."
        if public not in self._added:
            return f"{words} signed this tree, but the log does not name it."
        return None
