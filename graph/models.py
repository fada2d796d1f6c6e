"""Chat and embedding models; the only module that imports OpenAI, and only when one is asked for (1.2 s)."""

import re
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

from langchain_core.embeddings import Embeddings
from langchain_core.language_models import BaseChatModel
from pydantic import SecretStr, ValidationError

from ..stores.errors import InvalidInput, ModelUnavailable
from .settings import Settings

OPENAI_URL = "https://api.openai.com/v1"

CONNECT_TIMEOUT = 10.0
"""Seconds to reach a server; that it then takes its time to answer is `model_timeout`."""

EMBEDDED_TOGETHER = 100
"""Texts in one request: at 2,000 characters each, within OpenAI's 300,000 tokens in any script."""

_PROVIDERS = """
    anthropic azure_ai azure_openai bedrock bedrock_converse cohere deepseek fireworks google_genai
    google_vertexai groq huggingface mistralai nvidia ollama openrouter perplexity together upstage xai
""".split()
"""With a base URL only these prefixes name a provider: `mistral:7b` is a model of a local server."""


def chat_model(settings: Settings) -> BaseChatModel | None:
    """The chat model the settings name. No call is made yet.

    None means that it would be OpenAI's or a compatible server's, and neither key nor URL is set: the caller
    speaks offline. Raises InvalidInput for a provider that cannot be set up.
    """
    provider, colon, name = settings.model.partition(":")
    if colon and provider != "openai" and (settings.openai_base_url is None or provider in _PROVIDERS):
        return _provided(settings, provider)
    if not settings.openai_api_key and not settings.openai_base_url:
        return None
    return _openai_chat(settings, name if provider == "openai" and colon else settings.model)


def openai_embeddings(settings: Settings, model: str) -> Embeddings:
    """An embedding model of OpenAI or the compatible server. Text goes as text: no tokenizer is loaded."""
    from langchain_openai import OpenAIEmbeddings

    return OpenAIEmbeddings(
        model=model, check_embedding_ctx_length=False, chunk_size=EMBEDDED_TOGETHER, **_connection(settings)
    )


def describe(model: BaseChatModel | None) -> str:
    """The model's name and where it runs, without any key."""
    if model is None or model._llm_type == "offline-voice":
        return "offline voice; set OPENAI_API_KEY or OPENAI_BASE_URL to talk with a model"
    name = next((n for a in ("model_name", "model") if isinstance(n := getattr(model, a, None), str)), None)
    url = getattr(model, "openai_api_base", None) or getattr(model, "base_url", None)
    where = _place(url) if isinstance(url, str) else type(model).__name__
    return f"{name} at {where}" if name else where


def close(model: BaseChatModel | Embeddings | None) -> None:
    """Close the connections of a model built here; it cannot be called again. A host closes its own."""
    client = getattr(model, "http_client", None)
    if client is not None:
        client.close()


async def aclose(model: BaseChatModel | Embeddings | None) -> None:
    """As `close`, for async calls too; run it on the event loop that made them."""
    close(model)
    client = getattr(model, "http_async_client", None)
    if client is not None:
        await client.aclose()


def as_model_error(error: Exception) -> ModelUnavailable:
    """What went wrong with a model call, in words for the person who waits: what happened, and what to do.

    Judged by status, error code and class names, so that no provider need be imported and any may be in use.
    What the provider wrote is never repeated: it may hold a key or the text of the prompt.
    """
    if isinstance(error, ModelUnavailable):
        return error
    status = getattr(error, "status_code", None)
    where = _where(error)
    kind = _kind(error, status if isinstance(status, int) else None)
    told = _TOLD[kind].format(where=where, status=status, wait=_wait(error), type=type(error).__name__)
    unavailable = ModelUnavailable(told[0].upper() + told[1:])
    unavailable.retry_after = _retry_after(error)
    return unavailable


