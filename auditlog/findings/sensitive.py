"""Sensitive data in the values of a message: account, card, and identity numbers, credentials, and
personal data.

AACP forbids them (section 16) and names the way out, a `data_ptr` that is resolved where access is
checked. What was received is kept all the same, and pointed out; what we write ourselves is
refused. Numbers are told by their check digits, so that an order number is not taken for a card;
credentials by their issuer's own form; personal data as `personal` says. Nothing is asked of
anybody: no credential is tried out.
"""

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from itertools import islice
from string import ascii_letters, digits
from typing import Any, NamedTuple

from detect_secrets.plugins import (
    aws,
    azure_storage_key,
    base,
    basic_auth,
    discord,
    github_token,
    gitlab_token,
    jwt,
    mailchimp,
    npm,
    openai,
    private_key,
    pypi_token,
    sendgrid,
    slack,
    square_oauth,
    stripe,
    telegram_token,
    twilio,
)
from msgspec import Struct
from stdnum import iban, luhn
from stdnum.br import cpf
from stdnum.es import dni
from stdnum.fr import nir
from stdnum.it import codicefiscale
from stdnum.us import ssn

from auditlog.findings import personal
from cablese import registry
from cablese.codec import Unencodable
from cablese.json import pointer
from cablese.message import Field, Message, Span

MOST = 20
"""So many places of a message are told."""
VALUE = 4_000
MESSAGE = 40_000
"""Characters of a value, and of all values of a message, that are looked at: some issuers' forms
take long ones ill.
"""
_OVERLAP = 200
"""Characters of a long text that are looked at twice, so that no cut hides what is there."""


class Finding(Struct, frozen=True):
    """A sensitive value: its span and field. The text never repeats the value."""

    what: str
    field: str
    span: Span
    words: str


class _Number(NamedTuple):
    what: str
    looks: re.Pattern[str]
    is_valid: Callable[[str], bool]


def _is_card(text: str) -> bool:
    digits = re.sub("[ -]", "", text)
    return len(set(digits)) > 1 and bool(luhn.is_valid(digits))


_EDGE = r"(?<![A-Za-z0-9.]){}(?![A-Za-z0-9])"
_NUMBERS = (
    _Number(
        "an IBAN",
        re.compile(_EDGE.format(r"[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?")),
        iban.is_valid,
    ),
    # The first digits are the issuers': 4 Visa, 51-55 and 2221-2720 Mastercard, 34 and 37 American
    # Express, 6 others.
    _Number(
        "a card number",
        re.compile(
            _EDGE.format(
                r"(?:4[0-9]{3}|5[1-5][0-9]{2}|2[2-7][0-9]{2}|6[0245][0-9]{2})(?:[ -]?[0-9]{4}){3}"
            )
        ),
        _is_card,
    ),
    _Number(
        "a card number",
        re.compile(_EDGE.format("3[47][0-9]{2}[ -]?[0-9]{6}[ -]?[0-9]{5}")),
        _is_card,
    ),
    _Number(
        "a US social security number",
        re.compile(_EDGE.format("[0-9]{3}-[0-9]{2}-[0-9]{4}")),
        ssn.is_valid,
    ),
    _Number(
        "a Brazilian CPF",
        re.compile(_EDGE.format(r"[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}")),
        cpf.is_valid,
    ),
    _Number("a Spanish DNI", re.compile(_EDGE.format("[0-9]{8}-?[A-Z]")), dni.is_valid),
    _Number(
        "a French social security number",
        re.compile(
            _EDGE.format("[12] ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[0-9]{3} ?[0-9]{3} ?[0-9]{2}")
        ),
        nir.is_valid,
    ),
    _Number(
        "an Italian codice fiscale",
        re.compile(_EDGE.format("[A-Z]{6}[0-9]{2}[A-EHLMPRST][0-9]{2}[A-Z][0-9]{3}[A-Z]")),
        codicefiscale.is_valid,
    ),
)
_OPENAI_MARK = "T3BlbkFJ"
_OPENAI_RUN = re.compile("[A-Za-z0-9_-]{51,}")
_OPENAI_MIDDLE = re.compile(f"(?<=[A-Za-z0-9]{{20}}){_OPENAI_MARK}(?=[A-Za-z0-9]{{20}})")


