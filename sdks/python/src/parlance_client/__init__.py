"""Parlance for servers: Agents, conversations, webhooks and speech that streams from a language model."""

from typing import Any, AsyncIterable, AsyncIterator, Iterable, Iterator

import httpx
from typing_extensions import Self, Unpack

from . import types
from ._operations import AsyncOperations, Operations
from ._requests import AsyncItems, AsyncRequests, Items, ParlanceError, Requests, connection_error
from ._speech import AsyncSpeechStream, SpeechAudio, SpeechEvent, SpeechOptions, SpeechStream
from ._webhook import WebhookVerificationError, verify_signature, verify_webhook

__all__ = [
    "AsyncItems",
    "AsyncParlance",
    "AsyncSpeechStream",
    "AsyncSpokenAudio",
    "Items",
    "Parlance",
    "ParlanceError",
    "SpeechAudio",
    "SpeechEvent",
    "SpeechOptions",
    "SpeechStream",
    "SpokenAudio",
    "WebhookVerificationError",
    "types",
    "verify_signature",
    "verify_webhook",
]


class _Spoken:
    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self.request_id: str = response.headers["x-request-id"]
        self.content_type: str = response.headers["content-type"]
        self.sample_rate_hz = int(response.headers["x-audio-sample-rate"])
        self.characters_billed = int(response.headers["x-characters-billed"])


class SpokenAudio(_Spoken):
    """The audio of a text, as it is made. ``with`` stops the synthesis at the end."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._response.close()

    def __iter__(self) -> Iterator[bytes]:
        try:
            yield from self._response.iter_bytes()
        except httpx.TransportError as error:
            raise connection_error(error) from error

    def read(self) -> bytes:
        """All of the audio."""
        return b"".join(self)


class AsyncSpokenAudio(_Spoken):
    """The audio of a text, as it is made. ``async with`` stops the synthesis at the end."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._response.aclose()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for part in self._response.aiter_bytes():
                yield part
        except httpx.TransportError as error:
            raise connection_error(error) from error

    async def read(self) -> bytes:
        """All of the audio."""
        return b"".join([part async for part in self])


class Parlance(Operations):
    """The API of one workspace.

    ``url`` is the address of the gateway, ``api_key`` the key of the workspace (``awp_…``). A request that failed is sent again up
    to ``max_retries`` times, where that can help. ``timeout`` is in seconds, of one attempt.
    """

    def __init__(self, url: str, api_key: str, *, max_retries: int = 2, timeout: float = 60.0) -> None:
        super().__init__(Requests(url, api_key, max_retries, timeout))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._requests.http.close()

    def speak(self, request: types.TtsRequest) -> SpokenAudio:
        """Speak a text of at most 5,000 characters. Returns with the first byte of its audio."""
        body: dict[str, Any] = {**request, "response_mode": "audio"}
        return SpokenAudio(self._requests.send("POST", "/v1/tts", body=body, stream=True))

    def speak_with_times(self, request: types.TtsRequest) -> types.TtsJsonResponse:
        """The same with the times of words, phonemes and mouth shapes. Returns when all of the audio is complete."""
        body: dict[str, Any] = {**request, "response_mode": "json"}
        result: types.TtsJsonResponse = self._requests.json("POST", "/v1/tts", body=body)
        return result

    def stream_speech(self, text: str | Iterable[str], **options: Unpack[SpeechOptions]) -> SpeechStream:
        """Speak a text while it is being written: a string, or its parts, such as the tokens of a language model."""
        requests = self._requests

        def create_requests() -> AsyncRequests:
            return AsyncRequests(requests.url, requests.api_key, requests.max_retries, requests.timeout)

        return SpeechStream(create_requests, text, options)


class AsyncParlance(AsyncOperations):
    """The API of one workspace for asyncio. Its arguments are those of ``Parlance``."""

    def __init__(self, url: str, api_key: str, *, max_retries: int = 2, timeout: float = 60.0) -> None:
        super().__init__(AsyncRequests(url, api_key, max_retries, timeout))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections."""
        await self._requests.http.aclose()

    async def speak(self, request: types.TtsRequest) -> AsyncSpokenAudio:
        """Speak a text of at most 5,000 characters. Returns with the first byte of its audio."""
        body: dict[str, Any] = {**request, "response_mode": "audio"}
        return AsyncSpokenAudio(await self._requests.send("POST", "/v1/tts", body=body, stream=True))

    async def speak_with_times(self, request: types.TtsRequest) -> types.TtsJsonResponse:
        """The same with the times of words, phonemes and mouth shapes. Returns when all of the audio is complete."""
        body: dict[str, Any] = {**request, "response_mode": "json"}
        result: types.TtsJsonResponse = await self._requests.json("POST", "/v1/tts", body=body)
        return result

    def stream_speech(
        self, text: str | Iterable[str] | AsyncIterable[str], **options: Unpack[SpeechOptions]
    ) -> AsyncSpeechStream:
        """Speak a text while it is being written: a string, or its parts, such as the tokens of a language model."""
        return AsyncSpeechStream(self._requests, text, options)
