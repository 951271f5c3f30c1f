"""Settings of an installation that answers every request through Django."""

from playground.settings import *  # noqa: F403

SHORTCUT = False