def as_background_error(error: Exception) -> ModelUnavailable:
    """As `as_model_error`, for work that nobody waits for: it is tried again without anyone's doing."""
    told = as_model_error(error)
    sentences = re.split(r"(?<=\.) ", str(told))
    unavailable = ModelUnavailable(" ".join(s for s in sentences if "your message" not in s))
    unavailable.retry_after = told.retry_after
    return unavailable


_TOLD = {
    "key": "{where} does not accept the API key ({status}). Check OPENAI_API_KEY, or your provider's key.",
    "unknown": "{where} knows no such model or address ({status}). Check PERDURE_MODEL and OPENAI_BASE_URL "
    "(which usually ends in /v1).",
    "credit": "the account with {where} has no credit left. Add credit, or use another key.",
    "busy": "{where} limits how often it answers. Wait {wait} and send your message again.",
    "too long": "this is more text than the model can read at once. Shorten your message, or lower "
    "PERDURE_WINDOW_TOKENS and PERDURE_RECALL_TOKENS.",
    "filtered": "the provider's content filter refused this. Put it in other words, or use another model.",
    "length": "the model reached its output limit before it was done. Ask for less, or use another model.",
    "rejected": "{where} rejected the request ({status}). The model may lack a feature it was asked for; "
    "try another PERDURE_MODEL.",
    "server": "{where} has a fault of its own ({status}). Wait a moment and send your message again.",
    "slow": "{where} did not answer in time. Send your message again, or raise PERDURE_MODEL_TIMEOUT.",
    "unreachable": "{where} cannot be reached. Check that it is running, OPENAI_BASE_URL and your network.",
    "broken off": "the answer of {where} broke off in the middle. Send your message again.",
    "unreadable": "{where} sent an answer that cannot be read. Send your message again; if that does not "
    "help, check that OPENAI_BASE_URL is an OpenAI-compatible API.",
    "other": "the model call failed ({type}). Send your message again; `perdure doctor` tests the model.",
}

_BY_CLASS = (
    ("slow", {"APITimeoutError", "ModelTimeoutError", "TimeoutException", "TimeoutError"}),
    ("too long", {"ContextOverflowError"}),
    ("length", {"LengthFinishReasonError"}),
    ("filtered", {"ContentFilterFinishReasonError", "ModelRefusalError"}),
    ("broken off", {"RemoteProtocolError", "ReadError", "StreamError", "ConnectionResetError"}),
    ("unreachable", {"APIConnectionError", "ModelConnectionError", "ConnectError", "ConnectionRefusedError"}),
    ("unreadable", {"APIResponseValidationError", "ValidationError", "JSONDecodeError"}),
)
"""Names of classes, of the error and its causes, own or inherited; tried in this order."""

_BY_STATUS = {401: "key", 403: "key", 404: "unknown", 402: "credit", 429: "busy", 408: "slow", 504: "slow"}

_TOO_LONG = re.compile(
    r"context.{0,10}(length|window|size)|maximum context|prompt is too long|too many tokens"
)


def _kind(error: Exception, status: int | None) -> str:
    names = {kind.__name__ for one in _causes(error) for kind in type(one).__mro__}
    code = str(getattr(error, "code", None) or "")
    if "insufficient_quota" in code:
        return "credit"
    if "content_filter" in code or "content_policy" in code:
        return "filtered"
    if code == "context_length_exceeded" or (status in (400, 413) and _TOO_LONG.search(str(error).lower())):
        return "too long"
    for kind, classes in _BY_CLASS:
        if names & classes:
            return kind
    if status is not None:
        return _BY_STATUS.get(status) or ("server" if status >= 500 else "rejected")
    if "APIError" in names:  # the server told of its fault within the stream
        return "broken off"
    # What parsing an answer without the expected parts raises: {"error": ...}, no `choices`, an empty list.
    return "unreadable" if isinstance(error, ValueError | KeyError | TypeError | IndexError) else "other"


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error and what it was raised from."""
    while error is not None:
        yield error
        error = error.__cause__


def _where(error: Exception) -> str:
    """The server, with scheme, host and port when the error knows the request."""
    try:
        url = str(error.request.url)  # type: ignore[attr-defined]
    except (AttributeError, RuntimeError):  # httpx raises the latter for an error without a request
        return "the model's server"
    return f"the model's server ({_place(url)})"


def _place(url: str) -> str:
    """Scheme, host and port of a URL; neither a name and password in it, nor its path and query."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def _wait(error: Exception) -> str:
    headers = getattr(getattr(error, "response", None), "headers", {})
    said = str(headers.get("retry-after", ""))
    return f"{said} seconds" if re.fullmatch(r"[0-9]{1,5}", said) and int(said) > 1 else "a moment"


