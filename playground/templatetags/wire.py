import json
from collections.abc import Iterable
from html import escape  # A page escapes thousands of texts, and Django's takes twice as long.

from django import template
from django.template.defaultfilters import stringfilter
from django.utils.safestring import SafeString

from cablese.message import Message
from playground.display.glyphs import visible
from playground.display.highlight import Run, brief_runs, worst
from playground.display.message import Chip
from playground.display.titles import protocol_title, protocol_titles

register = template.Library()
SIGNS = dict.fromkeys(("error", "does_not_match", "altered", "cut", "unknown", "fails"), "✖")
SIGNS |= {"differs": "✖"}
SIGNS |= {"warning": "▲", "erased": "▲", "open": "○", "not_compared": "○"}
SIGNS |= dict.fromkeys(("verified", "holds", "matches"), "✓")
register.filter("visible", visible)
register.filter("as_json", json.dumps)
register.filter("worst", worst)
register.filter("protocol_title", protocol_title)
register.simple_tag(protocol_titles)


@register.filter
def plain(value: object) -> str:
    """Return a text as it is, and any other value as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


@register.filter
@stringfilter
def shorten(text: str, limit: int) -> str:
    """Return at most `limit` characters, with glyphs for invisible ones.

    Django's `truncatechars` normalizes the whole text first, which is quadratic. This reads nothing
    beyond the limit.
    """
    short = visible(text[: limit + 1])
    return short if len(short) <= limit else f"{short[: limit - 1]}…"


@register.simple_tag
def draw_parties(sender: str | None, recipient: str | None, unknown: str = "unknown") -> SafeString:
    """Draw the names around an arrow. Between two names in a script that runs from right to left,
    the arrow would point at the sender, so each name is isolated.
    """
    names = (escape(shorten(name or unknown, 60)) for name in (sender, recipient))
    return SafeString(" → ".join(f"<bdi>{name}</bdi>" for name in names))


@register.simple_tag
def draw_runs(runs: Iterable[Run]) -> SafeString:
    """Draw a wire in color. A template is too slow for thousands of runs."""
    return SafeString("".join(map(_drawn, runs)))


@register.filter
def sign(state: str) -> str:
    """Return the sign for a severity, or for the outcome of a check."""
    return SIGNS.get(state, "●")


@register.simple_tag
def draw_message(message: Message) -> SafeString:
    """Draw the beginning of a message in color, for a row."""
    return draw_runs(brief_runs(message))


@register.simple_tag
def draw_chips(chips: Iterable[Chip]) -> SafeString:
    """Draw the tokens of a message, each in the color of its field; a long one has 1,500."""
    return SafeString("".join(_token(chip, is_first=at == 0) for at, chip in enumerate(chips)))


@register.simple_tag
def draw_sentence(pieces: Iterable[tuple[str, str, int | None]]) -> SafeString:
    """Draw a sentence, with each part that states a field in its color: its text, field, and
    hue.
    """
    return SafeString("".join(map(_said, pieces)))


def _said(piece: tuple[str, str, int | None]) -> str:
    text, field, hue = piece
    hued = "" if hue is None else f" h{hue}"
    about = f' data-f="{escape(field)}" class="said{hued}"' if field else ""
    return f"<span{about}>{escape(text)}</span>"


def _token(chip: Chip, *, is_first: bool) -> str:
    classes = "token"
    if chip.hue is not None:
        classes += f" h{chip.hue}"
    if chip.many > 1:
        classes += " many"
    field = f' data-f="{escape(chip.field)}"' if chip.field else ""
    stop = ' tabindex="0"' if is_first else ""
    ids = f'data-ids="{chip.ids}" data-first="{chip.first}"'
    return f'<span class="{classes}"{field} {ids}{stop}>{escape(chip.text)}</span>'


def _drawn(run: Run) -> str:
    text = escape(run.text)
    if run.kind == "separator" and not run.severity:
        return f'<span class="sep">{text}</span>'
    classes = f"run {run.kind}"
    if run.hue is not None:
        classes += f" h{run.hue}"
    if run.severity:
        classes += f" under-{run.severity}"
    if run.glyph:
        classes += " glyph"
    field = f' data-f="{escape(run.field)}"' if run.field else ""
    notes = f' data-n="{run.notes}"' if run.notes else ""
    return f'<span class="{classes}"{field}{notes}>{text}</span>'
