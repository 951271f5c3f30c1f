from django import template

register = template.Library()


@register.filter
def percent(value: float) -> str:
    """``−7.1 %``, with the sign that people read."""
    return f"{value:+.1f} %".replace("-", "−") if value else "0 %"
