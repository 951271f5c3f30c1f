"""The lines of the list of packets as HTML: text that is escaped here, in tags that are ours.

A page has some 350 cells. A template takes 60 µs for each, which was most of the time of a page.
"""

from collections.abc import Callable, Sequence
from html import escape
from urllib.parse import quote

from django.urls import reverse
from django.utils.safestring import SafeString

from auditlog.models import Log
from playground.audit.packet_rows import PacketRow
from playground.audit.table.columns import Column
from playground.templatetags.audit import draw_marks, draw_sent, draw_time, show_time
from playground.templatetags.wire import draw_parties

_ANY = "00000000-0000-0000-0000-000000000000"
Draw = Callable[[PacketRow], str]


def draw(
    rows: Sequence[PacketRow], columns: Sequence[Column], log: Log, *, kept: str, opened: str = ""
) -> SafeString:
    """Return a line for each packet of a log. ``kept`` is the query string of the links to the
    packets, and ``opened`` the ID of the packet that is open beside the list.
    """
    before, _, after = reverse("entry", args=[log.slug, _ANY]).partition(_ANY)
    after += f"?{kept}" if kept else ""

    def draw_english(row: PacketRow) -> str:
        uid = row.packet.uid
        current = ' aria-current="true"' if uid == opened else ""
        address = escape(f"{before}{quote(uid)}{after}")
        return (
            f'<th scope="row" class="c-english"><a class="open" href="{address}"{current}'
            f">{escape(row.english)}</a></th>"
        )

    cells = [draw_english if one.name == "english" else _cell(one) for one in columns]
    lines = ["".join([cell(row) for cell in cells]) for row in rows]
    return SafeString("".join([f"<tr>{line}</tr>\n" for line in lines]))


def _cell(column: Column) -> Draw:
    """Return what draws the cells of a column."""
    show = column.show
    if show is None:
        return _DRAWN[column.name]
    start = f'<td class="c-{column.name}" data-label="{escape(column.title)}">'
    return lambda row: f"{start}{escape(show(row))}</td>"


def _draw_sent(row: PacketRow) -> str:
    return f'<td class="c-sent">{draw_sent(row.sent, row.packet.sent_at)}</td>'


def _draw_received(row: PacketRow) -> str:
    at = row.packet.received
    time = draw_time(at, f"Received {show_time(at)} UTC")
    return f'<td class="c-received" data-label="Received">{time}</td>'


def _draw_parties(row: PacketRow) -> str:
    drawn = draw_parties(*row.parties, unknown="?") if any(row.parties) else ""
    return f'<td class="c-parties" data-label="From → to">{drawn}</td>'


def _draw_marks(row: PacketRow) -> str:
    return f'<td class="c-state marks">{draw_marks(row.all_marks)}</td>'


_DRAWN: dict[str, Draw] = {
    "sent": _draw_sent, "state": _draw_marks, "parties": _draw_parties, "received": _draw_received,
}  # fmt: skip
