"""The figures that `compare` takes of two revisions: each one piece of work, over the same texts
for both.

A figure is prepared in the process that measures it, with whichever product code that has; only
names that both revisions know may be used here. Its work answers how long one run took: processor
seconds of this process, because other programs on the machine must not count, and for requests over
HTTP the processor seconds of the server that answers them. What a browser paints takes seconds of
the clock, so those figures want a machine at rest.
"""

import gc
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from runpy import run_path
from statistics import median

from django.db import connection
from playwright.sync_api import Page

from auditlog import access
from auditlog.ingest import ndjson, receive
from cablese import registry, tokens
from cablese.message import Message
from cablese.transcript import split
from tests import installation
from tests.benchmarks import asked, corpus, logfile
from tests.benchmarks.groups import ingest, page
from tests.benchmarks.groups import tokens as counting
from tests.benchmarks.groups.trail import search

Run = Callable[[], float]
"""Does the work once, and answers its seconds."""
TYPICAL = 400
TURN = 0.06
"""Seconds that one measurement takes at least; small work is repeated."""
MEASUREMENTS = 5
"""In a turn; the fastest counts."""
FRAME_ROOM = Path(__file__).parents[2] / "playground" / "server" / "frame_room.py"
"""Of this revision for both. One call more may move a busy loop to the end of a chunk."""
call_with_room: Callable[[Run], float] = run_path(str(FRAME_ROOM))["call_with_room"]
PACKETS = 20_000
"""Packets in the log that is searched."""
KEYSTROKES, PASTES = 8, 3
"""In a turn; the one in the middle counts."""
KEPT = 2_000
POSTED = 5_000


@dataclass(frozen=True)
class Figure:
    """``group`` names the figures that share a process, and so a database."""

    name: str
    group: str
    prepare: Callable[[ExitStack], Run]
    once: bool = False
    """True for work that is long enough to be run only once a turn."""


@dataclass
class Taken:
    """A prepared figure, with the number of times that its work is repeated in one measurement."""

    run: Run
    once: bool
    repeat: int = field(init=False, default=1)

    def __post_init__(self) -> None:
        self.run()
        if not self.once:
            self.repeat = max(1, round(TURN / max(self.run(), 1e-6)))

    def seconds(self) -> float:
        """The fastest of a few measurements, for one run."""
        measurements = 1 if self.once else MEASUREMENTS
        return min(call_with_room(self._measure) for _ in range(measurements))

    def _measure(self) -> float:
        gc.collect()
        return sum(self.run() for _ in range(self.repeat)) / self.repeat


def all_figures() -> tuple[Figure, ...]:
    return (
        *decoding(),
        *counted(),
        *splitting(),
        *said(),
        *searched(),
        *kept(),
        *drawn(),
        *streamed(),
        *painted(),
    )


def decoding() -> Iterator[Figure]:
    for name in corpus.WRITERS:
        for what, wires in (
            ("typical", corpus.typical(name, TYPICAL)),
            ("vectors", corpus.vectors(name)),
            ("with problems", corpus.odd(name)),
        ):
            yield Figure(f"decode {name}, {what}", "decode", decodes(name, wires))


def decodes(name: str, wires: list[str]) -> Callable[[ExitStack], Run]:
    def prepare(_: ExitStack) -> Run:
        codec = registry.get(name)

        def work() -> None:
            for wire in wires:
                codec.decode(wire).values  # noqa: B018 - reading it is the work

        return processor(work)

    return prepare


def counted() -> Iterator[Figure]:
    texts = counting.messages()
    for count, what in ((len(texts), f"{len(texts):,} messages a call"), (1, "one message a call")):
        some = texts[:count]
        yield Figure(
            f"count tokens, {what}",
            "tokens",
            works(partial(tokens.count_batch, some, "o200k_base")),
        )