class _OpenAI(openai.OpenAIDetector):
    """The same keys as the library's pattern, which takes quadratic time on a text of many
    `sk-`.
    """

    def analyze_string(self, string: str) -> Generator[str, None, None]:
        if _OPENAI_MARK not in string:
            return
        for run in _OPENAI_RUN.finditer(string):
            start = run[0].find("sk-")
            ends = [middle.end() + 20 for middle in _OPENAI_MIDDLE.finditer(run[0], start + 23)]
            if start >= 0 and ends:
                yield run[0][start : ends[-1]]


_NPM_MARK = "/:_authToken="
_NPM_TOKEN = re.compile(rf"{_NPM_MARK}\s*(npm_.+|[A-Fa-f0-9-]{{36}}).*")


class _Npm(npm.NpmDetector):
    """The same tokens as the library's pattern, which takes quadratic time on many `/`."""

    def analyze_string(self, string: str) -> Generator[str, None, None]:
        for token in _NPM_TOKEN.finditer(string):
            line = string.rfind("\n", 0, token.start()) + 1
            if string.find("//", line, token.start() - 1) >= 0:
                yield token[1]


_SECRETS: tuple[base.RegexBasedDetector, ...] = (
    aws.AWSKeyDetector(),
    azure_storage_key.AzureStorageKeyDetector(),
    basic_auth.BasicAuthDetector(),
    discord.DiscordBotTokenDetector(),
    github_token.GitHubTokenDetector(),
    gitlab_token.GitLabTokenDetector(),
    jwt.JwtTokenDetector(),
    mailchimp.MailchimpDetector(),
    _Npm(),
    _OpenAI(),
    private_key.PrivateKeyDetector(),
    pypi_token.PypiTokenDetector(),
    sendgrid.SendGridDetector(),
    slack.SlackDetector(),
    square_oauth.SquareOAuthDetector(),
    stripe.StripeDetector(),
    telegram_token.TelegramBotTokenDetector(),
    twilio.TwilioKeyDetector(),
)
_NAMED = (aws.AWSKeyDetector, basic_auth.BasicAuthDetector)
"""Those whose patterns name what is beside a secret, and have the secret as their last group."""
_OF_JWT = f"{ascii_letters}{digits}_.+/=-"
"""What the signature has, which the library leaves out."""
_KEY_END = re.compile("END [A-Z ]*PRIVATE KEY(?: BLOCK)?")
_PASSWORD_NAME = re.compile(
    "(?:pass(?:word|wd|phrase)|pwd|secret|api[_-]?key|private[_-]?key|access[_-]?token)",
    re.IGNORECASE,
)
_PASSWORD = re.compile(rf"{_PASSWORD_NAME.pattern}[\"']?\s?[=:]\s?([^\s,;&\"']+)", re.IGNORECASE)


def find(message: Message, fields: tuple[Field, ...] | None = None) -> tuple[Finding, ...]:
    """The sensitive values of a message, valid or not, in the order of the wire; at most 20.

    ``fields`` are those of the message, where they have been read: reading them again takes time.
    """
    fields = message.fields if fields is None else fields
    return tuple(islice(_in_fields(message.protocol, fields), MOST))


def refuse(values: Mapping[str, Any]) -> None:
    """Raises Unencodable, with the value's pointer, for the first text in ``values`` that must not
    be written.
    """
    for steps, text in pointer.walk(values):
        if not isinstance(text, str):
            continue
        name = next((step for step in reversed(steps) if isinstance(step, str)), "")
        for what, _ in _what(name, text):
            raise Unencodable(
                pointer.join(*steps),
                f"This contains {what}, which a packet must not contain. Use a data_ptr instead.",
            )


