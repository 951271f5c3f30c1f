"""The counts of facets, made by reading each packet on its own."""

import json
from collections import Counter
from collections.abc import Iterable

from auditlog.models import Finding, Packet
from auditlog.search.facets.shapes import Facets


def counts(found: Facets) -> dict[str, dict[str, int]]:
    return {
        facet.key: {value.text.casefold(): value.count for value in facet.values}
        for facet in found.facets
    }


def read(packets: Iterable[Packet]) -> dict[str, dict[str, int]]:
    """The same counts, from every packet on its own."""
    kept: dict[str, Counter[str]] = {
        key: Counter() for key in ("proto", "is", "act", "from", "to", "source", "tag", "finding")
    }
    for packet in packets:
        said, given = json.loads(packet.meaning), json.loads(packet.supplied)
        findings = Finding.objects.filter(log=packet.log, leaf=packet.leaf)
        values = {
            "proto": [packet.protocol],
            "is": ["valid" if packet.valid else "invalid"],
            "act": [said.get("act")],
            "from": [said.get("sender"), given.get("from")],
            "to": [said.get("recipient"), given.get("to")],
            "source": [packet.source.name],
            "tag": [*said.get("tags", ()), *given.get("tags", ())],
            "finding": [finding.detector for finding in findings],
        }
        for key, several in values.items():
            kept[key].update({value.casefold() for value in several if value is not None})
    return {key: dict(numbers) for key, numbers in kept.items()}