def _retry_after(error: Exception) -> float | None:
    """The seconds a provider asks to wait: a number, or a date beside the answer's own."""
    headers = getattr(getattr(error, "response", None), "headers", {})
    said = str(headers.get("retry-after", ""))
    if re.fullmatch(r"\d{1,6}(?:\.\d+)?", said):
        return float(said)
    try:
        wait = parsedate_to_datetime(said) - parsedate_to_datetime(str(headers.get("date", "")))
    except (ValueError, TypeError):
        return None
    return max(wait.total_seconds(), 0.0)


def _openai_chat(settings: Settings, name: str) -> BaseChatModel:
    from langchain_openai import ChatOpenAI

    extra: dict[str, Any] = {}
    if settings.openai_base_url:
        extra["use_responses_api"] = False  # else chosen by the model's name, and other servers have none
    if "stream_chunk_timeout" in ChatOpenAI.model_fields:
        extra["stream_chunk_timeout"] = settings.model_timeout
    return ChatOpenAI(model=name, stream_usage=True, **extra, **_connection(settings))


def _connection(settings: Settings) -> dict[str, Any]:
    """How to reach the server, all explicit, so that the environment is read in settings only.

    The clients are the model's own: langchain-openai would share them, and none could be closed.
    """
    from openai import DefaultAsyncHttpxClient, DefaultHttpxClient, Timeout

    # A kept connection belongs to the event loop that opened it; used from the next `asyncio.run` it raises.
    closing = {"connection": "close"}
    timeout = Timeout(settings.model_timeout, connect=min(CONNECT_TIMEOUT, settings.model_timeout))
    return {
        "api_key": settings.openai_api_key or SecretStr("none"),  # a local server wants one sent, and no more
        "base_url": settings.openai_base_url or OPENAI_URL,
        "timeout": timeout,
        "max_retries": settings.model_retries,
        "http_client": DefaultHttpxClient(timeout=timeout),
        "http_async_client": DefaultAsyncHttpxClient(timeout=timeout, headers=closing),
    }


def _provided(settings: Settings, provider: str) -> BaseChatModel:
    """A model of any other provider, through langchain's registry; its key comes from its own variable."""
    from langchain.chat_models import init_chat_model

    limits: dict[str, Any] = {"timeout": settings.model_timeout, "max_retries": settings.model_retries}
    try:
        try:
            model: BaseChatModel = init_chat_model(settings.model, **limits)
        except (TypeError, ValidationError):  # not every provider takes these
            model = init_chat_model(settings.model)
        return model
    except ImportError as error:
        asked = re.search(r"pip install `?([\w-]+)", str(error))
        package = asked[1] if asked else f"langchain-{provider.replace('_', '-')}"
        raise InvalidInput(
            f"PERDURE_MODEL names the provider {provider}, which needs the package {package}. "
            f"Install it: pip install {package}."
        ) from None
    except Exception as error:
        raise InvalidInput(
            f"The provider {provider} that PERDURE_MODEL names cannot be set up ({type(error).__name__}). "
            "Check the name, written provider:model, and that the provider's API key is set."
        ) from None
