"""Calls to NLIP servers: only to those that the administrator named, and never further than they
are asked.

Only the exact addresses of CABLESE_NLIP_SERVERS are called. A redirection is an answer like any
other and not followed. TLS is verified; there are no cookies, no proxies and no second tries. Time
is limited as a whole, whatever dribbles in, and so is the size of an answer. A few calls are open
at once, so that pages go on answering.
"""

import queue
import socket
import ssl
import threading
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection, IncompleteRead
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.crypto import salted_hmac

from auditlog.text import from_bytes, to_bytes
from cablese.codec import JSON_LIMIT
from cablese.protocols.nlip.exchange.agent import IDENTITY
from cablese.protocols.nlip.formats import DEFAULT, DIALECTS
from playground.http.throttle import Throttle
from playground.server.environment import Peer

CONNECT = 5.0
"""Seconds for a connection, and for each wait for more of an answer."""
SECONDS = 20.0
"""For a call, from its beginning to the last byte of the answer."""
ANSWER_LIMIT = JSON_LIMIT
HOPS = 5
"""Middle agents that a message may go through before it comes to us."""
AT_ONCE = max(1, settings.THREADS // 8)
OFF = (
    "Sending is off. To switch it on, start Cablese with CABLESE_NLIP_SERVERS, the addresses of the NLIP servers that "
    "it may call, such as rooms=https://rooms.example.org/nlip."
)
RETRY = 2
"""Seconds after which whoever found no place may ask again."""
_BLOCK = 64 * 1024
_throttle = Throttle(burst=30, pace=0.5)
_open = threading.BoundedSemaphore(AT_ONCE)


class Unknown(LookupError):
    """No server of this name or address is set up."""


class NoReply(Exception):
    """A server gave no answer that can be read. The words never repeat what it sent; ``status`` is
    ours for it.
    """

    def __init__(self, words: str, status: int = 502) -> None:
        super().__init__(words)
        self.status = status


class Busy(NoReply):
    """Too many calls are open already."""

    def __init__(self) -> None:
        super().__init__("Too many calls to NLIP servers are open. Try again in a moment.", 503)


@dataclass(frozen=True)
class Reply:
    """What came back: the HTTP status, the body as text, and where a redirection points, which is
    not followed.
    """

    status: int
    wire: str
    moved: str = ""


def pace(caller: str) -> int:
    """Seconds until a person or a key may have another message sent; 0 for now."""
    return _throttle.wait(caller)


def listed() -> tuple[Peer, ...]:
    """The servers that may be called."""
    peers: tuple[Peer, ...] = settings.NLIP_SERVERS
    return peers


def find(name: str) -> Peer:
    """The server of that name or exact address. Raises Unknown."""
    for peer in listed():
        if name in (peer.name, peer.url):
            return peer
    raise Unknown(name)


def dialect_of(peer: Peer) -> str:
    """What a server speaks, as its address says."""
    for pair in urlsplit(peer.url).query.split("&"):
        if (
            pair.partition("=")[0] == "dialect"
            and pair.partition("=")[2].replace("%2F", "/") in DIALECTS
        ):
            return pair.partition("=")[2].replace("%2F", "/")
    return DEFAULT


def identity() -> str:
    """The name of this installation among agents: what ends its tokens, and what it writes into
    ``Via``.
    """
    return f"{IDENTITY}-{salted_hmac('cablese.nlip.identity', '').hexdigest()[:8]}"


def send(peer: Peer, wire: str, *, via: str = "") -> Reply:
    """Post a message to a server and read its answer, whatever it is. Raises NoReply.

    ``via`` names the agents that the message came through, as in HTTP's ``Via``.
    """
    if not _open.acquire(blocking=False):
        raise Busy
    box: queue.SimpleQueue[Reply | NoReply] = queue.SimpleQueue()
    call = _Call(peer, to_bytes(wire), via, box)
    # A thread of its own: the limit of a socket begins anew with every byte, and a name is looked
    # up without one.
    threading.Thread(target=call.run, daemon=True).start()
    try:
        got = box.get(timeout=SECONDS)
    except queue.Empty:
        call.give_up()
        raise NoReply(f"The server gave no answer within {SECONDS:g} s.", 504) from None
    if isinstance(got, NoReply):
        raise got
    return got


class _Call:
    """One connection, used once."""

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
        except Exception as error:  # noqa: BLE001  (whatever a server does, the one who waits is answered)
            self._box.put(NoReply(f"The call to the server failed ({type(error).__name__})."))
        finally:
            self.give_up()
            _open.release()

    def give_up(self) -> None:
        """End the connection, also while another thread waits for more of it; closing alone would
        not wake that.
        """
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
            self._socket.close()

    def _answer(self) -> Reply:
        try:
            return self._exchange()
        except TimeoutError:
            raise NoReply(f"The server did not go on within {CONNECT:g} s.", 504) from None
        except ssl.SSLCertVerificationError as error:
            raise NoReply(
                f"The certificate of the server is not trusted: {error.verify_message}."
            ) from None
        except ssl.SSLError:
            raise NoReply("The server does not speak TLS as it must.") from None
        except (IncompleteRead, ConnectionError):
            raise NoReply("The server cannot be reached, or closed the connection early.") from None
        except OSError:
            raise NoReply("The server cannot be reached.") from None
        except (HTTPException, ValueError):
            raise NoReply("The server did not answer in HTTP.") from None

    def _exchange(self) -> Reply:
        seen = urlsplit(self._peer.url)
        connection = _connect(seen.hostname or "", seen.port, secure=seen.scheme == "https")
        connection.connect()
        self._socket = connection.sock
        path = f"{seen.path}?{seen.query}" if seen.query else seen.path
        connection.request("POST", path, body=self._body, headers=self._headers())
        with connection.getresponse() as response:
            body = bytearray()
            while block := response.read1(_BLOCK):
                body += block
                if len(body) > ANSWER_LIMIT:
                    raise NoReply(f"The answer is larger than {ANSWER_LIMIT:,} bytes.")
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


def came_through(via: str) -> tuple[int, bool]:
    """How many agents ``Via`` names, and whether we are one of them."""
    hops = [hop.split() for hop in via.split(",") if hop.strip()]
    return len(hops), any(identity() in hop[1:2] for hop in hops)
