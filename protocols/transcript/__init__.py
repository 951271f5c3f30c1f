"""Many messages out of one text: a log, a chat, a file, a record."""

from .cutter import Cut, Ignored, Transcript, around_messages, split
from .facts import Facts, Time

__all__ = ["Cut", "Facts", "Ignored", "Time", "Transcript", "around_messages", "split"]