def splitting() -> Iterator[Figure]:
    text = mixed()
    yield Figure("split mixed texts", "split", works(lambda: split(text)))
    for lines in (10_000, 100_000):
        log = logfile.write(lines).text
        yield Figure(
            f"split a log of {lines:,} lines",
            "split",
            works(partial(split, log)),
            once=lines > 10_000,
        )


def mixed(count: int = 40) -> str:
    """What people paste: messages of all protocols among prose, folded, in code and in chats."""
    dice = random.Random(12)
    wires = [wire for name in corpus.WRITERS for wire in corpus.typical(name, count)]
    dice.shuffle(wires)
    return "\n".join(dice.choice(SHAPES)(wire, n) for n, wire in enumerate(wires))


SHAPES: tuple[Callable[[str, int], str], ...] = (
    lambda wire, _: wire,
    lambda wire, _: wire,
    lambda wire, n: f"planner: {wire}\nThat was number {n}, and there is nothing to say of it.",
    lambda wire, _: wire.replace("|return:", "|\n  return:"),
    lambda wire, _: f"```\n{wire}\n```",
    lambda wire, n: corpus.as_json({"role": "user", "content": wire}, indent=2 if n % 2 else None),
    lambda wire, n: corpus.as_json(
        {
            "jsonrpc": "2.0",
            "id": n,
            "method": "tools/call",
            "params": {"name": "tell", "arguments": {"message": wire}},
        }
    ),
)


def said() -> Iterator[Figure]:
    for what, call in (
        ("meaning", lambda message: registry.get(message.protocol).meaning(message)),
        ("describe", lambda message: registry.get(message.protocol).describe(message)),
        ("canonical", lambda message: registry.get(message.protocol).canonical(message)),
        ("fields", lambda message: message.fields),
    ):
        yield Figure(f"{what} of all protocols", "say", says(call))


def says(call: Callable[[Message], object]) -> Callable[[ExitStack], Run]:
    def prepare(_: ExitStack) -> Run:
        messages = [
            registry.get(name).decode(wire)
            for name in corpus.WRITERS
            for wire in (*corpus.typical(name, 50), *corpus.vectors(name)[:50])
        ]
        messages = [message for message in messages if message.valid]

        def work() -> None:
            for message in messages:
                call(message)

        return processor(work)

    return prepare


def searched() -> Iterator[Figure]:
    yield Figure("search, index 20,000 packets", "search", filled, once=True)
    for case in search.CASES:
        yield Figure(f"search, {case.name}", "search", works(partial(search.ask, case)))


def filled(stack: ExitStack) -> Run:
    """Only the first run is work: the log is then filled, and the other figures search it."""
    database(stack)
    search.PACKETS = PACKETS
    begin = time.process_time()
    for _ in search.fill():
        pass
    took = time.process_time() - begin
    return lambda: took


def kept() -> Iterator[Figure]:
    yield Figure(f"keep {KEPT:,} packets in a process", "keep", keeps)
    yield Figure(f"keep {POSTED:,} packets over HTTP", "http", posts, once=True)


def keeps(stack: ExitStack) -> Run:
    database(stack)
    _, token = access.create_key(source="bench", scopes=("ingest",))
    sender = access.authenticate(token)
    assert sender is not None

    def work() -> None:
        body = b"\n".join(ingest.item() for _ in range(KEPT))
        receipts = receive.receive(ndjson.read([body]), sender=sender)
        assert all(receipt.status == 201 for receipt in receipts)

    return processor(work)


def posts(stack: ExitStack) -> Run:
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="cablese-bench-"))
    server = stack.enter_context(installation.running(Path(folder, "data")))
    key = server.manage("apikey", "create", "bench", "--scopes", "ingest")

    def run() -> float:
        body = b"\n".join(ingest.item() for _ in range(POSTED))
        before = ingest.processor_seconds(server.process.pid)
        ingest.post(server, key, "/api/v1/packets/batch", body, "application/x-ndjson")
        return ingest.processor_seconds(server.process.pid) - before

    return run


