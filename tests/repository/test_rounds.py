"""Kills of the real server at work, in a short form; and that the check finds what it looks for."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from tests.rounds import Rounds, Rows, on_postgresql, on_sqlite
from tests.rounds.posting import Item

ROUNDS = 2


def test_what_is_acknowledged_survives_a_kill_on_sqlite() -> None:
    with on_sqlite() as rounds:
        require_whole(rounds)


@pytest.mark.postgres
def test_what_is_acknowledged_survives_a_kill_on_postgresql(postgresql_url: str) -> None:
    with on_postgresql(postgresql_url) as rounds:
        require_whole(rounds)


def require_whole(rounds: Rounds) -> None:
    totals = rounds.run(ROUNDS)

    assert totals.faults == []
    assert totals.rounds == ROUNDS
    assert 0 < totals.acknowledged <= totals.leaves


WIRES = ("a", "b", "c")


def leaf(at: int) -> tuple[int, bytes, bytes]:
    data = f"leaf {at}".encode()
    return at, data, sha256(b"\0" + data).digest()


def packet(at: int) -> tuple[str, int, bytes, bytes, int | None, int | None]:
    return f"e{at}", at, WIRES[at].encode(), leaf(at)[2], at, at


def check(change: Callable[[dict[str, Rows]], object]) -> list[str]:
    """What a check finds of three acknowledged packets once something was changed."""
    stored: dict[str, Rows] = {
        "leaves": [leaf(at) for at in range(3)],
        "size": [(3,)],
        "packets": [packet(at) for at in range(3)],
    }
    change(stored)

    def read(query: str) -> Rows:
        return stored["packets" if "p.wire" in query else "leaves" if "bytes" in query else "size"]

    rounds = Rounds(Path(), {}, read, "rowid")
    for at, wire in enumerate(WIRES):
        rounds.sent.stored[f"e{at}"] = (Item(f"e{at}", wire), at, leaf(at)[2].hex())
    rounds.check()
    return rounds.totals.faults


def test_a_whole_log_has_no_fault() -> None:
    assert check(lambda _: None) == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda stored: stored["leaves"].pop(1), "Leaf 1 is missing."),
        (lambda stored: stored.update(size=[(2,)]), "The log has 3 leaves and says 2."),
        (lambda stored: stored["packets"].pop(0), "e0 was acknowledged as leaf 0 and is lost."),
        (
            lambda stored: stored["packets"].append(packet(2)),
            "e2 is stored twice, as leaf 2 and 2.",
        ),
        (
            lambda stored: stored["leaves"].__setitem__(1, (1, b"other", leaf(1)[2])),
            "Leaf 1 has another hash than its bytes.",
        ),
        (
            lambda stored: stored["leaves"].__setitem__(1, (1, b"x", sha256(b"\0x").digest())),
            "e1 has another leaf hash than its receipt.",
        ),
        (
            lambda stored: stored["packets"].__setitem__(0, ("e0", 0, b"z", leaf(0)[2], 0, 0)),
            f"e0 was acknowledged as leaf 0 and is stored as {(0, 'z', leaf(0)[2].hex())}.",
        ),
        (
            lambda stored: stored["packets"].__setitem__(0, ("e0", 0, b"a", leaf(0)[2], None, 0)),
            "e0 lacks its leaf, its seed, or its search terms.",
        ),
    ],
)
def test_the_check_finds_a_fault(change: Callable[[dict[str, Rows]], object], fault: str) -> None:
    assert fault in check(change)
