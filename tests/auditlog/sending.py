"""Senders and packets for the tests of the log."""

from auditlog import access
from auditlog.continuity import clock
from auditlog.ingest.item import Item
from auditlog.log import draft, log_end, writer
from auditlog.log.draft import Draft
from auditlog.log.writer import Outcome
from auditlog.models import Packet
from auditlog.sender import Sender

WIRE = "REQ/TSK|g=42,t=1,p=2,@=auth_refactor"


def make_sender(name: str = "hr-bot") -> Sender:
    _, token = access.create_key(source=name, scopes=("ingest", "read"))
    sender = access.authenticate(token)
    assert sender is not None
    return sender


def make_drafts(*items: Item, sender: Sender) -> list[Draft]:
    drafts = []
    submission = draft.Submission(items, sender)
    logs = log_end.find(submission.logs)
    for made in draft.make(submission, received=clock.read(), logs=logs):
        assert isinstance(made, Draft), made
        drafts.append(made)
    return drafts


def append(*items: Item, sender: Sender) -> list[Outcome]:
    return list(writer.append(make_drafts(*items, sender=sender)))


def keep(item: Item, *, sender: Sender | None = None) -> Packet:
    (outcome,) = append(item, sender=sender or make_sender())
    return Packet.objects.select_related("log", "source").get(uid=outcome.packet)
