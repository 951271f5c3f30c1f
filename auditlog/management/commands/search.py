from argparse import ArgumentParser, ArgumentTypeError
from codecs import iterdecode
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import chain
from typing import Any

from django.core.management.base import CommandError

from auditlog.command import DatabaseCommand
from auditlog.export.lines import FORMS
from auditlog.log import packet as packets
from auditlog.log.draft import DEFAULT_LOG
from auditlog.models import Packet
from auditlog.search.find import MAX_LIMIT, UnknownLog, find
from auditlog.search.language import paste
from auditlog.search.query import QueryError
from cablese import detection
from cablese.text import clean

INVALID_QUERY = 2
WIDTH = 160
"""Characters of a message in the table."""


def _limit(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError("expected a whole number, 1 or greater")
    return int(text)


class Command(DatabaseCommand):
    help = "Search the packets of a log, newest first, in the language of the search page."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "query", nargs="?", default="", help="for example 'goal:42 is:invalid' (default: all)"
        )
        parser.add_argument("--log", default=DEFAULT_LOG, help="the log (default: default)")
        parser.add_argument(
            "--limit",
            type=_limit,
            default=50,
            help="maximum number of packets to print (default: 50)",
        )
        parser.add_argument(
            "--format", choices=("table", "ndjson", "csv"), default="table", help="default: table"
        )
        parser.add_argument(
            "--count",
            action="store_true",
            help="print only the number of packets; 10000+ if there are more",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        query: str = options["query"]
        try:
            self._write(query, options)
        except QueryError as error:
            raise CommandError(_point(query, error), returncode=INVALID_QUERY) from None
        except UnknownLog as unknown:
            raise CommandError(
                f"{unknown} To list all: manage.py log list.", returncode=INVALID_QUERY
            ) from None
        if offer := paste.recognize(query):
            self.stderr.write(_offer(offer))

    def _write(self, query: str, options: dict[str, Any]) -> None:
        log, limit, form = options["log"], options["limit"], options["format"]
        if options["count"]:
            count = find([log], query, limit=1, now=datetime.now(UTC)).count
            self.stdout.write(f"{count.value}{'' if count.exact else '+'}")
            return
        pages = _find(log, query, limit)
        if form == "table":
            for packet in chain.from_iterable(pages):
                self.stdout.write(_row(packet))
            return
        blocks = FORMS[form](list(packets.exported(page)) for page in pages)
        for text in iterdecode(blocks, "utf-8"):  # a block may end within a character
            self.stdout.write(text, ending="")


def _find(log: str, query: str, limit: int) -> Iterator[list[Packet]]:
    now, cursor = datetime.now(UTC), None
    while limit > 0:
        page = find([log], query, limit=min(limit, MAX_LIMIT), cursor=cursor, now=now)
        yield page.rows
        limit -= MAX_LIMIT
        cursor = page.next
        if cursor is None:
            return


def _row(packet: Packet) -> str:
    """Return a line of the table. It has no control characters, which could steer a terminal."""
    message = packets.read(packet)
    sentence = "" if message.protocol == detection.UNKNOWN else packets.describe(message)
    text = (sentence or packets.wire(packet))[:WIDTH]
    shown = clean(text)
    mark = "valid" if packet.valid else "invalid"
    return (
        f"{packet.leaf:>8}  {packet.received:%Y-%m-%d %H:%M:%S}Z  {packet.protocol:<7}  {mark:<7}"
        f"  {shown}"
    )


def _point(query: str, error: QueryError) -> str:
    """Return an error with a caret under its place, what to write, and what a paste could be."""
    start, end = error.span
    lines = [
        clean(error.message),
        f"  {clean(query)}",
        f"  {' ' * start}{'^' * max(1, end - start)}",
    ]
    if error.suggestion:
        lines.append(clean(error.suggestion))
    if offer := paste.recognize(query):
        lines.append(_offer(offer))
    return "\n".join(lines)


def _offer(offer: paste.Offer) -> str:
    found = "\n".join(f"  {query}" for query in offer.queries)
    return f"This looks like a message in {offer.title}. To find it, search for:\n{found}"
