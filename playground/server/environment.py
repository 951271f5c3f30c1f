"""What differs between machines, read once and strictly from the environment.

Every variable is a field of `Environment`, with a safe default. An invalid value, or an unknown
variable with our prefix, raises `Unreadable` with one line that names it, because a misspelled
variable in a service file would leave a default in force. A test compares `VARIABLES` with the
table in docs/settings.md.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Annotated, Any, get_type_hints
from urllib.parse import urlsplit, urlunsplit

import dj_database_url

Network = IPv4Network | IPv6Network
BASE_DIR = Path(__file__).resolve().parents[2]
PREFIX = "CABLESE_"

_FLAGS = {"0": False, "false": False, "no": False, "1": True, "true": True, "yes": True}
_HOST_NAME = re.compile(r"\.?[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\]")
_ENGINES = {"sqlite": "SQLite", "postgres": "PostgreSQL", "postgresql": "PostgreSQL"}
_LOOPBACK = ("localhost", "localhost.localdomain")
_PEER_NAME = re.compile(r"[a-z0-9][a-z0-9.-]{0,62}=")
_OFFLINE = ("off", "offered", "only")
_MAX_THREADS = 256
_MIN_SECRET = 32
_MAX_LINE = 200


class Unreadable(ValueError):
    """A variable of the environment has an invalid value, or is unknown."""


@dataclass(frozen=True)
class Hosts:
    """Host names of this installation, and the `https://` origins among them."""

    names: tuple[str, ...]
    origins: tuple[str, ...]


@dataclass(frozen=True)
class Hsts:
    """How long browsers must use TLS, and whether the policy includes subdomains and the preload
    list.
    """

    seconds: int = 0
    subdomains: bool = False
    preload: bool = False


@dataclass(frozen=True)
class Endpoint:
    """The address of a language model, its name, and the key."""

    url: str
    model: str
    key: str = field(default="", repr=False)


@dataclass(frozen=True)
class Peer:
    """An NLIP server that this installation can call: its name and its address."""

    name: str
    url: str


@dataclass(frozen=True)
class Variable:
    name: str
    default: str
    read: Callable[[str], Any]


def _path(text: str) -> Path:
    return (BASE_DIR / Path(text).expanduser()).resolve()


def _database(text: str) -> dict[str, Any] | None:
    if not text:
        return None
    if urlsplit(text).scheme not in _ENGINES:
        raise ValueError("must start with sqlite:/// or postgresql://")
    if _ENGINES[urlsplit(text).scheme] == "PostgreSQL" and not find_spec("psycopg"):
        raise ValueError("PostgreSQL needs a driver: pip install 'cablese[postgres]'")
    try:
        parsed: dict[str, Any] = dict(dj_database_url.parse(text))
    except ValueError:
        # The library's words would repeat the address, and it may hold a password.
        raise ValueError(
            "is not an address we can read, such as postgresql://user:password@host:5432/name"
        ) from None
    if not parsed.get("NAME"):
        raise ValueError("names no database")
    return parsed


def _hosts(text: str) -> Hosts:
    names, origins = [], []
    for entry in _entries(text):
        url = urlsplit(entry)
        secure = url.scheme == "https" and bool(url.netloc) and entry == f"https://{url.netloc}"
        name = re.sub(r":[0-9]+$", "", url.netloc) if secure else entry
        if not _HOST_NAME.fullmatch(name):
            raise ValueError(
                f"{entry!r} is neither a host name nor an origin such as "
                f"https://cablese.example.org"
            )
        names.append(name)
        if secure:
            origins.append(entry)
    return Hosts(tuple(names), tuple(origins))


def _secret_key(text: str) -> str | None:
    if not text:
        return None
    if len(text) < _MIN_SECRET:
        raise ValueError(f"must have at least {_MIN_SECRET} characters")
    return text


def _number(least: int, most: int, text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text) or not least <= int(text) <= most:
        raise ValueError(f"must be a whole number from {least} to {most}, not {text!r}")
    return int(text)


def _hour(text: str) -> int | None:
    if text == "off":
        return None
    if not re.fullmatch(r"[0-9]{1,2}", text) or int(text) > 23:
        raise ValueError(f"must be an hour from 0 to 23, or off, not {text!r}")
    return int(text)


def _entries(text: str) -> list[str]:
    """Return the entries of a list that is separated by commas."""
    return [entry.strip() for entry in text.split(",")] if text else []


def _flag(text: str) -> bool:
    if text.lower() not in _FLAGS:
        raise ValueError(f"must be one of {', '.join(_FLAGS)}, not {text!r}")
    return _FLAGS[text.lower()]


def _networks(text: str) -> tuple[Network, ...]:
    networks = []
    for entry in _entries(text):
        try:
            networks.append(ip_network(entry))
        except ValueError:
            raise ValueError(
                f"{entry!r} is not an address such as 127.0.0.1 or a network such as 10.0.0.0/8"
            ) from None
    return tuple(networks)


def _slug(text: str) -> str:
    if text and not re.fullmatch(r"[a-z0-9-]{1,40}", text):
        raise ValueError(
            f"a log is named by 1 to 40 of the characters a-z, 0-9 and -, not {text!r}"
        )
    return text


def _peers(text: str) -> tuple[Peer, ...]:
    peers: dict[str, Peer] = {}
    for entry in _entries(text):
        name, _, url = entry.partition("=") if _PEER_NAME.match(entry) else ("", "", entry)
        peer = _peer(name, url)
        if peer.name in peers:
            raise ValueError(
                f"two servers are named {peer.name!r}; name them as in one={url},two={url}"
            )
        peers[peer.name] = peer
    return tuple(peers.values())


def _peer(name: str, url: str) -> Peer:
    """Return a server by its address. Plain http is allowed for this machine only."""
    if "@" in url:
        raise ValueError("an address must not hold a user, a password or another @")
    example = f"{url!r} is not an address such as https://agent.example.org/nlip"
    if not url.isascii() or not url.isprintable() or re.search(r"[\s\\]", url):
        raise ValueError(example)
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise ValueError(example) from None
    host = parts.hostname or ""
    named = _HOST_NAME.fullmatch(
        f"[{host}]" if ":" in host else host
    ) is not None and not host.startswith(".")
    if parts.scheme not in ("https", "http") or not named or port == 0 or "#" in url:
        raise ValueError(example)
    if parts.scheme == "http" and not is_loopback(host):
        raise ValueError(f"{url!r} must begin with https://; http is for addresses of this machine")
    own = f"{host}:{port}" if port else host
    return Peer(
        name or own,
        urlunsplit(parts._replace(path=parts.path if parts.path not in ("", "/") else "/nlip")),
    )


def _hsts(text: str) -> Hsts:
    match = re.fullmatch(r"([0-9]{1,9})(; ?includeSubDomains)?(; ?preload)?", text)
    if match is None:
        raise ValueError(
            f"must be seconds, such as 31536000 or 31536000; includeSubDomains, not {text!r}"
        )
    if match[3] and not match[2]:
        raise ValueError("preload needs includeSubDomains")
    return Hsts(int(match[1]), bool(match[2]), bool(match[3]))


def is_loopback(host: str) -> bool:
    """Return whether this is a name or an address of this machine."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host in _LOOPBACK


