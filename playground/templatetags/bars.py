from django import template

register = template.Library()


@register.filter
def percent(value: float) -> str:
    """Return ``−7.1%``, with a typographic minus."""
    return f"{value:+.1f}%".replace("-", "−") if value else "0%"