def find_in_text(text: str) -> Iterator[tuple[str, Span]]:
    """Yield what is sensitive in the task content of a packet, and where, without overlaps."""
    last = 0
    for at in range(0, min(len(text), MESSAGE), VALUE - _OVERLAP):
        for what, (start, end) in _what("", text[at : at + VALUE]):
            if at + start >= last:
                last = at + end
                yield what, Span(at + start, last)


def is_sensitive(text: str) -> bool:
    """Return whether a text contains anything sensitive."""
    return next(_what("", text), None) is not None


UNSEARCHED = f"text beyond the limit of {VALUE:,} characters for this check"


def describe(name: str, text: str) -> str | None:
    """What is sensitive in a value, or `UNSEARCHED` for one that is too long to tell; None when
    nothing is.
    """
    found = next(_what(_key(name), text), None)
    return found[0] if found is not None else UNSEARCHED if len(text) > VALUE else None


def _in_fields(protocol: str, fields: Iterable[Field]) -> Iterator[Finding]:
    instead = (
        "Send a reference in data_ptr instead."
        if protocol in registry.get_names() and "data_ptr" in registry.get(protocol).labels
        else "Send a reference instead."
    )
    room = MESSAGE
    for field in fields:
        room -= len(field.value[:VALUE])
        if room < 0:
            return
        for what, (start, end) in _what(_key(field.name), field.value):
            # A value written with escapes is longer on the wire than what it says: it is marked
            # whole.
            plain = field.span.end - field.span.start == len(field.value)
            span = Span(field.span.start + start, field.span.start + end) if plain else field.span
            yield Finding(
                what,
                field.name,
                span,
                f"{field.label[:1].upper()}{field.label[1:]} contains {what}. {instead}",
            )


def _key(name: str) -> str:
    """Return the key that names a value, without list indexes."""
    return next((part for part in reversed(name.split(".")) if not part.isdigit()), name)


def _what(name: str, text: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield sensitive parts of a text and their places, without overlaps."""
    text = text[:VALUE]
    seen: list[tuple[int, int]] = []
    for what, place in sorted(_candidates(name, text), key=lambda one: one[1]):
        if all(place[1] <= low or high <= place[0] for low, high in seen):
            seen.append(place)
            yield what, place


def _candidates(name: str, text: str) -> Iterator[tuple[str, tuple[int, int]]]:
    if len(text) < 4:
        return
    if _PASSWORD_NAME.fullmatch(name):
        yield "a credential", (0, len(text))
    for hit in _PASSWORD.finditer(text):
        yield "a credential", hit.span(1)
    yield from personal.find(name, text)
    if len(text) < 9:
        return
    for number in _NUMBERS:
        for hit in number.looks.finditer(text):
            if number.is_valid(hit[0]):
                yield number.what, hit.span()
    for detector in _SECRETS:
        what = f"a credential ({detector.secret_type})"
        for place in _locate(detector, text):
            yield what, place


def _locate(detector: base.RegexBasedDetector, text: str) -> Iterator[tuple[int, int]]:
    """Yield the places of an issuer's credentials, each as a whole: the library returns only a
    group of some patterns, such as ``ghp``, and only the first line of a private key.
    """
    if type(detector).analyze_string is not base.RegexBasedDetector.analyze_string:
        end = 0
        for secret in detector.analyze_string(text):
            at = text.find(secret, end)
            if at < 0:
                continue  # it is in the one before
            end = at + len(secret)
            if isinstance(detector, jwt.JwtTokenDetector):
                end = len(text) - len(text[end:].lstrip(_OF_JWT))
            yield at, end
        return
    for pattern in detector.denylist:
        for hit in pattern.finditer(text):
            if isinstance(detector, private_key.PrivateKeyDetector):
                last = _KEY_END.search(text, hit.end())
                yield hit.start(), last.end() if last else len(text)
            else:
                yield hit.span(pattern.groups if isinstance(detector, _NAMED) else 0)
