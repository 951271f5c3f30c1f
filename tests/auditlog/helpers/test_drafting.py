"""Large pieces are drafted by helper processes, with the same results as without."""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
import pytest
from django.db import connection

from auditlog.continuity import clock
from auditlog.helpers import drafting, spent
from auditlog.helpers import pool as pools
from auditlog.helpers.pool import Pool
from auditlog.ingest import array, ndjson
from auditlog.ingest.receive import Interrupted, Receipt, Rejection, receive
from auditlog.ingest.repeats import idempotency
from auditlog.log import log_end, logs
from auditlog.models import Leaf, Packet
from auditlog.sender import Sender
from tests.auditlog.helpers.helpers import lines, started, wait_for
from tests.auditlog.sending import make_sender

pytestmark = pytest.mark.django_db
ITEMS = 1_200


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pool]:
    with started(tmp_path_factory.mktemp("vocabularies"), size=2) as pool:
        yield pool


@pytest.fixture
def sender() -> Sender:
    return make_sender()


@pytest.fixture
def pool(ready: Pool, monkeypatch: pytest.MonkeyPatch) -> Pool:
    """Helpers that have been told about the default log, and take no time to start again."""
    monkeypatch.setattr(pools, "_pool", ready)
    monkeypatch.setattr(pools, "AGAIN", 0.0)
    wait_for(lambda: ready.submit(b"\xc1") is not None)
    drafting.find_logs({"default"})
    return ready


