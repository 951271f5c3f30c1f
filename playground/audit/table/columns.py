"""The columns of the list of packets: some are always shown, some usually, some when chosen.

A choice that names all that are always shown is in the reader's own order. Any other, such as an
address written by hand, is in the order of `COLUMNS`.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from playground.audit.packet_rows import PacketRow
from playground.display.titles import protocol_title


class Column(NamedTuple):
    """A column. ``show`` gives the text of its cell; `lines` draws the cells without it."""

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
    Column("parties", "From → to", usual=True),
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
_BY_NAME = {column.name: column for column in COLUMNS}


def choose(names: Sequence[str]) -> list[Column]:
    """Return the named columns and those that are always shown; the usual ones without a name."""
    chosen = list(dict.fromkeys(names)) or USUAL
    if all(column.name in chosen for column in COLUMNS if column.always):
        return [_BY_NAME[name] for name in chosen if name in _BY_NAME]
    return [column for column in COLUMNS if column.always or column.name in chosen]


class Choice(NamedTuple):
    """A column in the menu: whether it is shown, can move up or down, and which button of it has
    the focus.
    """

    column: Column
    is_shown: bool
    up: bool = False
    down: bool = False
    focused: str = ""


def list_choices(shown: Sequence[Column], moved: str = "", by: str = "") -> list[Choice]:
    """Return all columns, those that are shown first. The one that was just moved has the focus."""
    choices = []
    for at, column in enumerate(shown):
        up, down = at > 0, at < len(shown) - 1
        focused = by if {"up": up, "down": down}.get(by) else "up" if up else "down"
        focused = focused if column.name == moved else ""
        choices.append(Choice(column, is_shown=True, up=up, down=down, focused=focused))
    others = [column for column in COLUMNS if column not in shown]
    return [*choices, *(Choice(column, is_shown=False) for column in others)]


def move(columns: Sequence[Column], name: str, by: int) -> list[Column]:
    """Return the columns with one of them moved by so many places, as far as there are some."""
    moved = list(columns)
    at = next((at for at, column in enumerate(moved) if column.name == name), None)
    if at is not None:
        moved.insert(max(0, at + by), moved.pop(at))
    return moved
