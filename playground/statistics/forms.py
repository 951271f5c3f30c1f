"""The form of the statistics page."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any, NamedTuple

from django import forms

from auditlog.log.draft import DEFAULT_LOG
from auditlog.models import Log, Source
from auditlog.rollup import read
from playground.statistics.scope import (
    MOST_DAYS,
    MOST_DOLLARS,
    USUAL_DAYS,
    BadRange,
    Scope,
    choose,
)

PRESETS = ((7, "7 days"), (USUAL_DAYS, "30 days"), (90, "90 days"))
ALL_DAYS = "all"


class Shown(NamedTuple):
    """The values of the fields."""

    log: str
    first: str
    last: str
    source: str


class StatisticsForm(forms.Form):
    """A log, a range of days, a source, and a price. ``logs`` and ``sources`` are all of them."""

    log = forms.CharField(required=False, max_length=40)
    days = forms.CharField(required=False, max_length=20)
    source = forms.CharField(required=False, max_length=100)
    price_model = forms.CharField(required=False, max_length=200)
    price_for = forms.CharField(required=False, max_length=200)
    price_input = forms.DecimalField(
        label="Price", required=False, min_value=0, max_value=MOST_DOLLARS
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["from"] = forms.DateField(required=False, input_formats=["%Y-%m-%d"])
        self.fields["to"] = forms.DateField(required=False, input_formats=["%Y-%m-%d"])
        for name in ("from", "to"):
            wrong = f"Enter a date such as {datetime.now(UTC):%Y-%m-%d}."
            self.fields[name].error_messages["invalid"] = wrong
        self.logs = list(Log.objects.order_by("slug"))
        self.sources = list(Source.objects.order_by("name"))
        self.scope: Scope | None = None

    def clean_log(self) -> Log:
        slug = self.cleaned_data["log"] or DEFAULT_LOG
        for log in self.logs:
            if log.slug == slug:
                return log
        raise forms.ValidationError("Unknown log. Choose one from the list.")

    def clean_days(self) -> str:
        days = str(self.cleaned_data["days"])
        if days in ("", ALL_DAYS, *(str(number) for number, _ in PRESETS)):
            return days
        raise forms.ValidationError("Expected 7, 30, 90, or all.")

    def clean_source(self) -> Source | None:
        name = self.cleaned_data["source"]
        if not name:
            return None
        for source in self.sources:
            if source.name == name:
                return source
        raise forms.ValidationError("Unknown source. Choose one from the list.")

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        if not self.errors:
            today = datetime.now(UTC).date()
            first, last = cleaned["from"], cleaned["to"]
            if cleaned["days"]:
                first, last = _of_preset(cleaned["log"], cleaned["days"], today)
            try:
                self.scope = choose(cleaned["log"], cleaned["source"], first, last, today)
            except BadRange as bad:
                self.add_error(bad.name, str(bad))
        return cleaned

    @property
    def shown(self) -> Shown:
        """Return what the fields show: what is drawn, or what was sent if that is wrong."""
        if self.scope is None:
            sent = [str(self[name].value() or "") for name in ("log", "from", "to", "source")]
            return Shown(*sent)
        source = self.scope.source
        first, last = (day.isoformat() for day in self.scope.span)
        return Shown(self.scope.log.slug, first, last, source.name if source else "")

    @property
    def price(self) -> Decimal | None:
        """Return the price that was sent, if any."""
        price: Decimal | None = self.cleaned_data.get("price_input")
        return price


def _of_preset(log: Log, days: str, today: date) -> tuple[date, date]:
    if days != ALL_DAYS:
        return today - timedelta(int(days) - 1), today
    whole = read.find_span(log.pk)
    last = max(today, whole.last) if whole else today
    first = whole.first if whole else today
    return max(first, last - timedelta(MOST_DAYS - 1)), last
