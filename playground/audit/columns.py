"""The columns of the list of packets: some are always shown, some usually, some when chosen."""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from playground.audit.packet_rows import PacketRow
from playground.display.titles import protocol_title


class Column(NamedTuple):
    """A column. ``show`` gives its text; without it, the template draws the cell."""

    name: str
    title: str
    usual: bool = False
    show: Callable[[PacketRow], str] | None = None
    always: bool = False


COLUMNS = (
    Column("sent", "Sent", usual=True),
    Column("state", "State", usual=True, always=True),
    Column("act", "Act", usual=True, show=lambda row: row.act),
    Column("english", "English", usual=True, always=True),
    Column("parties", "From → to", usual=True, show=lambda row: row.parties),
    Column("goal", "Goal/task", usual=True, show=lambda row: row.goal),
    Column("tokens", "Tokens", usual=True, show=lambda row: f"{row.packet.tokens:,}"),
    Column("raw", "Raw text", show=lambda row: row.raw),
    Column("protocol", "Protocol", show=lambda row: protocol_title(row.record["protocol"])),
    Column("tags", "Tags", show=lambda row: row.tags),
    Column("thread", "Conversation", show=lambda row: row.thread),
    Column("source", "Source", show=lambda row: row.record["source"]),
    Column("received", "Received"),
    Column("packet", "Packet", show=lambda row: f"{row.packet.leaf:,}"),
)
USUAL = [column.name for column in COLUMNS if column.usual]
Cells = list[tuple[Column, str]]
"""The column and the text of each cell of a row."""


def choose(names: Collection[str]) -> list[Column]:
    """Return the named columns and those that are always shown; the usual ones without a name."""
    chosen = names or USUAL
    return [column for column in COLUMNS if column.always or column.name in chosen]


def fill(rows: Sequence[PacketRow], columns: Sequence[Column]) -> list[tuple[PacketRow, Cells]]:
    """Return each row with its cells."""
    return [
        (row, [(column, column.show(row) if column.show else "") for column in columns])
        for row in rows
    ]
