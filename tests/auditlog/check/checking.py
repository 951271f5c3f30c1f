"""Self-checks for tests."""

from auditlog.check.fault import Fault
from auditlog.check.run import Run
from auditlog.check.table import SelfCheck
from auditlog.models import Log


def check(log: Log, *, full: bool = True) -> list[Fault]:
    """Check a log, from its first leaf, and return the faults."""
    SelfCheck.objects.filter(log=log).delete()
    row = SelfCheck.objects.create(log=log, full=full)
    run = Run(row)
    for _ in run.steps():
        pass
    assert row.ended is not None
    return run.faults.named


def check_all() -> list[tuple[str, Fault]]:
    """Check every log, and return the faults with the name of the log."""
    return [(log.slug, one) for log in Log.objects.order_by("slug") for one in check(log)]
