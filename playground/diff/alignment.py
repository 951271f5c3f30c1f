"""Which elements of two sequences are the same, in order: a longest common subsequence.

Bit-parallel (Hyyrö 2004): a row of the table of lengths is one integer whose zero bits are where
the length grows. Python adds integers of thousands of bits in microseconds, so two sequences of n
and m elements take n * m / 64 steps whatever they contain; difflib is cubic for hostile ones.
"""

from collections.abc import Hashable, Sequence

Pair = tuple[int, int]
"""An index of the left sequence, and an index of the right one."""


def match(left: Sequence[Hashable], right: Sequence[Hashable]) -> list[Pair]:
    """Return the indexes of equal elements, ascending in both sequences, as many as there can be.

    O(n * m / 64) time and O(n * m / 8) bytes without the equal elements at both ends.
    """
    most = min(len(left), len(right))
    begin = next((at for at in range(most) if left[at] != right[at]), most)
    end = next((at for at in range(most - begin) if left[-1 - at] != right[-1 - at]), most - begin)
    middle = _match_middle(left[begin : len(left) - end], right[begin : len(right) - end])
    return [
        *((at, at) for at in range(begin)),
        *((begin + one, begin + other) for one, other in middle),
        *((len(left) - at, len(right) - at) for at in range(end, 0, -1)),
    ]


def _match_middle(left: Sequence[Hashable], right: Sequence[Hashable]) -> list[Pair]:
    rows = _rows(left, right)
    pairs = []
    row, column = len(left), len(right)
    while row and column:
        bit = 1 << (column - 1)
        if rows[row] & bit:
            column -= 1
        elif not rows[row - 1] & bit:
            row -= 1
        else:
            row, column = row - 1, column - 1
            pairs.append((row, column))
    return pairs[::-1]


def _rows(left: Sequence[Hashable], right: Sequence[Hashable]) -> list[int]:
    """Return a row for each number of elements of ``left``, from none. Bit ``j`` is 0 where the
    longest common subsequence with ``right[: j + 1]`` is longer than that with ``right[:j]``.
    """
    places: dict[Hashable, int] = {}
    for at, element in enumerate(right):
        places[element] = places.get(element, 0) | 1 << at
    every = (1 << len(right)) - 1
    row, rows = every, [every]
    for element in left:
        shared = row & places.get(element, 0)
        row = ((row + shared) | (row - shared)) & every
        rows.append(row)
    return rows
