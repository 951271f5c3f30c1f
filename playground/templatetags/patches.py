from django import template
from django.template.base import FilterExpression, NodeList, Parser, Token
from django.template.context import Context

from playground.http.fragments import patches

register = template.Library()


class PatchNode(template.Node):
    def __init__(
        self, name: FilterExpression, key: FilterExpression | None, nodelist: NodeList
    ) -> None:
        self.name = name
        self.key = key
        self.nodelist = nodelist

    def render(self, context: Context) -> str:
        name = str(self.name.resolve(context))
        drawn = context.get("patches")
        if drawn is None:
            return patches.begin(name, self.nodelist.render(context))
        key = self.key.resolve(context) if self.key is not None else None
        html: str = drawn.draw(name, key, lambda: self.nodelist.render(context))
        return html


@register.tag
def patch(parser: Parser, token: Token) -> PatchNode:
    """Draw an element that is sent again only if it has changed
    (`playground.http.fragments.patches`).

    {% patch "list-head" %}<header>…</header>{% endpatch %}
    {% patch row.id row.key %}<li>…</li>{% endpatch %}
    """
    arguments = token.split_contents()[1:]
    if len(arguments) not in (1, 2):
        raise template.TemplateSyntaxError("A patch has an id and perhaps a key.")
    name, *key = [parser.compile_filter(argument) for argument in arguments]
    nodelist = parser.parse(("endpatch",))
    parser.delete_first_token()
    return PatchNode(name, key[0] if key else None, nodelist)
