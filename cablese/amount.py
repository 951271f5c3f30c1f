"""A number of things in words: "1 leaf", "2 leaves". Without imports, for `cablese.verify`, too."""


def count(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun, whose plural ends with `s` unless it is given."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def leaves(number: int) -> str:
    return count(number, "leaf", "leaves")
