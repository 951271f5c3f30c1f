"""Leaves about packets: their reviews, and the redactions that erased their content."""

from array import array
from collections.abc import Iterable, Iterator, Sequence

from auditlog.database import spread
from auditlog.evidence.selection import Selection
from auditlog.models import Erasure, Log, Packet, Review
from auditlog.tree import events, keys


def gather(selection: Selection, size: int) -> "array[int]":
    """Return the leaves about the packets and the signing keys of a tree with ``size`` leaves, in
    order.

    Reviews count up to the size that the selection is pinned to, and redactions up to that of the
    tree: what was erased later cannot be shown. A number takes 8 bytes, so that a
    pack of any size can be written.
    """
    found = array("q", find_signing_keys(selection.log, size))
    for leaves in selection.packets():
        found.extend(_find(selection, size, leaves))
    return array("q", sorted(set(found)))


def find_signing_keys(log: Log, size: int) -> list[int]:
    """Return the leaves of signing keys in a tree."""
    return [index for index, _ in events.read(log.pk, keys.KIND) if index < size]


def _find(selection: Selection, size: int, leaves: Sequence[int]) -> Iterator[int]:
    about = {"log": selection.log, **spread.lookup("packet_leaf", leaves)}
    steps = Review.objects.filter(**about, leaf__lt=selection.at)
    redactions = Erasure.objects.filter(**about, leaf__lt=size)
    wanted = set(leaves)
    for rows in (steps, redactions):
        for leaf, packet in rows.values_list("leaf", "packet_leaf"):
            if packet in wanted:
                yield leaf


def find_reviews(log: Log, leaves: Iterable[int]) -> dict[int, Review]:
    """Return the review steps at some leaves."""
    steps = Review.objects.filter(log=log, leaf__in=leaves).select_related("who")
    return {step.leaf: step for step in steps}


def find_redactions(log: Log, leaves: Iterable[int]) -> dict[int, Erasure]:
    """Return the redactions at some leaves."""
    return {one.leaf: one for one in Erasure.objects.filter(log=log, leaf__in=leaves)}


def find_erased(log: Log, leaves: Iterable[int]) -> dict[int, int]:
    """Return the newest redaction leaf of each packet that was erased."""
    rows = Erasure.objects.filter(log=log, packet_leaf__in=leaves).order_by("leaf")
    return dict(rows.values_list("packet_leaf", "leaf"))


def find_uids(log: Log, leaves: Iterable[int]) -> dict[int, str]:
    """Return the IDs of packets that are not erased, by their leaves."""
    return dict(Packet.objects.filter(log=log, leaf__in=leaves).values_list("leaf", "uid"))
