"""Verify an evidence pack (docs/design/evidence-pack.md): no database, server, or Django.

Every hash, proof, signature, commitment, and count is checked, and a failure has its place. A pack
that is malformed is unusable, whatever it says.
"""

from binascii import a2b_base64
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cablese.amount import count, leaves
from cablese.tlog import checkpoint, merkle, note, summed
from cablese.tlog.checkpoint import Checkpoint
from cablese.verify import pack_manifest
from cablese.verify.pack_entries import BadEntry, Entries
from cablese.verify.pack_manifest import BadManifest
from cablese.verify.progress import Progress
from cablese.verify.report import Report, Unusable
from cablese.verify.strict_json import Object
from cablese.verify.zip_members import BadZip, Members

LINE = 128 * 1024 * 1024
SMALL = 1024 * 1024
_NAMES = frozenset(
    {
        "README.txt", "checkpoint", "consistency", "entries.ndjson", "first-checkpoint",
        "manifest.json",
    }
)  # fmt: skip
_STEP = 1_000
"""Lines between two reports of the progress."""


@dataclass
class PackReport(Report):
    """What a pack shows."""

    manifest: Object = field(default_factory=dict)


def verify(
    path: Path, keys: Sequence[note.Verifier] = (), progress: Progress | None = None
) -> PackReport:
    """Verify a pack against the keys of its log that are known from elsewhere. Raises Unusable."""
    try:
        with path.open("rb") as file:
            return _verify(Members(file, _NAMES), keys, progress)
    except (BadZip, BadEntry, BadManifest) as bad:
        raise Unusable(f"{path.name}: {bad}") from None
    except OSError as error:
        raise Unusable(f"{path} cannot be read: {error.strerror}.") from None


def _verify(
    members: Members, keys: Sequence[note.Verifier], progress: Progress | None
) -> PackReport:
    data = members.read("manifest.json", SMALL)
    manifest = pack_manifest.read(data)
    report = PackReport(f"the evidence of {manifest['origin']}", manifest=manifest)
    if not summed.is_whole(data):
        report.fail("manifest.json", "It was changed: its sum does not match.")
    small = {
        name: members.read(name, SMALL)
        for name in members.names
        if name not in ("manifest.json", "entries.ndjson")
    }
    signed = _check_signed(small, keys, report)
    entries = _read_entries(members, report, progress)
    if signed is not None and signed.root != entries.root:
        text = f"The leaves do not match the signed tree of {leaves(signed.size)}."
        report.fail("entries.ndjson", text)
    _check_counts(entries, report)
    _check_keys(entries, report)
    _check_digests(members, report)
    _describe(entries, report)
    _warn(entries, keys, report)
    return report


def _read_entries(members: Members, report: PackReport, progress: Progress | None) -> Entries:
    entries = Entries(report.manifest, report.fail)
    total = report.manifest["count"]
    for number, line in enumerate(members.lines("entries.ndjson", LINE), 1):
        entries.take(number, line)
        if progress is not None and not number % _STEP:
            progress(len(entries.packets), total)
    entries.end()
    if progress is not None and len(entries.packets) >= _STEP:
        progress(len(entries.packets), len(entries.packets))
    return entries


def _check_signed(
    small: dict[str, bytes], keys: Sequence[note.Verifier], report: PackReport
) -> Checkpoint | None:
    """Check the signatures, and that the tree begins with the first one. Return the tree."""
    known = _known_keys(keys, report)
    found = _open("checkpoint", small, known, report)
    if found is not None and found.size != report.manifest["size"]:
        report.fail("checkpoint", f"It has {leaves(found.size)}, unlike the manifest.")
    if "first-checkpoint" in small:
        first = _open("first-checkpoint", small, known, report)
        if first is not None and found is not None:
            _check_consistency(first, found, small, report)
    return found