def _llm_url(text: str) -> str:
    if not text:
        return ""
    url = urlsplit(text)
    if url.scheme not in ("http", "https") or not url.hostname or url.query or url.fragment:
        raise ValueError(
            "must be the address of an OpenAI-compatible endpoint, such as "
            "https://llm.example.org/v1"
        )
    if url.username or url.password:
        raise ValueError("holds a user or a password; give the key in CABLESE_LLM_KEY")
    if not find_spec("openai"):
        raise ValueError("asking a model needs a client: pip install 'cablese[llm]'")
    return text


def _offline(text: str) -> str:
    if text not in _OFFLINE:
        raise ValueError(f"must be one of {', '.join(_OFFLINE)}, not {text!r}")
    return text


def _one_line(text: str) -> str:
    if not text.isprintable() or text != text.strip() or len(text) > _MAX_LINE:
        raise ValueError(
            f"must be one line of at most {_MAX_LINE} characters without spaces at the ends"
        )
    return text


@dataclass(frozen=True)
class Environment:
    """The variables, in the order of docs/settings.md.

    Secrets are not in its text, which pages show with CABLESE_DEBUG=1: Django knows them by their
    names only.
    """

    data: Annotated[Path, Variable("CABLESE_DATA", "var", _path)]
    database: Annotated[dict[str, Any] | None, Variable("DATABASE_URL", "", _database)] = field(
        repr=False
    )
    """A Django DATABASES entry; None for SQLite in the data directory."""
    hosts: Annotated[Hosts, Variable("CABLESE_HOSTS", "localhost,127.0.0.1,[::1]", _hosts)]
    secret_key: Annotated[str | None, Variable("CABLESE_SECRET_KEY", "", _secret_key)] = field(
        repr=False
    )
    """None for a key that is made once and stored in the data directory."""
    threads: Annotated[int, Variable("CABLESE_THREADS", "32", partial(_number, 1, _MAX_THREADS))]
    debug: Annotated[bool, Variable("CABLESE_DEBUG", "0", _flag)]
    llm_url: Annotated[str, Variable("CABLESE_LLM_URL", "", _llm_url)]
    """An OpenAI-compatible endpoint; empty to ask no model."""
    llm_key: Annotated[str, Variable("CABLESE_LLM_KEY", "", _one_line)] = field(repr=False)
    llm_model: Annotated[str, Variable("CABLESE_LLM_MODEL", "", _one_line)]
    trusted_proxy: Annotated[tuple[Network, ...], Variable("CABLESE_TRUSTED_PROXY", "", _networks)]
    """Proxies that are believed about TLS and addresses."""
    nlip_log: Annotated[str, Variable("CABLESE_NLIP_LOG", "", _slug)]
    """The log of NLIP exchanges without a key; empty to store none."""
    nlip_servers: Annotated[tuple[Peer, ...], Variable("CABLESE_NLIP_SERVERS", "", _peers)]
    """NLIP servers that messages can be sent and forwarded to."""
    hsts: Annotated[Hsts, Variable("CABLESE_HSTS", "0", _hsts)]
    """Sent over TLS only; not sent for 0 seconds."""
    heavy: Annotated[int, Variable("CABLESE_HEAVY", "2", partial(_number, 1, 64))]
    """Requests with much work that run at the same time."""
    bodies: Annotated[int, Variable("CABLESE_BODIES", "512", partial(_number, 8, 65_536))]
    """Unfinished requests."""
    body_seconds: Annotated[
        int, Variable("CABLESE_BODY_SECONDS", "600", partial(_number, 1, 86_400))
    ]
    """Seconds in which a request must arrive."""
    body_rate: Annotated[int, Variable("CABLESE_BODY_RATE", "1024", partial(_number, 0, 1 << 20))]
    """Bytes per second at which it must arrive."""
    anonymous_seconds: Annotated[
        int, Variable("CABLESE_ANONYMOUS_SECONDS", "45", partial(_number, 1, 100_000))
    ]
    """Processor seconds per minute for an address."""
    anonymous_mib: Annotated[
        int, Variable("CABLESE_ANONYMOUS_MIB", "256", partial(_number, 1, 1 << 20))
    ]
    """Mebibytes per minute from an address."""
    key_requests: Annotated[
        int, Variable("CABLESE_KEY_REQUESTS", "60000", partial(_number, 1, 100_000_000))
    ]
    """API requests per minute of a key or a person, without those that store."""
    anonymous_requests: Annotated[
        int, Variable("CABLESE_ANONYMOUS_REQUESTS", "6000", partial(_number, 1, 100_000_000))
    ]
    """The same for an address."""
    clock_limit: Annotated[
        int, Variable("CABLESE_CLOCK_LIMIT", "300", partial(_number, 10, 86_400))
    ]
    """Seconds that a log's newest leaf may be ahead of the machine's clock."""
    checkpoint_seconds: Annotated[
        int, Variable("CABLESE_CHECKPOINT_SECONDS", "10", partial(_number, 1, 3_600))
    ]
    """Seconds between two checkpoints of a log that grows."""
    selfcheck_hour: Annotated[int | None, Variable("CABLESE_SELFCHECK", "3", _hour)]
    """The hour (UTC) after which every log is checked; None for never."""
    offline: Annotated[str, Variable("CABLESE_OFFLINE", "offered", _offline)]
    """Decoding in the browser: off, offered, or the only way."""

    @property
    def llm(self) -> Endpoint | None:
        return Endpoint(self.llm_url, self.llm_model, self.llm_key) if self.llm_url else None


_FIELDS = get_type_hints(Environment, include_extras=True)
VARIABLES: tuple[Variable, ...] = tuple(kind.__metadata__[0] for kind in _FIELDS.values())


def read(environ: Mapping[str, str]) -> Environment:
    """Return the environment. Raises Unreadable."""
    known = {variable.name for variable in VARIABLES}
    for name in environ:
        if name.startswith(PREFIX) and name not in known:
            raise Unreadable(f"{name}: no such setting; there are {', '.join(sorted(known))}")
    environment = Environment(*(_read_value(variable, environ) for variable in VARIABLES))
    if environment.llm_url and not environment.llm_model:
        raise Unreadable(
            "CABLESE_LLM_MODEL: must name the model to ask when CABLESE_LLM_URL is set"
        )
    return environment


def _read_value(variable: Variable, environ: Mapping[str, str]) -> Any:
    """Return a value. An empty variable counts as not set, as in compose files and unit files."""
    try:
        return variable.read(environ.get(variable.name) or variable.default)
    except ValueError as error:
        raise Unreadable(f"{variable.name}: {error}") from None
