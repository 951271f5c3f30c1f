"""All wrappers."""

from tests.transcript.lines.brokers import CARRIERS
from tests.transcript.lines.frameworks import FRAMEWORKS

from .models import MODELS
from .records import LOGS
from .wrapper import Wrapper, unheard, unread

BUILDERS: tuple[Wrapper, ...] = MODELS + FRAMEWORKS + LOGS + CARRIERS

__all__ = ["BUILDERS", "unheard", "unread"]
