"""What browsers send: every parameter comes through a form."""

from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
from django import forms

from auditlog import review, sensitive
from auditlog.ingest import zones
from auditlog.log.draft import DEFAULT_LOG
from auditlog.models import Log
from cablese import registry, tokens
from cablese.codec import Unencodable
from cablese.protocols.aacp.authoring.briefing import PROMPTS, Prompt
from cablese.protocols.aacp.authoring.workflow import Workflow, check_input
from cablese.protocols.nslip.training.examples import ROLES, SEED_LIMIT
from playground.workbench import translate

TEXT_LIMIT = 1024 * 1024
TRAINING_LIMIT = 100_000
LINK_LIMIT = 2048
VIEWS = ("table", "tree", "raw")


class WireInput(forms.Textarea):
    """Takes the text itself, or as ``<name>_json`` a JSON string of it.

    A page that only carries a text on must write it as JSON: in an attribute a browser turns NUL
    into U+FFFD and every kind of line end into one.
    """

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Any:
        if f"{name}_json" not in data:
            return super().value_from_datadict(data, files, name)
        try:
            return msgspec.json.decode(data[f"{name}_json"], type=str)
        except (ValueError, RecursionError):
            return None


class WireField(forms.Field):
    """Text exactly as typed: not stripped, any character. The CRLF that browsers send for a line
    end is undone.
    """

    widget = WireInput

    def to_python(self, value: Any) -> str:
        return "" if value is None else str(value).replace("\r\n", "\n")

    def validate(self, value: str) -> None:
        super().validate(value)
        size = len(value.encode(errors="surrogatepass"))
        if size > TEXT_LIMIT:
            raise forms.ValidationError(
                f"The text has {size:,} bytes. The limit of the workbench is {TEXT_LIMIT:,}. "
                "Import larger files to a log instead."
            )


class ProtocolField(forms.ChoiceField):
    """A protocol by name. Cleaned to None for detection."""

    def __init__(self) -> None:
        named = ((codec.name, codec.title) for codec in registry.all_codecs())
        super().__init__(choices=[("", "Auto-detect"), *named], required=False)

    def clean(self, value: Any) -> str | None:
        return super().clean(value) or None


class TokenizerField(forms.ChoiceField):
    """A tokenizer by name; the first one if none is given."""

    def __init__(self) -> None:
        named = [(name, tokens.info(name).title) for name in tokens.names()]
        super().__init__(choices=named, required=False)

    def clean(self, value: Any) -> str:
        return super().clean(value) or tokens.names()[0]


class DecodeForm(forms.Form):
    """A text to read, how to read it, and which of its messages to show: by number, or the one at
    the caret.

    ``top`` and ``bottom`` are the stretch of the text that the browser shows, ``rows`` how many
    rows of the list it has, ``other`` a message to compare with.

    The caret counts UTF-16 units, as the browser does.
    """

    text = WireField(required=False)
    protocol = ProtocolField()
    tokenizer = TokenizerField()
    to = forms.ChoiceField(choices=[("", ""), *translate.choices()], required=False)
    message = forms.IntegerField(required=False, min_value=1)
    view = forms.ChoiceField(choices=[(view, view) for view in VIEWS], required=False)
    caret = forms.IntegerField(required=False, min_value=0)
    top = forms.IntegerField(required=False, min_value=0)
    bottom = forms.IntegerField(required=False, min_value=0)
    offset = forms.IntegerField(required=False, min_value=0)
    other = forms.CharField(required=False)
    rows = forms.IntegerField(required=False, min_value=0)

    def clean_other(self) -> int | None:
        """A number that is half typed is none, and never keeps the text from being read."""
        typed: str = self.cleaned_data["other"]
        return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 9 else None


class ZoneField(forms.CharField):
    """A time zone by its IANA name; UTC when none is given. Cleaned to a ZoneInfo."""

    def __init__(self) -> None:
        super().__init__(required=False, max_length=100, label="Time zone")

    def clean(self, value: Any) -> ZoneInfo:
        try:
            return zones.find(super().clean(value) or zones.DEFAULT)
        except zones.UnknownZone as unknown:
            raise forms.ValidationError(str(unknown)) from None


class RedactionForm(DecodeForm):
    """A text, and the fields to take out of it; none named means those that hold something
    sensitive.
    """

    redact = forms.CharField(required=False, max_length=100_000, strip=False)

    def clean(self) -> dict[str, Any]:
        said: str = self.cleaned_data.get("redact", "")
        try:
            keys = msgspec.json.decode(said, type=list[str]) if said else None
        except (ValueError, RecursionError):
            raise forms.ValidationError("Expected a JSON array of field names.") from None
        return self.cleaned_data | {"keys": keys}


class EditForm(forms.Form):
    """A new value for a field of the shown message; fields count from 1."""

    field = forms.IntegerField(min_value=1)
    value = WireField(required=False)


