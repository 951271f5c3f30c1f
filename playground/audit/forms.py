"""Forms of the trail: metadata to save, files to import, searches, and reviews.

Metadata of log lines and records can be corrected before the messages are saved.

    {"role": "user", "name": "ada", "content": "REQ/TSK|g=42"}       from ada
    2026-11-20 10:00:01 planner -> executor PRO/PLN|g=42             sent, from planner, to executor

A name or thread is corrected once for all messages that share it, and a time for one message.
Unchanged metadata is stored as stated by the line, and corrected metadata as supplied by the person
who saves.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django import forms

from auditlog import review
from auditlog.ingest import zones
from auditlog.ingest.item import NAME_LIMIT, Item, wrong_time
from auditlog.ingest.logged import correct, move
from auditlog.log.draft import DEFAULT_LOG
from auditlog.models import Log
from cablese.message import Span
from cablese.transcript import Cut, Ignored
from playground.audit.table.columns import COLUMNS
from playground.workbench.forms import VIEWS, ProtocolField

SHOWN = 20
Sides = tuple[str | None, str | None]
NO_SIDES: Sides = (None, None)


@dataclass(frozen=True, slots=True)
class Group:
    """Fields of the form, and the number of messages that they apply to."""

    fields: tuple[forms.BoundField, ...]
    messages: int


class ZoneField(forms.CharField):
    """A time zone by its IANA name; UTC when none is given. Cleaned to a ZoneInfo."""

    def __init__(self) -> None:
        super().__init__(required=False, max_length=100, label="Time zone")

    def clean(self, value: Any) -> ZoneInfo:
        try:
            return zones.find(super().clean(value) or zones.DEFAULT)
        except zones.UnknownZone as unknown:
            raise forms.ValidationError(str(unknown)) from None


class ZoneForm(forms.Form):
    """The time zone of times that a log writes without one, and the zone that the page used."""

    zone = ZoneField()
    shown_zone = ZoneField()

    def both(self) -> tuple[ZoneInfo, ZoneInfo]:
        """Return the zone and the one that the page used; UTC for an invalid zone."""
        self.is_valid()
        cleaned = getattr(self, "cleaned_data", {})
        return cleaned.get("zone", zones.UTC), cleaned.get("shown_zone", zones.UTC)


class LineFactsForm(forms.Form):
    """The names, the threads, and the first times that lines state, to correct or clear."""

    def __init__(
        self,
        items: Sequence[Item],
        data: Mapping[str, Any] | None = None,
        *,
        shown_zone: ZoneInfo = zones.UTC,
    ) -> None:
        self.items = items
        self._sides = _count(_sides(item) for item in items)
        self._threads = _count(
            item.thread if "thread" in (item.from_line or ()) else None for item in items
        )
        timed = [at for at, item in enumerate(items) if "sent_at" in (item.from_line or ())]
        self.times = timed[:SHOWN]
        self.left = max(0, len(self._sides) - SHOWN) + max(0, len(self._threads) - SHOWN)
        """Groups beyond those that are shown. Their metadata is stored as the lines state it."""
        self.times_left = len(timed) - len(self.times)
        self.assumed = any(item.sent_zone for item in items)
        super().__init__(data)
        for at, (sender, recipient) in enumerate(list(self._sides)[:SHOWN]):
            self.fields[f"from-{at}"] = _name("From", sender)
            self.fields[f"to-{at}"] = _name("To", recipient)
        for at, thread in enumerate(list(self._threads)[:SHOWN]):
            self.fields[f"thread-{at}"] = _name("Thread", thread)
        for at in self.times:
            self.fields[f"sent-{at}"] = TimeField(items[at].sent_at)
        if data is not None:
            self.data = self._given(data, shown_zone)

    @property
    def pairs(self) -> Iterator[Group]:
        for at, sides in enumerate(list(self._sides)[:SHOWN]):
            yield Group((self[f"from-{at}"], self[f"to-{at}"]), self._sides[sides])

    @property
    def threads(self) -> Iterator[Group]:
        for at, thread in enumerate(list(self._threads)[:SHOWN]):
            yield Group((self[f"thread-{at}"],), self._threads[thread])

    def time(self, at: int) -> forms.BoundField | None:
        """Return the field for the time of a message, if it has one."""
        return self[f"sent-{at}"] if f"sent-{at}" in self.fields else None

    def corrected(self) -> list[Item]:
        """Return the items with the corrections of a valid form."""
        sides = {pair: at for at, pair in enumerate(list(self._sides)[:SHOWN])}
        threads = {thread: at for at, thread in enumerate(list(self._threads)[:SHOWN])}
        return [self._correct(at, item, sides, threads) for at, item in enumerate(self.items)]

    def _correct(
        self, at: int, item: Item, sides: dict[Sides, int], threads: dict[str | None, int]
    ) -> Item:
        cleaned = self.cleaned_data
        facts: dict[str, str | None] = {}
        place = sides.get(_sides(item))
        if place is not None:
            names = {"from_": cleaned[f"from-{place}"], "to": cleaned[f"to-{place}"]}
            # Names that were not stated by the line are not corrected here.
            facts |= {name: value or None for name, value in names.items() if _is_open(item, name)}
        place = threads.get(item.thread) if "thread" in (item.from_line or ()) else None
        if place is not None:
            facts["thread"] = cleaned[f"thread-{place}"] or None
        if f"sent-{at}" in cleaned:
            facts["sent_at"] = cleaned[f"sent-{at}"] or None
        return correct(item, **facts)

    def _given(self, data: Mapping[str, Any], shown_zone: ZoneInfo) -> dict[str, Any]:
        """Return ``data`` completed by what the lines state. An unchanged time moves to the chosen
        zone.
        """
        given = {name: data.get(name, field.initial) for name, field in self.fields.items()}
        for at in self.times:
            if given.get(f"sent-{at}") == move(self.items[at], shown_zone).sent_at:
                given[f"sent-{at}"] = self.items[at].sent_at
        return given


def count_left(text: str, cuts: Sequence[Cut], ignored: Sequence[Ignored]) -> int:
    """Return the number of ignored fragments that are not stored: outside the lines and records
    whose metadata is stored.
    """
    stated = [_extent(text, cut) for cut in cuts if cut.facts]
    starts = [extent.start for extent in stated]
    return sum(not _is_within(fragment.span, stated, starts) for fragment in ignored)


def _extent(text: str, cut: Cut) -> Span:
    around = cut.span if cut.carrier is None else cut.carrier.span
    end = text.find("\n", around.end)
    return Span(text.rfind("\n", 0, around.start) + 1, len(text) if end < 0 else end)


def _is_within(span: Span, stated: Sequence[Span], starts: Sequence[int]) -> bool:
    at = bisect_right(starts, span.start) - 1
    return at >= 0 and span.end <= stated[at].end


class TimeField(forms.CharField):
    """A time in RFC 3339 with an offset, or nothing."""

    def __init__(self, initial: str | None) -> None:
        super().__init__(required=False, max_length=40, label="Sent", initial=initial or "")

    def clean(self, value: Any) -> str:
        text: str = super().clean(value)
        wrong = wrong_time(text) if text else None
        if wrong:
            raise forms.ValidationError(wrong)
        return text


def _sides(item: Item) -> Sides:
    """Return the sender and recipient that the line itself states."""
    line = item.from_line or ()
    return item.from_ if "from" in line else None, item.to if "to" in line else None


def _is_open(item: Item, name: str) -> bool:
    return getattr(item, name) is None or name.removesuffix("_") in (item.from_line or ())


def _count(values: Iterator[Any]) -> dict[Any, int]:
    counts: dict[Any, int] = {}
    for value in values:
        if value not in (None, NO_SIDES):
            counts[value] = counts.get(value, 0) + 1
    return counts


def _name(label: str, initial: str | None) -> forms.CharField:
    return forms.CharField(
        required=False, max_length=NAME_LIMIT, label=label, initial=initial or ""
    )


class FactsForm(forms.Form):
    """Metadata that a person adds when saving. It is stored separately from the packets."""

    goal = forms.CharField(required=False, max_length=1000, label="Goal")
    task = forms.CharField(required=False, max_length=1000, label="Task")
    sender = forms.CharField(required=False, max_length=1000, label="From")
    recipient = forms.CharField(required=False, max_length=1000, label="To")
    thread = forms.CharField(required=False, max_length=1000, label="Thread")
    tags = forms.CharField(
        required=False, max_length=1000, label="Tags", help_text="Separated by commas."
    )

    def clean_tags(self) -> list[str]:
        return [
            tag
            for tag in (part.strip().lstrip("@") for part in self.cleaned_data["tags"].split(","))
            if tag
        ]


UNKNOWN_LOG = 'Unknown log "%(value)s".'
LARGEST = 2**53 - 1
"""The largest whole number that a script of a page can send."""
_DIGEST = r"\A[0-9a-f]{64}\Z"


class LogForm(forms.Form):
    """One of the logs of this installation."""

    log = forms.ModelChoiceField(
        Log.objects.order_by("slug"),
        to_field_name="slug",
        required=False,
        empty_label=None,
        error_messages={"invalid_choice": UNKNOWN_LOG},
    )

    def clean_log(self) -> Log:
        return self.cleaned_data["log"] or Log.objects.get(slug=DEFAULT_LOG)


class ImportForm(LogForm):
    """A file to store in a log, and its format."""

    file = forms.FileField(
        error_messages={"required": "Choose a file first.", "empty": "The file is empty."}
    )
    kind = forms.ChoiceField(
        required=False,
        choices=[
            ("", "Auto-detect"),
            ("text", "Plain text: a log or a chat"),
            ("ndjson", "NDJSON: one message per line"),
        ],
    )
    protocol = ProtocolField()
    zone = ZoneField()


class EarlierForm(LogForm):
    """The size of a file, of which earlier imports into a log are asked for."""

    size = forms.IntegerField(min_value=1, max_value=LARGEST)


class ChunkForm(ImportForm):
    """The position of a chunk in its file. ``file`` is what identifies the file, ``earlier`` the ID
    of the earlier import that it begins with, and ``context`` what the answer to the chunk before
    it had. The last chunk comes with the ``digest`` of the file.
    """

    at = forms.IntegerField(min_value=0, max_value=LARGEST)
    line = forms.IntegerField(min_value=1, max_value=LARGEST)
    final = forms.BooleanField(required=False)
    context = forms.CharField(required=False, max_length=2_000)
    earlier = forms.IntegerField(required=False, min_value=1, max_value=LARGEST)
    digest = forms.RegexField(_DIGEST, required=False, max_length=64)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["file"] = forms.CharField(max_length=1_000)


class OneLogForm(forms.Form):
    """A log by its name. ``logs`` are all logs. The page lists them, so the chosen one is not read
    from the database again.
    """

    log = forms.Field(required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.logs = list(Log.objects.order_by("slug"))

    def clean_log(self) -> Log:
        slug = self.cleaned_data["log"] or DEFAULT_LOG
        for log in self.logs:
            if log.slug == slug:
                return log
        raise forms.ValidationError(
            UNKNOWN_LOG, code="invalid_choice", params={"value": str(slug)[:100]}
        )


class SearchForm(OneLogForm):
    """A query over one log, and the cursor of its page."""

    q = forms.CharField(required=False, max_length=10_000)
    cursor = forms.CharField(required=False, max_length=2_000)


class TrailForm(forms.Form):
    """The columns of the list of packets, and the packet that is open beside it."""

    columns = forms.MultipleChoiceField(
        choices=[(column.name, column.title) for column in COLUMNS], required=False
    )
    packet = forms.UUIDField(required=False)

    def read(self) -> tuple[list[str], UUID | None]:
        """Return the chosen columns, none for the usual ones, and the packet; ignore the rest."""
        self.is_valid()
        return self.cleaned_data.get("columns", []), self.cleaned_data.get("packet")


class ConversationForm(forms.Form):
    """The conversation that is shown beside the list, by the leaf index of its first packet, and
    whether the list has all of them.
    """

    all = forms.BooleanField(required=False)
    conversation = forms.IntegerField(required=False, min_value=0, max_value=LARGEST)

    def read(self) -> tuple[int | None, bool]:
        """Return the leaf index, ignoring an invalid one, and whether the list has all."""
        self.is_valid()
        return self.cleaned_data.get("conversation"), self.cleaned_data["all"]


class EntryForm(forms.Form):
    """How the fields of a packet are shown, and the query that led to it."""

    view = forms.ChoiceField(choices=[(view, view) for view in VIEWS], required=False)
    q = forms.CharField(required=False, max_length=10_000)

    def read(self) -> tuple[str, str]:
        """Return the view and the query, or the usual ones instead of invalid ones."""
        self.is_valid()
        return self.cleaned_data.get("view") or VIEWS[0], self.cleaned_data.get("q", "")


class ReviewForm(forms.Form):
    """A step of a packet's review, or the leaf of one to undo."""

    state = forms.ChoiceField(choices=[(state, state) for state in review.STATES], required=False)
    note = forms.CharField(required=False)
    undoes = forms.IntegerField(min_value=0, max_value=LARGEST, required=False)
