"""Percent-encoding in the keys and values of a T-line message."""

import re

from cablese.message import Field, Fix, Span
from cablese.protocols.line_reader import LineReader
from cablese.protocols.tline.escape import escape, unescape_run
from cablese.protocols.tline.rules import RULES
from cablese.protocols.tline.vocabulary import KEYDEF
from cablese.spelling import Spelling
from cablese.text import BLANKS, quote, shorten

UNENCODED = re.compile(r"(\|+)|[ \t=:]+")
UNENCODED_IN_KEYDEF = re.compile(r"(\|+)|[ \t=]+")
CODES = re.compile(r"((?:%[0-9A-Fa-f]{2})+)|(?:%(?![0-9A-Fa-f]{2}))+")
KEYDEF_SPELLING = Spelling((KEYDEF,))
CODE_OF = str.maketrans({sign: f"%{ord(sign):02X}" for sign in " \t=:|"})
NAMES = {" ": "A space", "\t": "A tab", "=": "=", ":": ":"}


class EncodedText(LineReader):
    """A wire, and what is found in its encoded text."""

    rules = RULES
    more = True
    """Whether another part follows."""

    def _encoding(self, field: Field, raw: str) -> None:
        """Report unencoded reserved characters, and codes that are invalid or unnecessary."""
        start = field.span.start
        # A = in a value may belong to another pair whose ; is missing; under "keyedf" a : is right.
        doubtful = "=" in raw or (":" in raw and KEYDEF_SPELLING.find(field.name) is not None)
        left, right = len(raw) - len(raw.lstrip(BLANKS)), len(raw.rstrip(BLANKS))
        for match in (UNENCODED_IN_KEYDEF if field.name.lower() == KEYDEF else UNENCODED).finditer(
            raw
        ):
            at = Span(start + match.start(), start + match.end())
            code = match[0].translate(CODE_OF)
            fix = Fix(at, code, safe=not doubtful and not match[1])
            if match[1]:
                # If a part is missing, removing a | would shift the others.
                sure = self._headed and at.end < self.stop
                self._report(
                    "extra-bar",
                    at,
                    "A message must contain only three |. Write %7C in a value.",
                    fix if sure else None,
                )
            else:
                # A space at the edge may belong to the value or be a typo.
                inside = left <= match.start() and match.end() <= right
                self._report(
                    "unencoded",
                    at,
                    f"{NAMES[match[0][0]]} must be written {code[:3]} in a value.",
                    fix if inside else None,
                )
        if "%" not in raw:
            return
        written = [match[1] is not None for match in CODES.finditer(raw)]
        all_valid, none_valid = all(written), not any(written)
        for match in CODES.finditer(raw):
            at = Span(start + match.start(), start + match.end())
            self._code(match, at, all_valid=all_valid, none_valid=none_valid)

    def _code(self, match: re.Match[str], at: Span, *, all_valid: bool, none_valid: bool) -> None:
        """Report one run of codes. ``all_valid``: the value has no invalid code; ``none_valid``: no
        valid one.
        """
        codes = match[0]
        if not match[1]:
            # Next to a code, before a digit, or at the end, it may be the rest of another code.
            after = self.wire[at.end : at.end + 1]
            sure = (
                none_valid
                and codes == "%"
                and after != ""
                and after not in "0123456789abcdefABCDEF"
            )
            self._report(
                "broken-code",
                at,
                "Invalid percent code. Expected % and two hexadecimal digits; write %25 for %.",
                Fix(at, "%25" * len(codes), safe=sure),
            )
            return
        text = unescape_run(codes)
        if text is None:
            self._report(
                "broken-code", at, f"{shorten(codes)} is not valid UTF-8. It was not decoded."
            )
        elif (fewer := escape(text)) != codes.upper():
            # Next to a stray %, the replacement could be read as its digits.
            fix = Fix(at, fewer, safe=True) if all_valid else None
            self._report(
                "needless-code",
                at,
                f"Unnecessary percent code {shorten(codes)}. Write {quote(fewer)}.",
                fix,
            )

    @property
    def _headed(self) -> bool:
        """Return True when ID and kind are present, so the start of the payload cannot be mistaken
        for them.
        """
        return {"id", "kind"} <= self.values.keys()

    def _pass(self, part: Span) -> None:
        self.more = part.end < self.stop
        self.at = min(part.end + 1, self.stop)

    def _trimmed(self, part: Span) -> Span:
        """Return ``part`` without the spaces at its edges, and report them."""
        text = self.wire[slice(*part)]
        if text == text.strip(BLANKS):
            return part
        start = part.start + len(text) - len(text.lstrip(BLANKS))
        at = Span(start, max(start, part.start + len(text.rstrip(BLANKS))))
        for blank in (Span(part.start, at.start), Span(at.end, part.end)):
            if blank.start < blank.end:
                fix = (
                    Fix(blank, "", safe=True)
                    if at.start == at.end or self.wire[at.start] != "|"
                    else None
                )
                self._report("unencoded", blank, "Unexpected space next to a part or a key.", fix)
        return at
