from django import template

register = template.Library()


@register.filter
def percent(value: float) -> str:
    """Return ``−7.1%``, with a typographic minus."""
    return f"{value:+.1f}%".replace("-", "−") if value else "0%"


@register.filter
def share(value: int, whole: int) -> float:
    """Return a part in percent of the whole, as the length of a bar."""
    return round(100 * value / max(whole, 1), 2)