@pytest.fixture
def asked(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The orders that helpers get."""
    orders: list[bytes] = []

    def submit(order: bytes) -> pools.Answer | None:
        orders.append(order)
        return Pool.submit(pool, order)

    monkeypatch.setattr(pool, "submit", submit)
    return orders


def body(number: int = ITEMS) -> list[bytes]:
    """Lines of a mixed log with broken ones."""
    return [line + b"\n" for line in lines(number) if line is not None]


def masked(results: Sequence[Receipt | Rejection]) -> list[Receipt | Rejection]:
    return [
        msgspec.structs.replace(one, packet="", leaf_hash="", leaf=0)
        if isinstance(one, Receipt)
        else one
        for one in results
    ]


def stored() -> list[Any]:
    columns = ("wire", "protocol", "valid", "diagnostics", "meaning", "supplied", "tokens")
    return [
        tuple(bytes(one) if isinstance(one, memoryview) else one for one in row)
        for row in Packet.objects.order_by("leaf").values_list(*columns)
    ]


def test_results_and_rows_are_the_same(
    sender: Sender, asked: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    helped = receive(ndjson.cut(body()), sender=sender)
    count = Packet.objects.count()
    assert len(asked) == 3
    monkeypatch.setattr(pools, "_pool", None)
    alone = receive(ndjson.cut(body()), sender=sender)

    assert masked(helped) == masked(alone)
    assert {one.status for one in helped} == {201, 422}
    assert [one.item for one in helped] == list(range(len(helped)))
    assert stored()[:count] == stored()[count:]


def test_the_processor_time_of_helpers_counts(sender: Sender, asked: list[bytes]) -> None:
    spent.take()
    receive(ndjson.cut(body()), sender=sender)

    assert spent.take() > 0.001
    assert spent.take() == 0.0


def test_leaves_are_in_the_order_of_the_items(sender: Sender, asked: list[bytes]) -> None:
    results = receive(ndjson.cut(body()), sender=sender)

    leaves = [one.leaf for one in results if isinstance(one, Receipt)]
    assert leaves == list(range(len(leaves)))
    assert Leaf.objects.count() == len(leaves)


def test_small_and_heavy_pieces_are_drafted_here(sender: Sender, asked: list[bytes]) -> None:
    heavy = [b'{"wire":"%b"}\n' % (b"x" * 50_000)] * drafting.LEAST

    results = receive(ndjson.cut(body(drafting.LEAST - 1)), sender=sender)
    assert {one.status for one in results} == {201, 422}
    assert {one.status for one in receive(ndjson.cut(heavy), sender=sender)} == {201}

    assert asked == []


def test_arrays_are_drafted_by_helpers_too(sender: Sender, asked: list[bytes]) -> None:
    text = b"[" + b",".join([b'{"wire":"REQ/TSK|g=1"}', b'{"wire":1}'] * 300) + b"]"

    results = receive(array.cut([text]), sender=sender)

    assert [one.status for one in results] == [201, 422] * 300
    assert len(asked) == 2


def test_other_logs_are_found(sender: Sender, asked: list[bytes]) -> None:
    logs.create(slug="team", title="Team")
    items = [b'{"wire":"a","log":"team"}\n', b'{"wire":"b","log":"none"}\n', b'{"wire":"c"}\n']

    for _ in range(2):
        results = receive(ndjson.cut(items * 100), sender=sender)
        assert [one.status for one in results] == [201, 422, 201] * 100
    found = receive(ndjson.cut([items[0], items[2]] * 100), sender=sender)

    assert [one.log for one in found if isinstance(one, Receipt)] == ["team", "default"] * 100


def test_a_log_with_another_id_than_a_helper_knew_is_written_right(
    sender: Sender, asked: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(drafting._logs, "default", 77)

    assert {one.status for one in receive(ndjson.cut(body()), sender=sender)} == {201, 422}
    assert set(Packet.objects.values_list("log__slug", flat=True)) == {"default"}


def test_a_clock_behind_the_log_refuses_as_without_helpers(
    sender: Sender, asked: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    def behind(_slugs: object) -> dict[str, int]:
        raise clock.Behind("default", clock.limit())

    monkeypatch.setattr(log_end, "find", behind)

    with pytest.raises(clock.Behind):
        receive(ndjson.cut(body()), sender=sender)
    assert not Packet.objects.exists()


def killing(pool: Pool, pieces: Iterator[Any], how: Callable[[int], None]) -> Iterator[Any]:
    """Do something to every helper before each piece but the first."""
    for at, piece in enumerate(pieces):
        if at:
            for process in pool.processes:
                how(process)
        yield piece


def test_nothing_is_lost_or_doubled_when_helpers_are_killed(
    sender: Sender, pool: Pool, asked: list[bytes]
) -> None:
    def kill(process: int) -> None:
        os.kill(process, signal.SIGKILL)

    sent = body(3_000)
    pieces = killing(pool, ndjson.cut(sent), kill)
    results = receive(pieces, sender=sender)

    assert len(results) == len(sent)
    assert [one.item for one in results] == list(range(len(sent)))
    leaves = [one.leaf for one in results if isinstance(one, Receipt)]
    assert leaves == list(range(len(leaves)))
    assert Packet.objects.count() == len(leaves)
    assert asked
    wait_for(lambda: pool.submit(b"\xc1") is not None)


def test_a_request_with_a_key_is_completed_after_helpers_drafted_its_beginning(
    sender: Sender, asked: list[bytes]
) -> None:
    sent = body()
    first = idempotency.begin(key_id=sender.key_id or "", value="once", request=b"r")
    whole = first.receive(ndjson.cut(first.tap(sent)), sender=sender)
    again = idempotency.begin(key_id=sender.key_id or "", value="once", request=b"r")
    replayed = again.receive(ndjson.cut(again.tap(sent)), sender=sender)

    assert replayed == whole
    assert again.replayed
    assert len(asked) == 3
    assert Packet.objects.count() == sum(one.status == 201 for one in whole)


def test_another_body_with_the_same_key_is_refused(sender: Sender, asked: list[bytes]) -> None:
    sent = body()
    first = idempotency.begin(key_id=sender.key_id or "", value="once", request=b"r")
    first.receive(ndjson.cut(first.tap(sent)), sender=sender)
    again = idempotency.begin(key_id=sender.key_id or "", value="once", request=b"r")

    with pytest.raises(idempotency.Reused):
        again.receive(ndjson.cut(again.tap([*sent[:700], b" ", *sent[700:]])), sender=sender)


def test_results_that_are_safe_are_told_when_a_later_piece_is_not(
    sender: Sender, asked: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert connection.in_atomic_block
    answers = iter([None, None])
    find = log_end.find

    def failing(slugs: Any) -> dict[str, int]:
        if next(answers, True):
            raise clock.Behind("default", clock.limit())
        return find(slugs)

    monkeypatch.setattr(log_end, "find", failing)

    with pytest.raises(Interrupted, match="items were stored") as caught:
        receive(ndjson.cut(body(2_000)), sender=sender)
    stored_ones = [one for one in caught.value.results if one.status == 201]
    assert Packet.objects.count() == len(stored_ones) > 500
