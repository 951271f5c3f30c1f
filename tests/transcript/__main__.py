"""Print how each set of vectors is read today, with the names of those that are read wrongly.

python -m tests.transcript             every set
python -m tests.transcript negatives   one set
"""

import sys
from collections.abc import Callable, Iterable

from . import negatives


def _negatives() -> Iterable[str]:
    texts = negatives.load()
    claimed = [one for one in texts if negatives.is_claimed(one)]
    valid = {one.name for one in claimed if negatives.is_valid(one)}
    yield f"negatives: {len(claimed)} of {len(texts)} claimed, {len(valid)} of them valid"
    for one in claimed:
        yield f"  {one.name}{' (valid)' if one.name in valid else ''}: {one.text[:60]!r}"


SETS: dict[str, Callable[[], Iterable[str]]] = {"negatives": _negatives}


def main(names: list[str]) -> None:
    for name in names or SETS:
        for line in SETS[name]():
            print(line)


if __name__ == "__main__":
    main(sys.argv[1:])
