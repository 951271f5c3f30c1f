"""The versions of the detectors, and of the English that is counted with them. Another result for
any packet is another version, with which all findings are made again, or all packets counted again.

They stand apart because every process states them, and loading the detectors takes a tenth of a
second.
"""

from collections.abc import Mapping

from auditlog.findings.finding import DETECTORS, Detector

VERSIONS: Mapping[Detector, int] = {"flow": 4, "injection": 1, "repeated": 1, "sensitive": 2}

ENGLISH = "english/2"


def name_versions() -> str:
    """Return all versions, as the position of a log states them."""
    return " ".join([*(f"{name}/{VERSIONS[name]}" for name in DETECTORS), ENGLISH])
