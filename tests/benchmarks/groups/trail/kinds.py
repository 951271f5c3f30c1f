"""36 kinds of query over HTTP, in a mixed log on both databases: the first page with its count, by
API and as HTML, alone and while packets are stored. Both must give the same answers.

python -m tests.benchmarks kinds --packets 1000000
"""

import json
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from statistics import quantiles
from threading import Thread
from time import perf_counter, sleep
from typing import Any
from urllib.parse import urlencode, urlsplit

import psycopg

from auditlog.search.find import COUNTED
from tests.benchmarks.groups.ingest import BATCH, BEHIND, Items, Server, mixed, serving
from tests.benchmarks.line import Line, duration, faster
from tests.rounds import postgresql

PACKETS = 200_000
ROUNDS = 40
BUFFERS = "2GB"
"""PostgreSQL's memory for pages of its tables, which are 3 GB for a million packets. Its manual
advises a quarter of a machine's memory; the default is 128 MB.
"""
API, HTML, BUSY = 0.050, 0.080, 0.100
"""Seconds that a page may take: by API, as HTML, and while packets are stored."""
KINDS = {
    "everything": "",
    "common tag": "@auth_refactor",
    "tag and goal": "@auth_refactor goal:42",
    "rare goal": "goal:4242",
    "nothing": "goal:424242",
    "rare tag": "@step_7_31337",
    "two common, none both": "act:reject act:inform",
    "wire field": "g:4242",
    "field of a protocol": "aacp.dom:hr",
    "tag prefix": "@auth_*",
    "rare tag prefix": "@step_7_3133*",
    "negation": "act:request -proto:aacp",
    "negation only": "-act:reject",
    "number range": "prio:<=2",
    "wide number range": "goal:1000..7777",
    "has": "has:tag",
    "common word": "refactor",
    "rare word": "c31337",
    "word prefix": "ref*",
    "one letter": "a*",
    "two letters": "re*",
    "phrase": '"became of the auth"',
    "phrase of common words": '"auth refactor"',
    "any of words": "w31335 OR billing",
    "any of values": "act:(reject OR propose) proto:nslip",
    "act and sender": "act:request from:auth-0",
    "sender": "from:auth-0",
    "token count": "tokens:>=40",
    "invalid": "is:invalid",
    "protocol": "proto:tline",
    "time and tag": "since:1d @auth_refactor",
    "sender's time": "sent:>=2026-11-20T10:30Z",
    "old leaves": "leaf:1000..50000",
    "finding": "finding:flow",
    "finding and act": "is:repeated act:request",
    "unreviewed and tag": "is:unreviewed @auth_refactor",
}
assert len(KINDS) == 36


@dataclass(frozen=True)
class Answer:
    """What a query found: the leaves of the page, and the count."""

    leaves: tuple[int, ...]
    count: int
    exact: bool

    @property
    def is_cut(self) -> bool:
        """Whether the time was over before the packets were counted."""
        return not self.exact and self.count < COUNTED

    def agrees(self, other: "Answer") -> bool:
        """Return whether both may be the answer to the same query."""
        less, more = sorted([(self.count, self.exact), (other.count, other.exact)])
        is_minimum = not less[1] and less[0] < COUNTED
        return self.leaves == other.leaves and (is_minimum or less == more)


