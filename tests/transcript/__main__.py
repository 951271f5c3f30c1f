"""Print how each set of vectors is read today, with the names of those that are read wrongly.

python -m tests.transcript             every set
python -m tests.transcript negatives   one set
"""

import sys
from collections.abc import Callable, Iterable

from . import cutoff, folds, negatives
from .lines import lines
from .outputs import OUTPUTS
from .records import wrappers


def _negatives() -> Iterable[str]:
    texts = negatives.load()
    claimed = [one for one in texts if negatives.is_claimed(one)]
    valid = {one.name for one in claimed if negatives.is_valid(one)}
    yield f"negatives: {len(claimed)} of {len(texts)} claimed, {len(valid)} of them valid"
    for one in claimed:
        yield f"  {one.name}{' (valid)' if one.name in valid else ''}: {one.text[:60]!r}"


def _lines() -> Iterable[str]:
    unread = {printer.name: wrong for printer in lines.PRINTERS if (wrong := lines.unread(printer))}
    unheard = {
        printer.name: wrong for printer in lines.PRINTERS if (wrong := lines.unheard(printer))
    }
    total = len(lines.PRINTERS)
    yield from _told(f"lines: {len(unread)} of {total} printers read wrongly", unread)
    yield from _told(f"lines: {len(unheard)} of {total} printers whose facts are wrong", unheard)


def _outputs() -> Iterable[str]:
    unread = {printer.name: wrong for printer in OUTPUTS if (wrong := lines.unread(printer))}
    unheard = {printer.name: wrong for printer in OUTPUTS if (wrong := lines.unheard(printer))}
    yield from _told(f"outputs: {len(unread)} of {len(OUTPUTS)} read wrongly", unread)
    yield from _told(f"outputs: {len(unheard)} of {len(OUTPUTS)} whose facts are wrong", unheard)


def _wrappers() -> Iterable[str]:
    unread = {one.name: wrong for one in wrappers.BUILDERS if (wrong := wrappers.unread(one))}
    unsaid = {one.name: wrong for one in wrappers.BUILDERS if (wrong := wrappers.unheard(one))}
    total = len(wrappers.BUILDERS)
    yield from _told(f"wrappers: {len(unread)} of {total} read wrongly", unread)
    yield from _told(f"wrappers: {len(unsaid)} of {total} whose facts are wrong", unsaid)


def _cutoff() -> Iterable[str]:
    swallowed = {one.name: wrong for one in cutoff.CASES if (wrong := cutoff.wrong(one))}
    yield from _told(f"cutoff: {len(swallowed)} of {len(cutoff.CASES)} harm a neighbor", swallowed)
    unfolded = {one.name: wrong for one in folds.FOLDS if (wrong := folds.unfolded(one))}
    yield from _told(f"folds: {len(unfolded)} of {len(folds.FOLDS)} not whole", unfolded)


def _told(title: str, wrong: dict[str, list[str]]) -> Iterable[str]:
    """Yield the first problem of each name."""
    yield title
    for name, problems in wrong.items():
        yield f"  {name} ({len(problems)}): {problems[0]}"


SETS: dict[str, Callable[[], Iterable[str]]] = {
    "negatives": _negatives,
    "lines": _lines,
    "outputs": _outputs,
    "wrappers": _wrappers,
    "cutoff": _cutoff,
}


def main(names: list[str]) -> None:
    for name in names or SETS:
        for line in SETS[name]():
            print(line)


if __name__ == "__main__":
    main(sys.argv[1:])
