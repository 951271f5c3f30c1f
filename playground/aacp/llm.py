"""A language model behind any endpoint that speaks the OpenAI protocol. It is asked; it is never
believed.

An endpoint may be slow, broken or hostile: the time is limited as a whole, whatever dribbles in; at
most four questions are open at once, so that pages go on answering; and an answer over its limit is
none.
"""

import queue
import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

from playground.server.environment import Endpoint

SECONDS = 30.0
"""For one answer, from the first byte sent to the last one read."""
AT_ONCE = 4
ANSWER_TOKENS = 500
ANSWER_LENGTH = 4_000
_open = threading.BoundedSemaphore(AT_ONCE)

Turn = dict[str, str]


class NoAnswer(Exception):
    """The model gave no usable answer; the words say why and never repeat what an endpoint said."""


class Busy(NoAnswer):
    """Too many questions are open already."""


class Reply(NamedTuple):
    """What the model said, and the tokens that its endpoint reports; None where it reports none."""

    text: str
    tokens_in: int | None
    tokens_out: int | None


def ask(endpoint: Endpoint, turns: Sequence[Turn]) -> Reply:
    """The model's answer to a chat. Raises NoAnswer."""
    if not _open.acquire(blocking=False):
        raise Busy("Too many questions to the model are open. Try again in a moment.")
    box: queue.SimpleQueue[Reply | NoAnswer] = queue.SimpleQueue()
    # A thread of its own, because a time limit of the client's begins anew with every byte that
    # comes.
    threading.Thread(target=_ask, args=(endpoint, list(turns), box), daemon=True).start()
    try:
        answer = box.get(timeout=SECONDS)
    except queue.Empty:
        raise NoAnswer(f"The model gave no answer within {SECONDS:g} seconds.") from None
    if isinstance(answer, NoAnswer):
        raise answer
    return answer


def _ask(endpoint: Endpoint, turns: list[Turn], box: "queue.SimpleQueue[Reply | NoAnswer]") -> None:
    try:
        box.put(_call(endpoint, turns))
    except NoAnswer as none:
        box.put(none)
    except Exception as error:  # noqa: BLE001  (whatever an endpoint sends, the one who waits is answered)
        box.put(
            NoAnswer(
                f"The model's endpoint answered with something that is no chat ({type(error).__name__})."
            )
        )
    finally:
        _open.release()


def _call(endpoint: Endpoint, turns: list[Turn]) -> Reply:
    import openai

    # A redirect would carry the key and the question to a server that nobody named.
    direct = openai.DefaultHttpxClient(follow_redirects=False)
    with openai.OpenAI(
        base_url=endpoint.url,
        api_key=endpoint.key or "none",
        timeout=SECONDS,
        max_retries=0,
        http_client=direct,
    ) as client:
        try:
            sent: Any = turns
            answer = client.chat.completions.create(
                model=endpoint.model, messages=sent, temperature=0, max_tokens=ANSWER_TOKENS
            )
        except openai.APITimeoutError:
            raise NoAnswer(f"The model gave no answer within {SECONDS:g} seconds.") from None
        except openai.APIConnectionError:
            raise NoAnswer("The model's endpoint cannot be reached.") from None
        except openai.APIStatusError as error:
            raise NoAnswer(
                f"The model's endpoint answered with status {error.status_code}."
            ) from None
    if not answer.choices:
        raise NoAnswer("The model's endpoint answered without a choice.")
    choice = answer.choices[0]
    if choice.message.refusal or choice.finish_reason == "content_filter":
        raise NoAnswer("The model refused to answer.")
    text = choice.message.content
    if not isinstance(text, str) or not text.strip():
        raise NoAnswer("The model gave an empty answer.")
    if len(text) > ANSWER_LENGTH:
        raise NoAnswer(f"The model's answer has more than {ANSWER_LENGTH:,} characters.")
    usage = answer.usage
    return Reply(
        text, _count(usage and usage.prompt_tokens), _count(usage and usage.completion_tokens)
    )


def _count(reported: object) -> int | None:
    return reported if isinstance(reported, int) and 0 <= reported < 2**31 else None