def measure(packets: int = PACKETS) -> Iterator[Line]:
    batches = max(1, packets // BATCH)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cablese-bench-")))
        address = stack.enter_context(postgresql(buffers=BUFFERS))
        with serving(folder / "postgresql", DATABASE_URL=address) as server:
            items = store(server, batches)
            with closing(psycopg.connect(address, autocommit=True)) as database:
                while (row := database.execute(BEHIND).fetchone()) and row[0]:
                    sleep(0.2)
            first = yield from ask(server, "PostgreSQL", items)
        with serving(folder / "sqlite") as server:
            items = store(server, batches)
            server.wait_until_idle()
            second = yield from ask(server, "SQLite", items)
    different = [kind for kind in KINDS if not first[kind].agrees(second[kind])]
    assert not different, f"both databases find the same, but not for {', '.join(different)}"


def store(server: Server, batches: int) -> Items:
    items = mixed()
    for _ in range(batches):
        server.store(items)
    return items


def ask(server: Server, database: str, items: Items) -> Generator[Line, None, dict[str, Answer]]:
    """Yield the figures of a database, and return what each kind of query found."""
    token = server.installation.manage("apikey", "create", "reader", "--scopes", "read")
    by_api = Caller(server, {"Authorization": f"Bearer {token}"}, "/api/v1/search")
    by_page = Caller(server, {"Cookie": sign_in(server)}, "/audit/")
    answers = {kind: read(by_api.get(query)) for kind, query in KINDS.items()}
    cut = sum(answer.is_cut for answer in answers.values())
    yield Line(what=f"kinds, counts that end as minimums, {database}", ours=f"{cut}")
    yield from slowest(f"kinds, API, {database}", by_api, API)
    yield from slowest(f"kinds, HTML, {database}", by_page, HTML)
    again = Caller(server, by_api.headers, by_api.path)  # an idle connection is closed
    waits = while_storing(server, items, lambda: again.get(""))
    yield faster(
        f"kinds, first page while packets are stored, {database}, 95 of 100",
        ours=percentile(waits), baseline=BUSY, target=1,
    )  # fmt: skip
    return answers


class Caller:
    """A connection that stays open, and what is sent with each request."""

    def __init__(self, server: Server, headers: dict[str, str], path: str) -> None:
        self.headers = headers
        self.path = path
        self.connection = HTTPConnection(urlsplit(server.installation.base_url).netloc)

    def get(self, query: str) -> bytes:
        address = f"{self.path}?{urlencode({'q': query})}"
        self.connection.request("GET", address, headers=self.headers)
        answer = self.connection.getresponse()
        body = answer.read()
        assert answer.status == 200, f"{address} answers {answer.status}"
        return body


def sign_in(server: Server) -> str:
    """Return the session cookie of a person who signed in."""
    link = urlsplit(server.installation.sign_in_link("bench"))
    connection = HTTPConnection(link.netloc)
    connection.request("GET", link.path)
    shown = connection.getresponse()
    page, cookies = shown.read().decode(), shown.headers.get_all("Set-Cookie") or []
    token = page.partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]
    connection.request(
        "POST",
        link.path,
        urlencode({"csrfmiddlewaretoken": token}),
        {
            "Content-Type": "application/x-www-form-urlencoded",
            "Cookie": "; ".join(cookie.partition(";")[0] for cookie in cookies),
            "Origin": f"{link.scheme}://{link.netloc}",
        },
    )
    answer = connection.getresponse()
    answer.read()
    given = answer.headers.get_all("Set-Cookie") or []
    return "; ".join(cookie.partition(";")[0] for cookie in given)


def read(body: bytes) -> Answer:
    found: dict[str, Any] = json.loads(body)
    leaves = tuple(packet["leaf"] for packet in found["results"])
    return Answer(leaves, found["count"]["value"], found["count"]["exact"])


def slowest(what: str, caller: Caller, asked: float) -> Iterator[Line]:
    """Yield a line for each kind, and one for the slowest."""
    times = {kind: percentile(waits(caller, query)) for kind, query in KINDS.items()}
    for kind, seconds in times.items():
        yield Line(what=f"{what}, {kind}: {KINDS[kind]}", ours=duration(seconds))
    late = sum(seconds > asked for seconds in times.values())
    worst = max(times, key=lambda kind: times[kind])
    yield faster(
        f"{what}, slowest of {len(KINDS)}, {worst}; {late} over {duration(asked)}",
        ours=times[worst], baseline=asked, target=1,
    )  # fmt: skip


def waits(caller: Caller, query: str) -> list[float]:
    caller.get(query)
    seconds = []
    for _ in range(ROUNDS):
        begin = perf_counter()
        caller.get(query)
        seconds.append(perf_counter() - begin)
    return seconds


def while_storing(server: Server, items: Items, work: Callable[[], object]) -> list[float]:
    """Return the seconds of each piece of work done while batches are stored."""
    storing = Thread(target=lambda: [server.store(items) for _ in range(3)])
    storing.start()
    seconds: list[float] = []
    while storing.is_alive() or len(seconds) < ROUNDS:
        begin = perf_counter()
        work()
        seconds.append(perf_counter() - begin)
    storing.join()
    return seconds


def percentile(seconds: list[float]) -> float:
    return quantiles(seconds, n=20)[-1]
