"""What people call the protocols."""

from functools import cache

from cablese import registry


@cache
def protocol_titles() -> dict[str, str]:
    """Return the title of each protocol by its name."""
    return {codec.name: codec.title for codec in registry.all_codecs()}


def protocol_title(name: str) -> str:
    """Return the title of a protocol; the name of none stays as it is."""
    return protocol_titles().get(name, name)
