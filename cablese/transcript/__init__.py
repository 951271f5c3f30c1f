"""Many messages out of one text: a log, a chat, a file, a record."""

from .cut import Cut, Ignored, Transcript, around_messages
from .facts import Facts, Time
from .splitter import split

__all__ = ["Cut", "Facts", "Ignored", "Time", "Transcript", "around_messages", "split"]
