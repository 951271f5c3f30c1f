"""Call NLIP servers, and only those that the administrator configured.

Only the exact addresses in CABLESE_NLIP_SERVERS are called. Redirects are not followed. TLS is
verified; there are no cookies, proxies, or retries. The whole call has a time limit, and answers
have a size limit. Only a few calls run at once, so that pages keep responding.
"""

import queue
import socket
import ssl
import threading
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection, IncompleteRead
from urllib.parse import parse_qs, urlsplit

from django.conf import settings
from django.utils.crypto import salted_hmac

from auditlog.text import from_bytes, to_bytes
from cablese.codec import JSON_LIMIT
from cablese.protocols.nlip.exchange.agent import IDENTITY
from cablese.protocols.nlip.formats import DEFAULT, DIALECTS
from playground.http.throttle import Throttle
from playground.server.environment import Peer

CONNECT = 5.0
"""Seconds for a connection, and for each read."""
SECONDS = 20.0
"""Seconds for a whole call."""
ANSWER_LIMIT = JSON_LIMIT
HOPS = 5
"""Limit of middle agents in the path of a message."""
AT_ONCE = max(1, settings.THREADS // 8)
OFF = (
    "Sending is off. To turn it on, start Cablese with CABLESE_NLIP_SERVERS set to the addresses"
    " of allowed NLIP servers, such as rooms=https://rooms.example.org/nlip."
)
RETRY = 2
"""Seconds to wait after ``Busy``."""
_BLOCK = 64 * 1024
_throttle = Throttle(burst=30, pace=0.5)
_open = threading.BoundedSemaphore(AT_ONCE)


class Unknown(LookupError):
    """Unknown server."""


class NoReply(Exception):
    """Report that a server gave no readable answer. The message never quotes it; ``status`` is our
    HTTP status.
    """

    def __init__(self, reason: str, status: int = 502) -> None:
        super().__init__(reason)
        self.status = status


class Busy(NoReply):
    """Report that too many calls are in progress."""

    def __init__(self) -> None:
        super().__init__("Too many NLIP calls are in progress. Try again in a moment.", 503)


@dataclass(frozen=True)
class Reply:
    """The HTTP status, the body as text, and the target of a redirect, which is not followed."""

    status: int
    wire: str
    moved: str = ""


def pace(caller: str) -> int:
    """Return the seconds until a person or a key may send another message, 0 for now."""
    return _throttle.wait(caller)


def listed() -> tuple[Peer, ...]:
    """Return the configured servers."""
    peers: tuple[Peer, ...] = settings.NLIP_SERVERS
    return peers


def find(name: str) -> Peer:
    """Return the server with this name or exact address. Raises Unknown."""
    for peer in listed():
        if name in (peer.name, peer.url):
            return peer
    raise Unknown(name)


def dialect_of(address: str) -> str:
    """Return the dialect that the query of an address names, or else the default."""
    dialect = parse_qs(urlsplit(address).query).get("dialect", [DEFAULT])[0]
    return dialect if dialect in DIALECTS else DEFAULT


def identity() -> str:
    """Return the name of this server among agents, used in tokens and in ``Via``."""
    return f"{IDENTITY}-{salted_hmac('cablese.nlip.identity', '').hexdigest()[:8]}"


def send(peer: Peer, wire: str, *, via: str = "") -> Reply:
    """Post a message to a server and return its answer. Raises NoReply.

    ``via`` names the agents on the path of the message, as in HTTP's ``Via``.
    """
    if not _open.acquire(blocking=False):
        raise Busy
    box: queue.SimpleQueue[Reply | NoReply] = queue.SimpleQueue()
    call = _Call(peer, to_bytes(wire), via, box)
    # Use a thread: a socket timeout restarts with every byte, and name lookups have none.
    threading.Thread(target=call.run, daemon=True).start()
    try:
        reply = box.get(timeout=SECONDS)
    except queue.Empty:
        call.give_up()
        raise NoReply(f"The server did not answer within {SECONDS:g} s.", 504) from None
    if isinstance(reply, NoReply):
        raise reply
    return reply


class _Call:
    """A connection for one call."""

    def __init__(
        self, peer: Peer, body: bytes, via: str, box: "queue.SimpleQueue[Reply | NoReply]"
    ) -> None:
        self._peer = peer
        self._body = body
        self._via = via
        self._box = box
        self._socket: socket.socket | None = None

    def run(self) -> None:
        try:
            self._box.put(self._answer())
        except NoReply as none:
            self._box.put(none)
        except Exception as error:  # noqa: BLE001  (the waiting caller always gets an answer)
            self._box.put(NoReply(f"The call to the server failed ({type(error).__name__})."))
        finally:
            self.give_up()
            _open.release()

    def give_up(self) -> None:
        """Close the connection and wake a thread that is waiting to read from it; closing alone
        would not.
        """
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
            self._socket.close()

    def _answer(self) -> Reply:
        try:
            return self._exchange()
        except TimeoutError:
            raise NoReply(f"The server sent no data for {CONNECT:g} s.", 504) from None
        except ssl.SSLCertVerificationError as error:
            raise NoReply(
                f"The server's certificate is not trusted: {error.verify_message}."
            ) from None
        except ssl.SSLError:
            raise NoReply("The TLS connection to the server failed.") from None
        except (IncompleteRead, ConnectionError):
            raise NoReply("Cannot reach the server, or it closed the connection early.") from None
        except OSError:
            raise NoReply("Cannot reach the server.") from None
        except (HTTPException, ValueError):
            raise NoReply("The server's answer is not valid HTTP.") from None

    def _exchange(self) -> Reply:
        url = urlsplit(self._peer.url)
        connection = _connect(url.hostname or "", url.port, secure=url.scheme == "https")
        connection.connect()
        self._socket = connection.sock
        path = f"{url.path}?{url.query}" if url.query else url.path
        connection.request("POST", path, body=self._body, headers=self._headers())
        with connection.getresponse() as response:
            body = bytearray()
            while block := response.read1(_BLOCK):
                body += block
                if len(body) > ANSWER_LIMIT:
                    raise NoReply(f"The answer is larger than the limit of {ANSWER_LIMIT:,} bytes.")
            if response.length:
                raise IncompleteRead(bytes(body))
            moved = response.headers.get("Location", "") if 300 <= response.status < 400 else ""
            return Reply(response.status, from_bytes(bytes(body)), moved[:200])

    def _headers(self) -> dict[str, str]:
        return {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            "User-Agent": "Cablese",
            "Via": ", ".join(part for part in (self._via, f"1.1 {identity()}") if part),
            "Connection": "close",
        }


def _connect(host: str, port: int | None, *, secure: bool) -> HTTPConnection:
    if not secure:
        return HTTPConnection(host, port, timeout=CONNECT)
    return HTTPSConnection(host, port, timeout=CONNECT, context=ssl.create_default_context())


def count_hops(via: str) -> tuple[int, bool]:
    """Return the number of agents in ``Via``, and whether we are one of them."""
    hops = [hop.split() for hop in via.split(",") if hop.strip()]
    return len(hops), any(identity() in hop[1:2] for hop in hops)
