"""The mark that WhatsApp exports after a message that was edited, which is part of no message.

    20/11/2026, 10:00 - Ada: INF/OBS|g=42,t=1,s=done <This message was edited>

It is at the end of the text of the message, after a space. It depends on the language of the phone.
"""

import re

from cablese.transcript import encoding
from cablese.transcript.encoding import Decoded

WORDS = (
    "This message was edited", "Diese Nachricht wurde bearbeitet", "Se editó este mensaje",
    "Ce message a été modifié", "Mensagem editada", "Esta mensagem foi editada",
    "Questo messaggio è stato modificato", "Dit bericht is bewerkt",
)  # fmt: skip
_MARK = re.compile(
    # iPhones write a sign without a width before it.
    rf"(?:\u200e|(?<=[ \t]))<(?:{'|'.join(WORDS)})\.?>\u200e?(?=[ \t]*+(?:[\r\n]|\Z))"
)


def take_out(text: str) -> Decoded | None:
    """Return ``text`` without the marks; None if it has none."""
    if "<" not in text or not any(words in text for words in WORDS):
        return None
    found = [(*one.span(), "") for one in _MARK.finditer(text)]
    return encoding.replace(text, found) if found else None
