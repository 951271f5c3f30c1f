from typing import Any

from django import forms

from auditlog.log.draft import DEFAULT_LOG
from auditlog.models import Log


class HealthForm(forms.Form):
    """A log by its name. ``logs`` are all of them, and ``log`` is the chosen one."""

    log = forms.CharField(required=False, max_length=40)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.logs = list(Log.objects.order_by("slug"))

    def clean_log(self) -> Log:
        slug = self.cleaned_data["log"] or DEFAULT_LOG
        for log in self.logs:
            if log.slug == slug:
                return log
        raise forms.ValidationError(f'Unknown log "{slug}".')