class LinkForm(DecodeForm):
    """A text that stands in an address. It is short, so that a link is never the way to
    send one.
    """

    def clean_text(self) -> str:
        text: str = self.cleaned_data["text"]
        size = len(text.encode(errors="surrogatepass"))
        if size > LINK_LIMIT:
            raise forms.ValidationError(
                f"The link has {size:,} bytes of text. The limit is {LINK_LIMIT:,}. "
                "Paste the text instead."
            )
        return text


class FactsForm(forms.Form):
    """What the person who saves says beside the packets; it is stored apart from what they say
    themselves.
    """

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


class LogForm(forms.Form):
    """One of the logs of this installation."""

    log = forms.ModelChoiceField(
        Log.objects.order_by("slug"), to_field_name="slug", required=False, empty_label=None
    )

    def clean_log(self) -> Log:
        return self.cleaned_data["log"] or Log.objects.get(slug=DEFAULT_LOG)


class ImportForm(LogForm):
    """A file to keep in a log, and what it is."""

    file = forms.FileField(
        error_messages={"required": "Choose a file first.", "empty": "The file is empty."}
    )
    kind = forms.ChoiceField(
        required=False,
        choices=[
            ("", "Auto-detect"),
            ("text", "Plain text: a log or a chat"),
            ("ndjson", "NDJSON: one item per line"),
        ],
    )
    protocol = ProtocolField()
    zone = ZoneField()


class PieceForm(ImportForm):
    """Where a piece of a file stands in it; ``file`` is a name of the file's own."""

    at = forms.IntegerField(min_value=0)
    line = forms.IntegerField(min_value=1)
    final = forms.BooleanField(required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["file"] = forms.CharField(max_length=1_000)


class SearchForm(forms.Form):
    """A query over one log, and where its page begins.

    ``logs`` are all logs. The page lists them, so the chosen one is not read from the database
    again.
    """

    log = forms.Field(required=False)
    q = forms.CharField(required=False, max_length=10_000)
    cursor = forms.CharField(required=False, max_length=2_000)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.logs = list(Log.objects.order_by("slug"))

    def clean_log(self) -> Log:
        slug = self.cleaned_data["log"] or DEFAULT_LOG
        for log in self.logs:
            if log.slug == slug:
                return log
        message = forms.ModelChoiceField.default_error_messages["invalid_choice"]
        raise forms.ValidationError(message, code="invalid_choice")


class FilterForm(forms.Form):
    """Words that leave some of a list."""

    q = forms.CharField(required=False, max_length=200)


class TrainingForm(forms.Form):
    """Which training examples of nSLIP: seed 0, a thousand of them and every role unless something
    else is said.
    """

    seed = forms.IntegerField(required=False, min_value=0, max_value=SEED_LIMIT)
    count = forms.IntegerField(required=False, min_value=1, max_value=TRAINING_LIMIT)
    roles = forms.MultipleChoiceField(required=False, choices=[(role, role) for role in ROLES])

    def clean_seed(self) -> int:
        return self.cleaned_data["seed"] or 0

    def clean_count(self) -> int:
        return self.cleaned_data["count"] or 1_000

    def clean_roles(self) -> list[str]:
        return self.cleaned_data["roles"] or list(ROLES)


class TokenizerForm(forms.Form):
    """What to count with."""

    tokenizer = TokenizerField()


class EntryForm(forms.Form):
    """How the fields of a packet are shown."""

    view = forms.ChoiceField(choices=[(view, view) for view in VIEWS], required=False)

    def chosen(self) -> str:
        return (self.is_valid() and self.cleaned_data["view"]) or VIEWS[0]


class ReviewForm(forms.Form):
    """A step of a packet's review."""

    state = forms.ChoiceField(choices=[(state, state) for state in review.STATES])
    note = forms.CharField(required=False, max_length=review.NOTE_LIMIT)


class WorkflowForm(forms.Form):
    """The inputs of an AACP workflow; the workflow itself says what fits."""

    def __init__(self, workflow: Workflow, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.workflow = workflow
        for one in workflow.inputs:
            shown = forms.TextInput(
                {"pattern": one.kind.pattern, "title": one.kind.hint, "autocomplete": "off"}
            )
            self.fields[one.name] = forms.CharField(
                required=False,
                max_length=200,
                label=one.label,
                help_text=one.kind.hint,
                widget=shown,
            )

    def clean(self) -> dict[str, str]:
        for one in self.workflow.inputs:
            if one.name in self.errors:
                continue
            try:
                check_input(one, self.cleaned_data.get(one.name))
                sensitive.refuse({one.name: self.cleaned_data.get(one.name)})
            except Unencodable as bad:
                self.add_error(one.name, bad.reason)
        return self.cleaned_data


class SlotsForm(forms.Form):
    """An instruction and its packet, both with slots; `cablese.protocols.aacp.authoring.template`
    says what they may hold.
    """

    english = WireField(required=False)
    packet = WireField(required=False)


class EnglishForm(forms.Form):
    """An instruction in English; the router says what it may hold."""

    english = WireField(required=False)
    again = forms.BooleanField(required=False)
    prompt = forms.ChoiceField(choices=list(PROMPTS.items()), required=False)

    def clean_prompt(self) -> Prompt:
        return "full" if self.cleaned_data["prompt"] == "full" else "brief"