def drawn() -> Iterator[Figure]:
    """The main pages, as one request each."""
    yield Figure("page, workbench of a mixed text", "page", draws(lambda: reading(mixed(5))))
    yield Figure(
        "page, workbench of one message",
        "page",
        draws(lambda: reading("REQ/TSK|g=42,t=1,p=2,@=auth_refactor")),
    )
    for what, address, query in (
        ("list of 50 packets", "/audit/", ""),
        ("list of a search", "/audit/", "proto:nslip -act:reject"),
        ("conversations", "/audit/conversations", "proto:nslip goal:7"),
    ):
        yield Figure(f"page, {what}", "page", draws(partial(listing, address, query)))
    yield Figure("page, one packet", "page", draws(entry))
    yield Figure(
        "page, protocol reference",
        "page",
        draws(lambda: asked.get(asked.visitor(), "/protocols/nslip")),
    )


def reading(text: str) -> asked.Work:
    return asked.post(asked.visitor(), "/reading", text=text)


def listing(address: str, query: str) -> asked.Work:
    return asked.get(asked.visitor(signed_in=True), address, q=query)


def entry() -> asked.Work:
    uid = next(packet.uid for packet in asked.fill() if packet.protocol == "aacp")
    return asked.get(asked.visitor(signed_in=True), f"/audit/default/{uid}")


def draws(make: Callable[[], asked.Work]) -> Callable[[ExitStack], Run]:
    """Requests to an installation that has a log with packets."""

    def prepare(stack: ExitStack) -> Run:
        if not connection.introspection.table_names():
            database(stack)
        asked.fill()
        work = make()
        work()
        # As the server does when it has started: what is loaded now is not looked through again.
        gc.collect()
        gc.freeze()
        gc.set_threshold(50_000, 2, 200)
        return processor(work)

    return prepare


def streamed() -> Iterator[Figure]:
    """A pad that is posted to and read."""
    for what, make in (
        (f"post {asked.PAD} messages one by one", lambda: lambda: asked.Pad().post_each().close()),
        (f"post {asked.PAD} messages at once", lambda: lambda: asked.Pad().post_all().close()),
        ("read a pad by the API", lambda: asked.Pad().post_all().read),
        ("page of a pad", lambda: asked.Pad().post_all().page),
        ("lines of a pad", lambda: asked.Pad().post_all().lines),
    ):
        yield Figure(f"stream, {what}", "stream", draws(make))


def database(stack: ExitStack) -> None:
    """An empty database of this process, until the figures of its group are taken."""
    before = str(connection.settings_dict["NAME"])
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    # A server's connections have never run the migrations, whose statements fill the driver's
    # cache.
    connection.close()
    stack.callback(lambda: connection.creation.destroy_test_db(before, verbosity=0))


def works(work: Callable[[], object]) -> Callable[[ExitStack], Run]:
    return lambda _: processor(work)


def processor(work: Callable[[], object]) -> Run:
    def run() -> float:
        begin = time.process_time()
        work()
        return time.process_time() - begin

    return run


def painted() -> Iterator[Figure]:
    """The workbench in a Chromium, from a keystroke or a paste to its painted answer."""
    for kilobytes in (4, 64):
        text = page.text_of(kilobytes * 1_000)
        yield Figure(
            f"browser, keystroke painted, {kilobytes} KB",
            "browser",
            paints(partial(page.typed, text=text, keystrokes=KEYSTROKES)),
            once=True,
        )
    yield Figure(
        "browser, 1,000 lines pasted and painted",
        "browser",
        paints(lambda one: page.pasted(one, count=1_000, pastes=PASTES)[0]),
        once=True,
    )


def paints(times: Callable[[Page], list[float]]) -> Callable[[ExitStack], Run]:
    def prepare(stack: ExitStack) -> Run:
        one = workbench(stack)
        return lambda: median(times(one)) / 1_000

    return prepare


@cache
def workbench(stack: ExitStack) -> Page:
    """One page for all figures of a process, which can have one Playwright."""
    one, _ = stack.enter_context(page.visited())
    page.listen(one)
    return one
