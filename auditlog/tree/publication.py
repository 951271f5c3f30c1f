"""How a log is published: to whom, and after how many cosignatures."""

from auditlog.models import Log, TreeSettings


def read(log: Log) -> TreeSettings:
    """Return the settings of a log."""
    return TreeSettings.objects.filter(log=log).first() or TreeSettings(log=log)


def change(log: Log, *, public: bool | None = None, required: int | None = None) -> TreeSettings:
    """Change the settings of a log. What is None stays as it is."""
    stored = read(log)
    stored.public = stored.public if public is None else public
    stored.required = stored.required if required is None else required
    stored.save()
    return stored
