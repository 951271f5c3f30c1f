"""Call a language model at any OpenAI-compatible endpoint. Its answers are never trusted.

An endpoint may be slow, broken, or hostile. The whole call has a time limit, at most four calls run
at once so that pages keep responding, and an answer is read up to its size limit only.
"""

import queue
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from playground.server.environment import Endpoint

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletion

SECONDS = 30.0
"""Time limit for one answer, from the first byte sent to the last byte read."""
AT_ONCE = 4
ANSWER_TOKENS = 500
ANSWER_LENGTH = 4_000
_open = threading.BoundedSemaphore(AT_ONCE)

Turn = dict[str, str]


class NoAnswer(Exception):
    """Report that the model gave no usable answer. The message never quotes the endpoint."""


class Busy(NoAnswer):
    """Report that too many model requests are in progress."""


class Reply(NamedTuple):
    """The model's answer and the token counts that its endpoint reports, if any."""

    text: str
    tokens_in: int | None
    tokens_out: int | None


def ask(endpoint: Endpoint, turns: Sequence[Turn]) -> Reply:
    """Return the model's answer to a chat. Raises NoAnswer."""
    if not _open.acquire(blocking=False):
        raise Busy("Too many model requests are in progress. Try again in a moment.")
    box: queue.SimpleQueue[Reply | NoAnswer] = queue.SimpleQueue()
    # Use a thread: the client's own timeout restarts with every byte received.
    threading.Thread(target=_ask, args=(endpoint, list(turns), box), daemon=True).start()
    try:
        answer = box.get(timeout=SECONDS)
    except queue.Empty:
        raise NoAnswer(f"The model did not answer within {SECONDS:g} seconds.") from None
    if isinstance(answer, NoAnswer):
        raise answer
    return answer


def _ask(endpoint: Endpoint, turns: list[Turn], box: "queue.SimpleQueue[Reply | NoAnswer]") -> None:
    try:
        box.put(_call(endpoint, turns))
    except NoAnswer as none:
        box.put(none)
    except Exception as error:  # noqa: BLE001  (the waiting caller always gets an answer)
        box.put(NoAnswer(f"Unexpected response from the model endpoint ({type(error).__name__})."))
    finally:
        _open.release()


def _call(endpoint: Endpoint, turns: list[Turn]) -> Reply:
    answer = _complete(endpoint, turns)
    if not answer.choices:
        raise NoAnswer("The model endpoint returned no choices.")
    choice, usage = answer.choices[0], answer.usage
    if choice.message.refusal or choice.finish_reason == "content_filter":
        raise NoAnswer("The model refused to answer.")
    text = choice.message.content
    if not isinstance(text, str) or not text.strip():
        raise NoAnswer("The model returned an empty answer.")
    if len(text) > ANSWER_LENGTH:
        raise NoAnswer(
            f"The model's answer is longer than the limit of {ANSWER_LENGTH:,} characters."
        )
    counts = (usage.prompt_tokens, usage.completion_tokens) if usage else (None, None)
    return Reply(text, *map(_count, counts))


def _complete(endpoint: Endpoint, turns: list[Turn]) -> "ChatCompletion":
    import openai

    from playground.aacp import response_body

    with openai.OpenAI(
        base_url=endpoint.url,
        api_key=endpoint.key or "none",
        timeout=SECONDS,
        max_retries=0,
        http_client=response_body.client(SECONDS),
    ) as client:
        try:
            sent: Any = turns
            return client.chat.completions.create(
                model=endpoint.model, messages=sent, temperature=0, max_tokens=ANSWER_TOKENS
            )
        except openai.APITimeoutError:
            raise NoAnswer(f"The model did not answer within {SECONDS:g} seconds.") from None
        except openai.APIConnectionError:
            raise NoAnswer("Cannot reach the model endpoint.") from None
        except response_body.Unread as unread:
            raise NoAnswer(str(unread)) from None
        except openai.APIStatusError as error:
            raise NoAnswer(
                f"The model endpoint returned HTTP status {error.status_code}."
            ) from None


def _count(reported: object) -> int | None:
    return reported if isinstance(reported, int) and 0 <= reported < 2**31 else None