def _known_keys(keys: Sequence[note.Verifier], report: PackReport) -> list[note.Verifier]:
    """Return the keys that may have signed: those that are given, or else those of the pack."""
    own = []
    for at, key in enumerate(report.manifest["keys"]):
        try:
            own.append(note.parse_verifier(key["vkey"]))
        except ValueError as error:
            raise BadManifest(f"manifest.json, key {at}: {error}") from None
    if keys and not set(keys) & set(own):
        report.fail("manifest.json", "The pack has none of the keys given with --key.")
    return [*keys] if keys else own


def _open(
    name: str, small: dict[str, bytes], keys: Sequence[note.Verifier], report: PackReport
) -> Checkpoint | None:
    """Return a checkpoint that one of the keys signed."""
    if name not in small:
        raise BadZip(f"{name} is missing.")
    try:
        text = small[name].decode()
        return checkpoint.open_checkpoint(text, keys, report.manifest["origin"])
    except ValueError as error:
        report.fail(name, str(error))
        return None


def _check_consistency(
    first: Checkpoint, last: Checkpoint, small: dict[str, bytes], report: PackReport
) -> None:
    try:
        lines = small.get("consistency", b"").split(b"\n")[:-1]
        proof = [a2b_base64(line, strict_mode=True) for line in lines]
        merkle.verify_consistency(first.size, last.size, proof, first.root, last.root)
    except ValueError as error:
        report.fail("consistency", str(error))


def _check_counts(entries: Entries, report: PackReport) -> None:
    manifest = report.manifest
    found = {
        "count": len(entries.packets), "erased": len(entries.erased), "about": entries.about,
    }  # fmt: skip
    for name, number in found.items():
        if manifest[name] != number:
            text = f"{name!r} is {manifest[name]:,}. The entries have {number:,}."
            report.fail("manifest.json", text)
    if entries.packets and entries.packets[-1] >= manifest["selection"]["at"]:
        report.fail("entries.ndjson", "A packet is beyond the size of the log that was searched.")
    if not pack_manifest.has_range_of_query(manifest):
        text = "The search is a range of leaves. Expected its ends as `first` and `last`."
        report.fail("manifest.json", text)


def _check_keys(entries: Entries, report: PackReport) -> None:
    """Check that the leaf of each key has that key."""
    for key in report.manifest["keys"]:
        leaf = key.get("leaf")
        if leaf is None:
            continue
        said = entries.signing_keys.get(leaf)
        verifier = note.parse_verifier(key["vkey"])
        if said is None or said.get("key") != verifier.key_id.hex():
            report.fail("manifest.json", f"Leaf {leaf} is not about the key {key['vkey'][:80]}.")


def _check_digests(members: Members, report: PackReport) -> None:
    said = report.manifest["members"]
    for name, digest in members.digests.items():
        if name != "manifest.json" and said.get(name) != digest:
            report.fail(name, "Its digest does not match the manifest.")
    for name in said.keys() - members.digests.keys():
        report.fail("manifest.json", f"The member {name[:80]!r} is missing.")


def _describe(entries: Entries, report: PackReport) -> None:
    manifest = report.manifest
    selection = manifest["selection"]
    report.facts = [
        f"Packets: {len(entries.packets):,}",
        f"Leaves about them: {entries.about:,}",
        f"Search: {selection['query'] or 'all packets'}",
        f"Leaves when searched: {selection['at']:,}, when signed: {manifest['size']:,}",
        f"Exported (not proven): {manifest['made']} by {manifest['made_by']}",
    ]
    if entries.range is not None:
        report.facts.append("Every leaf from {:,} to {:,} is in it.".format(*entries.range))
    else:
        report.facts.append("Whether the search finds other packets is not proven.")


def _warn(entries: Entries, keys: Sequence[note.Verifier], report: PackReport) -> None:
    if not keys:
        report.warnings.append(
            "No key was given, so the pack only shows that it is consistent with itself. "
            "Get the key from whoever runs the log."
        )
    if entries.withheld:
        report.warnings.append(f"The exporter withheld: {', '.join(sorted(entries.withheld))}.")
    if entries.erased:
        erased = count(len(entries.erased), "packet")
        report.warnings.append(f"The content of {erased} was erased.")
