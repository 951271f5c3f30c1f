"""The addresses that facets and bars lead to: the same list for another query."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse

from auditlog.models import Log
from auditlog.search.saved.pin import Pin
from playground.audit.facets.forms import FacetsForm
from playground.audit.forms import TrailForm
from playground.audit.searches import pinned


@dataclass(frozen=True)
class Links:
    """What stays the same when the query changes: the log, its pin, the columns, and whether the
    page itself shows the facets.
    """

    log: Log
    columns: Sequence[str]
    is_shown: bool
    opened: str
    """The facet whose values are all shown; empty for none."""
    held: Pin | None = None

    @classmethod
    def of(cls, request: HttpRequest, log: Log) -> "Links":
        """Return the links of an address. Raises BadPin."""
        columns, _ = TrailForm(request.GET).read()
        held = pinned.read(request.GET, log)
        return cls(log, columns, *FacetsForm(request.GET).read(), held)

    def lead_to(self, query: str, *, all_of: str = "") -> str:
        """Return the address of a query, with all values of one facet."""
        return f"{reverse('audit')}?{self._carry(query, all_of)}"

    def fragment(self, query: str) -> str:
        """Return the address of the facets and the histogram alone."""
        return f"{reverse('facets')}?{self._carry(query, self.opened)}"

    def without_script(self, query: str) -> str:
        """Return the address of the page that shows facets by itself."""
        return f"{self.lead_to(query)}&facets=1"

    def _carry(self, query: str, all_of: str) -> str:
        pairs = [("log", self.log.slug), ("q", query)]
        pairs += [("columns", name) for name in self.columns]
        pairs += [("at", str(self.held.size) if self.held else "")]
        pairs += [("facets", "1" if self.is_shown else ""), ("all", all_of)]
        return urlencode([pair for pair in pairs if pair[1]], errors="replace")
