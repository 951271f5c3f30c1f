"""The manifest of a pack, and the words for whoever opens the zip."""

from datetime import datetime
from typing import Any

from auditlog.evidence.entries import Tally
from auditlog.evidence.selection import Selection
from auditlog.evidence.signed import Signed
from auditlog.log import leaf

FORMAT = "cablese-evidence/1"
README = """\
This is an evidence pack from Cablese. It proves that the packets in entries.ndjson are in the log
{origin}, byte for byte, and that its signed tree contains them.

To verify it without a server, install Cablese from a source that you trust, and run:

    cablese-verify {name} --key "{vkey}"

Get the key from whoever runs the log, not from this file.

entries.ndjson     the packets and the leaves about them, one per line, and the proof
checkpoint         the signed tree that they are proven against
first-checkpoint   the first tree that the log signed, if that is another one
consistency        the proof that the one begins with the other
manifest.json      what was searched for, what the pack has, and what was withheld

The format is described in docs/design/evidence-pack.md of Cablese.
"""


def write_readme(signed: Signed, name: str) -> bytes:
    """Return the text for people."""
    vkey = signed.keys[-1]["vkey"] if signed.keys else "KEY"
    return README.format(origin=signed.origin, name=name, vkey=vkey).encode()


def write(
    selection: Selection, signed: Signed, tally: Tally, *, made: datetime, made_by: str
) -> dict[str, Any]:
    """Return the manifest, but for the digests of the members."""
    first, last = selection.range or (None, None)
    return {
        "format": FORMAT,
        "log": selection.log.slug,
        "origin": signed.origin,
        "keys": signed.keys,
        "selection": {
            "query": selection.query,
            "at": selection.at,
            "now": leaf.format_time(selection.now),
            "first": first,
            "last": last,
        },
        "size": signed.size,
        "count": tally.packets,
        "erased": tally.erased,
        "about": tally.about,
        "withheld": sorted(selection.withheld),
        "made": leaf.format_time(made),
        "made_by": made_by,
    }
