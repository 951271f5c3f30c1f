"""One message in full, as the workbench and the page of a packet draw it."""

from dataclasses import dataclass
from functools import cached_property

from auditlog import baseline
from auditlog.findings import sensitive
from cablese import detection, registry, tokens
from cablese.editing.edit import is_editable
from cablese.message import Field, Message, Piece, Span
from cablese.prompt import for_prompt
from cablese.transcript.records.wrapper import Carrier
from playground.display.cost import Cost
from playground.display.glyphs import visible, with_glyphs
from playground.display.highlight import (
    FIELDS,
    Run,
    columns_of,
    cut_runs,
    extent_of,
    hues_of,
    mark_of,
    root_of,
    touches,
)
from playground.display.tree import EDIT_LENGTH, VALUE_LENGTH, Branch, FieldRow, grow

WIRE_LENGTH = 20_000
CHIPS = 1500


@dataclass(frozen=True, slots=True)
class Chip:
    """One token, or several that only together make whole characters. ``first`` counts tokens from
    1.
    """

    text: str
    ids: str
    field: str
    hue: int | None
    many: int
    first: int


class FullMessage:
    """One message in full. Each part is computed when a template draws it."""

    def __init__(
        self,
        message: Message,
        tokenizer: str,
        *,
        carrier: Carrier | None = None,
        wrapper: str | None = None,
        editable: bool = False,
    ) -> None:
        """The fields of an ``editable`` message can be replaced in its text."""
        self.message = message
        self.tokenizer = tokenizer
        self.carrier = carrier
        self.wrapper = wrapper
        self.editable = editable
        self.fields = message.fields
        self.hues = hues_of(message, self.fields)
        self.known = message.protocol != detection.UNKNOWN

    @cached_property
    def title(self) -> str:
        return registry.get(self.message.protocol).title if self.known else "Unknown protocol"

    @cached_property
    def runs(self) -> list[Run]:
        return list(cut_runs(self.message, self.fields, self.hues, WIRE_LENGTH))

    @property
    def is_cut(self) -> bool:
        return len(self.message.wire) > WIRE_LENGTH

    @cached_property
    def rows(self) -> list[FieldRow]:
        return [
            FieldRow(
                number,
                mark_of(field.name),
                visible(field.name),
                visible(field.label),
                visible(field.value[: VALUE_LENGTH + 1]),
                self.hues.get(root_of(field.name)),
                readable=bool(field.name),
                place=columns_of(extent_of(field)),
                raw=field.value if self._is_editable(field) else None,
            )
            for number, field in enumerate(self.fields[:FIELDS], 1)
        ]

    def _is_editable(self, field: Field) -> bool:
        is_short = len(field.value) <= EDIT_LENGTH
        return self.editable and is_short and is_editable(self.message, field)

    @cached_property
    def tree(self) -> list[Branch]:
        """Return the rows as a tree: a value with its parts below it."""
        return grow(self.message, self.fields[:FIELDS], self.rows)

    @cached_property
    def exact(self) -> list[Run]:
        """Return the wire without color, with glyphs for invisible characters."""
        return [
            Run(text, "plain", glyph=glyph)
            for text, glyph in with_glyphs(self.message.wire[:WIRE_LENGTH])
        ]

    @property
    def size(self) -> int:
        return len(self.message.wire.encode(errors="surrogatepass"))

    @property
    def fields_read(self) -> int:
        return sum(bool(field.name) for field in self.fields)

    @cached_property
    def english(self) -> list[tuple[str, str, int | None]]:
        return [
            (
                visible(piece.text),
                mark_of(piece.field or ""),
                self.hues.get(root_of(piece.field or "")),
            )
            for piece in self._described
        ]

    @cached_property
    def sentence(self) -> str:
        return "".join(piece.text for piece in self._described)

    @cached_property
    def _described(self) -> tuple[Piece, ...]:
        if not self.known:
            return (Piece("No protocol detected."),)
        return registry.get(self.message.protocol).describe(self.message)

    @cached_property
    def plain(self) -> str | None:
        """Return the JSON baseline of the message; None if nothing was decoded."""
        return baseline.write(self.message)

    @cached_property
    def canonical(self) -> str | None:
        return registry.get(self.message.protocol).canonical(self.message) if self.known else None

    @property
    def is_rewritten(self) -> bool:
        """Return whether the canonical form differs from the message."""
        return self.canonical is not None and self.canonical != self.message.wire

    @cached_property
    def cost(self) -> Cost:
        return self.cost_in(self.tokenizer)

    @cached_property
    def costs(self) -> list[Cost]:
        return [self.cost_in(name) for name in tokens.names()]

    def cost_in(self, tokenizer: str) -> Cost:
        extra = [text for text in (self.plain, self.wrapper) if text is not None]
        wire, english, *counts = tokens.count_batch(
            [self.message.wire, self.sentence, *extra], tokenizer
        )
        counted = dict(zip(extra, counts, strict=True))
        plain, wrapper = (
            None if text is None else counted[text] for text in (self.plain, self.wrapper)
        )
        return Cost(tokens.info(tokenizer), wire, plain, english, wrapper)

    @cached_property
    def sensitive(self) -> tuple[sensitive.Finding, ...]:
        return sensitive.find(self.message, self.fields)

    @cached_property
    def prompt(self) -> str | None:
        """Return the message as prompt-safe text; None if it is long."""
        return for_prompt(self.message) if self.fields_read and not self.is_cut else None

    @cached_property
    def advice(self) -> list[tuple[str, int, int]]:
        """Return the fields that the protocol advises to omit, each with its tokens and those of
        the message.
        """
        if not self.known or self.is_cut:
            return []
        costly = {rule.code for rule in registry.get(self.message.protocol).rules if rule.costly}
        spans = [
            diagnostic.span for diagnostic in self.message.diagnostics if diagnostic.code in costly
        ]
        if not spans:
            return []
        sides = [self.message.wire, *(self._without(span) for span in spans)]
        whole, *rest = [count.count for count in tokens.count_batch(sides, self.tokenizer)]
        named = [
            next(visible(field.name) for field in self.fields if touches(field, span))
            for span in spans
        ]
        return [(name, whole - less, whole) for name, less in zip(named, rest, strict=True)]

    def _without(self, span: Span) -> str:
        """Return the wire without one field and the separator before it."""
        before = max(
            (field.span.end for field in self.fields if field.span.end <= span.start),
            default=span.start,
        )
        return self.message.wire[:before] + self.message.wire[span.end :]

    @cached_property
    def chips(self) -> list[Chip]:
        """Return the tokens, each in the color of the field that it starts in, or else the next."""
        extents = [(*extent_of(field), field.name) for field in self.fields]
        chips, at, first = [], 0, 1
        for piece in tokens.pieces(self.message.wire[:WIRE_LENGTH], self.tokenizer)[:CHIPS]:
            while at < len(extents) and extents[at][1] <= piece.span[0]:
                at += 1
            name = extents[at][2] if at < len(extents) else ""
            ids = " ".join(map(str, piece.ids))
            chips.append(
                Chip(
                    visible(piece.text),
                    ids,
                    mark_of(name),
                    self.hues.get(root_of(name)),
                    len(piece.ids),
                    first,
                )
            )
            first += len(piece.ids)
        return chips
