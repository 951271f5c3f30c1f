"""Print how each set of vectors is read today, with the names of those that are read wrongly.

python -m tests.transcript             every set
python -m tests.transcript negatives   one set
"""

import sys
from collections.abc import Callable, Iterable

from . import cutoff, folds, known, lines, negatives, wrappers
from .outputs import OUTPUTS


def _negatives() -> Iterable[str]:
    texts = negatives.load()
    claimed = [one for one in texts if negatives.is_claimed(one)]
    valid = {one.name for one in claimed if negatives.is_valid(one)}
    yield f"negatives: {len(claimed)} of {len(texts)} claimed, {len(valid)} of them valid"
    for one in claimed:
        yield f"  {one.name}{' (valid)' if one.name in valid else ''}: {one.text[:60]!r}"


def _lines() -> Iterable[str]:
    unread = {printer.name: wrong for printer in lines.PRINTERS if (wrong := lines.unread(printer))}
    unheard = {printer.name: wrong for printer in lines.PRINTERS if (wrong := lines.unheard(printer))}
    total = len(lines.PRINTERS)
    yield from _told(f"lines: {len(unread)} of {total} printers read wrongly", unread, known.UNREAD)
    yield from _told(f"lines: {len(unheard)} of {total} printers whose facts are wrong", unheard, known.UNHEARD)


def _outputs() -> Iterable[str]:
    unread = {printer.name: wrong for printer in OUTPUTS if (wrong := lines.unread(printer))}
    unheard = {printer.name: wrong for printer in OUTPUTS if (wrong := lines.unheard(printer))}
    yield from _told(f"outputs: {len(unread)} of {len(OUTPUTS)} read wrongly", unread, frozenset())
    yield from _told(f"outputs: {len(unheard)} of {len(OUTPUTS)} whose facts are wrong", unheard, frozenset())


def _wrappers() -> Iterable[str]:
    unread = {one.name: wrong for one in wrappers.BUILDERS if (wrong := wrappers.unread(one))}
    unsaid = {one.name: wrong for one in wrappers.BUILDERS if (wrong := wrappers.unheard(one))}
    total = len(wrappers.BUILDERS)
    yield from _told(f"wrappers: {len(unread)} of {total} read wrongly", unread, known.UNWRAPPED)
    yield from _told(f"wrappers: {len(unsaid)} of {total} whose facts are wrong", unsaid, known.UNSAID)


def _cutoff() -> Iterable[str]:
    swallowed = {one.name: wrong for one in cutoff.CASES if (wrong := cutoff.wrong(one))}
    yield from _told(f"cutoff: {len(swallowed)} of {len(cutoff.CASES)} harm a neighbor", swallowed, known.SWALLOWED)
    unfolded = {one.name: wrong for one in folds.FOLDS if (wrong := folds.unfolded(one))}
    yield from _told(f"folds: {len(unfolded)} of {len(folds.FOLDS)} not whole", unfolded, known.UNFOLDED)


def _told(title: str, wrong: dict[str, list[str]], excused: frozenset[str]) -> Iterable[str]:
    """Yield the first problem of each name, and the names that need no excuse any more."""
    yield title
    for name, problems in wrong.items():
        yield f"  {'' if name in excused else 'NEW '}{name} ({len(problems)}): {problems[0]}"
    for name in sorted(excused - set(wrong)):
        yield f"  right now, so take it out of known.py: {name}"


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
