"""The lines of the list of packets as HTML: text that is escaped here, in tags that are ours.

A page has some 350 cells. A template takes 60 µs for each, which was most of the time of a page.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from html import escape
from urllib.parse import quote

from django.urls import reverse
from django.utils.safestring import SafeString

from auditlog.models import Log
from playground.audit.marks import Mark
from playground.audit.packet_rows import PacketRow
from playground.audit.table.columns import Column

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
    """When a packet was sent, in UTC until a script shows it in the reader's time zone."""
    shown = _show(row.sent)
    if row.packet.sent_at:
        return f'<td class="c-sent">{_time(row.sent, f"Sent {shown} UTC")}</td>'
    title = f"Received {shown} UTC. No sent time."
    time = _time(row.sent, title, ' class="not-sent"')
    return f'<td class="c-sent">{time} <span class="visually-hidden">received</span></td>'


def _draw_received(row: PacketRow) -> str:
    at = row.packet.received
    time = _time(at, f"Received {_show(at)} UTC")
    return f'<td class="c-received" data-label="Received">{time}</td>'


def _time(at: datetime, title: str, more: str = "") -> str:
    return f'<time data-at datetime="{at.isoformat()}"{more} title="{title}">{_show(at)}</time>'


def _show(at: datetime) -> str:
    return at.isoformat(" ")[:19]


def _draw_marks(row: PacketRow) -> str:
    return f'<td class="c-state marks">{"".join(map(_draw_mark, row.all_marks))}</td>'


def _draw_mark(mark: Mark) -> str:
    title = escape(mark.title)
    return (
        f'<span class="sign {escape(mark.name)}" role="img" title="{title}"\n'
        f'aria-label="{title}">{escape(mark.sign)}</span>'
    )


_DRAWN: dict[str, Draw] = {
    "sent": _draw_sent, "state": _draw_marks, "received": _draw_received,
}  # fmt: skip
