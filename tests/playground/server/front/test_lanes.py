from playground.server.front.lanes import Full, Lane, Turn


class Work:
    """Turns in a lane, and the order in which they began."""

    def __init__(self, lane: Lane) -> None:
        self.lane = lane
        self.begun: list[str] = []

    def enter(self, client: str, name: str = "") -> Turn:
        turn = Turn(client, lambda: self.begun.append(name or client))
        self.lane.enter(turn)
        return turn


def test_no_more_runs_than_there_are_places() -> None:
    work = Work(Lane(2))

    first, *_ = [work.enter(client) for client in "abc"]

    assert work.begun == ["a", "b"]
    work.lane.leave(first)
    assert work.begun == ["a", "b", "c"]
    assert (work.lane.held, work.lane.queued) == (2, 0)


def test_clients_take_turns() -> None:
    work = Work(Lane(1))
    turn = work.enter("greedy")
    waiting = [work.enter("greedy", f"greedy {at}") for at in range(50)]
    modest = work.enter("modest")

    work.lane.leave(turn)
    work.lane.leave(waiting[0])

    assert work.begun == ["greedy", "greedy 0", "modest"]
    assert modest.holding


def test_one_client_leaves_places_to_others() -> None:
    work = Work(Lane(4, each=3))

    turns = [work.enter("greedy") for _ in range(5)]
    work.enter("modest")

    assert work.begun == ["greedy"] * 3 + ["modest"]
    work.lane.leave(turns[0])
    assert work.begun[4:] == ["greedy"]


def test_only_so_many_wait() -> None:
    work = Work(Lane(1, waiting=3, mine=2))
    for _ in range(3):
        work.enter("greedy")

    assert refused(work, "greedy") is True
    work.enter("other")
    assert refused(work, "third") is False


def refused(work: Work, client: str) -> bool | None:
    try:
        work.enter(client)
    except Full as full:
        return full.mine
    return None


def test_who_stops_waiting_is_never_begun() -> None:
    work = Work(Lane(1))
    first, second, _ = [work.enter(client) for client in "abc"]

    work.lane.leave(second)
    work.lane.leave(first)
    work.lane.leave(first)

    assert work.begun == ["a", "c"]
    assert (work.lane.held, work.lane.queued) == (1, 0)


def test_who_enters_again_is_next_of_its_client_and_never_refused() -> None:
    work = Work(Lane(1, waiting=1, mine=1))
    paused = work.enter("a", "first")
    work.enter("a", "second")

    work.lane.leave(paused)
    work.lane.enter(paused, again=True)

    assert work.begun == ["first", "second"]
    assert work.lane.queued == 1
