"""Speech over a WebSocket, made while its text is being written.

- The text is read no faster than it can be spoken, and the socket is not read while the reader of the speech is slow.
- A connection that fails before the first audio is replaced, and the text is sent again. Later it is an error, since audio
  would be played twice.
"""

import asyncio
import json
import re
import threading
import time
from typing import Any, AsyncGenerator, AsyncIterable, AsyncIterator, Callable, Generator, Iterable, Iterator, Literal, cast

from typing_extensions import NotRequired, Self, TypedDict
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.typing import Subprotocol

from . import types
from ._requests import AsyncRequests, ParlanceError, error_of_response, retry_delay

SEND_EVERY_SECONDS = 0.01
"""The server closes connections with more than 200 messages per second. Parts that come faster are joined."""
MAX_WAITING_CHARACTERS = 6_000
"""Text beyond this waits until the text before it was spoken. The server refuses more than 8,000 characters."""
FLUSH_AFTER_CHARACTERS = 2_000
MAX_UNREAD_EVENTS = 64
HEADER_BYTES = 12
SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]?\s|[。！？\n]")


class SpeechAudio(TypedDict):
    """A part of the audio."""

    event: Literal["audio"]
    seq: int
    """Counts from 0."""
    start_ms: int
    """When it begins, in ms from the first sample of the speech."""
    data: bytes


SpeechEvent = types.StreamStarted | SpeechAudio | types.StreamAlignment | types.StreamDone | types.StreamCancelled
"""``started`` comes first. The last one is ``done``, or ``cancelled`` after ``cancel()``."""


class SpeechOptions(TypedDict):
    """How a text is spoken."""

    voice_id: str
    tts_variant: NotRequired[str]
    language: NotRequired[str]
    output: NotRequired[types.StreamStartOutput]
    speed: NotRequired[float]
    volume: NotRequired[float]
    alignment: NotRequired[list[Literal["word", "phoneme", "viseme"]]]
    buffering: NotRequired[types.StreamStartBuffering]


class _Source:
    """The parts of a text. They are kept until the first audio, for a second connection."""

    def __init__(self, text: AsyncIterable[str]) -> None:
        self.parts: list[str] = []
        self.ended = False
        self._iterator = aiter(text)
        self._reading: asyncio.Task[None] | None = None
        self._error: Exception | None = None

    async def _read(self) -> None:
        try:
            part = await anext(self._iterator)
            if part != "":
                self.parts.append(part)
        except StopAsyncIteration:
            self.ended = True
        except Exception as error:
            self._error = error

    async def more(self, timeout: float | None = None) -> None:
        """Return when there is one part more, or the text has ended, or after ``timeout`` seconds.

        Raises what the iterator raises.
        """
        if self._error is None:
            if self._reading is None or self._reading.done():
                self._reading = asyncio.create_task(self._read())
            # It does not cancel the iterator when a connection is lost. ``wait_for`` of Python 3.11 would lose a cancellation
            # that comes together with a part.
            await asyncio.wait([self._reading], timeout=timeout)
        if self._error is not None:
            raise self._error

    async def close(self) -> None:
        if self._reading is not None and not self._reading.done():
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)
        close = getattr(self._iterator, "aclose", None)
        if close is not None:
            await close()


class _Connection:
    """One connection that speaks one text."""

    def __init__(self, socket: ClientConnection, source: _Source, start: SpeechOptions) -> None:
        self.events: asyncio.Queue[SpeechEvent | BaseException] = asyncio.Queue(MAX_UNREAD_EVENTS)
        self._socket = socket
        self._source = source
        self._start = start
        self._spoken_changed = asyncio.Event()
        self._sent = 0
        self._flushed = 0
        self._spoken = 0
        self._last_character = ""
        self._sender: asyncio.Task[None] | None = None
        self._receiver = asyncio.create_task(self._receive())
        self._is_cancelled = False
        self._cancelled: asyncio.Future[types.StreamCancelled | None] = asyncio.get_running_loop().create_future()

    async def _send(self, event: str, **fields: Any) -> None:
        await self._socket.send(json.dumps({"event": event, "context_id": "default", **fields}))

    async def _send_beginning(self, text: str) -> str:
        """Send the beginning of the text, and return the rest.

        Now and then a sentence is flushed: the answer to it shows how much was spoken.
        """
        part = text[:FLUSH_AFTER_CHARACTERS]
        unflushed = self._sent + len(part) - self._flushed
        is_flushed = unflushed >= 2 * FLUSH_AFTER_CHARACTERS
        if unflushed >= FLUSH_AFTER_CHARACTERS:
            ends = [match.end() for match in SENTENCE_END.finditer(self._last_character + part)]
            if ends:
                part = part[: ends[-1] - len(self._last_character)]
                is_flushed = True
        if part:
            await self._send("text", text=part)
            self._sent += len(part)
            self._last_character = part[-1]
        if is_flushed:
            self._flushed = self._sent
            await self._send("flush", flush_id=str(self._sent))
        return text[len(part) :]

    async def _collect(self, at: int, sent_at: float) -> None:
        """Read parts until the next message may be sent, or they are long enough for one."""
        source = self._source
        while not source.ended and sum(map(len, source.parts[at:])) < FLUSH_AFTER_CHARACTERS:
            remaining = sent_at + SEND_EVERY_SECONDS - time.monotonic()
            if remaining <= 0:
                return
            await source.more(remaining)

    async def _send_text(self) -> None:
        try:
            at = 0
            sent_at = 0.0
            while True:
                if at == len(self._source.parts) and not self._source.ended:
                    await self._source.more()
                await self._collect(at, sent_at)
                if at == len(self._source.parts):
                    return await self._send("end")
                text = "".join(self._source.parts[at:])
                at = len(self._source.parts)
                while text:
                    while self._sent - self._spoken >= MAX_WAITING_CHARACTERS:
                        self._spoken_changed.clear()
                        await self._spoken_changed.wait()
                    text = await self._send_beginning(text)
                    sent_at = time.monotonic()
                    if text:
                        await asyncio.sleep(SEND_EVERY_SECONDS)
        except ConnectionClosed:
            pass  # The receiver reports it.
        except Exception as error:
            # An error of the iterator is raised to the reader of the speech.
            await self.events.put(error)

    async def _receive(self) -> None:
        try:
            async for data in self._socket:
                if isinstance(data, bytes):
                    if not self._is_cancelled:
                        seq, start_ms = int.from_bytes(data[4:8], "big"), int.from_bytes(data[8:12], "big")
                        await self.events.put(
                            {"event": "audio", "seq": seq, "start_ms": start_ms, "data": data[HEADER_BYTES:]}
                        )
                    continue
                message = json.loads(data)
                event = message["event"]
                if event == "ready":
                    await self._send("start", audio_frames="binary", **self._start)
                    self._sender = asyncio.create_task(self._send_text())
                elif event == "flushed":
                    self._spoken = int(message["flush_id"])
                    self._spoken_changed.set()
                elif event == "error":
                    await self.events.put(
                        ParlanceError(
                            message["code"],
                            message["detail"],
                            retryable=message["retryable"],
                            request_id=message["request_id"],
                        )
                    )
                elif event in ("started", "alignment", "done", "cancelled"):
                    if event == "cancelled":
                        self._cancelled.set_result(cast(types.StreamCancelled, message))
                    await self.events.put(cast(SpeechEvent, message))
            await self.events.put(ParlanceError("connection_failed", "The connection was closed.", retryable=True))
        except ConnectionClosed as cause:
            error = ParlanceError("connection_failed", f"The connection was closed: {cause}", retryable=True)
            error.__cause__ = cause
            await self.events.put(error)
        finally:
            if not self._cancelled.done():
                self._cancelled.set_result(None)

    async def cancel(self, played_ms: float | None) -> types.StreamCancelled | None:
        self._is_cancelled = True
        while not self.events.empty():
            self.events.get_nowait()
        try:
            await self._send("cancel", **({} if played_ms is None else {"played_ms": played_ms}))
        except ConnectionClosed:
            return None
        return await asyncio.shield(self._cancelled)

    async def close(self) -> None:
        tasks = [task for task in (self._sender, self._receiver) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class AsyncSpeechStream:
    """Speech as it is made. It begins when it is iterated, which is possible once. ``async with`` stops it at the end."""

    def __init__(self, requests: AsyncRequests, text: str | Iterable[str] | AsyncIterable[str], start: SpeechOptions) -> None:
        self._requests = requests
        self._text = text
        self._start = start
        self._connection: _Connection | None = None
        self._is_cancelled = False
        self._running: AsyncGenerator[SpeechEvent, None] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Stop the speech. The audio that was made until then is billed."""
        if self._running is not None:
            await self._running.aclose()

    def __aiter__(self) -> AsyncIterator[SpeechEvent]:
        if self._running is not None:
            raise TypeError("A speech can be iterated once.")
        self._running = self._run()
        return self._running

    async def audio(self) -> AsyncGenerator[bytes, None]:
        """The audio alone."""
        async for event in self:
            if event["event"] == "audio":
                yield event["data"]

    async def cancel(self, played_ms: float | None = None) -> types.StreamCancelled | None:
        """Stop the speech, and return the text that was spoken and the text that was not.

        ``played_ms`` is how much of the audio was played; the default is what can have been played by now. ``None`` is returned
        when the speech is over, or has not begun.
        """
        self._is_cancelled = True
        return None if self._connection is None else await self._connection.cancel(played_ms)

    async def _speak_once(self, source: _Source) -> AsyncGenerator[SpeechEvent, None]:
        body = {"voice_id": self._start["voice_id"]}
        token: types.StreamToken = await self._requests.json("POST", "/v1/tts/stream-tokens", body=body)
        url = re.sub("^http", "ws", self._requests.url) + "/v1/tts/stream"
        try:
            socket = await connect(
                url,
                subprotocols=[Subprotocol("awp.tts.v1")],
                additional_headers={"Authorization": f"Bearer {token['token']}"},
                compression=None,
                # A server with much to send need not have finished.
                close_timeout=1,
            )
        except InvalidStatus as cause:
            response = cause.response
            raise error_of_response(
                response.status_code, bytes(response.body or b""), response.headers.get("retry-after")
            ) from cause
        except (InvalidHandshake, OSError, TimeoutError) as cause:
            raise ParlanceError("connection_failed", f"The connection failed: {cause}", retryable=True) from cause
        connection = _Connection(socket, source, self._start)
        self._connection = connection
        try:
            while True:
                event = await connection.events.get()
                if isinstance(event, BaseException):
                    raise event
                if self._is_cancelled and event["event"] == "audio":
                    continue
                yield event
                if event["event"] in ("done", "cancelled"):
                    return
        finally:
            self._connection = None
            await connection.close()
            # ``async with`` would report an internal error to the server when the reader leaves.
            await socket.close()

    async def _run(self) -> AsyncGenerator[SpeechEvent, None]:
        source = _Source(_parts(self._text))
        has_started = has_audio = False
        retries = 0
        try:
            while not self._is_cancelled:
                attempt = self._speak_once(source)
                try:
                    async for event in attempt:
                        has_audio = has_audio or event["event"] == "audio"
                        if event["event"] != "started" or not has_started:
                            yield event
                        has_started = has_started or event["event"] == "started"
                    return
                except ParlanceError as error:
                    if not error.retryable or has_audio or self._is_cancelled or retries >= self._requests.max_retries:
                        raise
                    await asyncio.sleep(retry_delay(error, retries))
                    retries += 1
                finally:
                    await attempt.aclose()
        finally:
            await source.close()


async def _parts(text: str | Iterable[str] | AsyncIterable[str]) -> AsyncGenerator[str, None]:
    if isinstance(text, str):
        yield text
    elif isinstance(text, AsyncIterable):
        async for part in text:
            yield part
    else:
        # A generator may wait for a language model, so it does not run on the event loop.
        iterator = iter(text)
        loop = asyncio.get_running_loop()
        try:
            while (part_or_end := await loop.run_in_executor(None, next, iterator, None)) is not None:
                yield part_or_end
        finally:
            close = getattr(iterator, "close", None)
            if close is not None:
                try:
                    close()
                except ValueError:
                    pass  # It still waits for its next part.


class SpeechStream:
    """Speech as it is made. It begins when it is iterated, which is possible once. ``with`` stops it at the end.

    An event loop of its own, in a thread of its own, speaks.
    """

    def __init__(
        self, create_requests: Callable[[], AsyncRequests], text: str | Iterable[str], start: SpeechOptions
    ) -> None:
        self._create_requests = create_requests
        self._text = text
        self._start = start
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stream: AsyncSpeechStream | None = None
        self._running: Generator[SpeechEvent, None, None] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the speech. The audio that was made until then is billed."""
        if self._running is not None:
            self._running.close()

    def __iter__(self) -> Iterator[SpeechEvent]:
        if self._running is not None:
            raise TypeError("A speech can be iterated once.")
        self._running = self._run()
        return self._running

    def audio(self) -> Generator[bytes, None, None]:
        """The audio alone."""
        for event in self:
            if event["event"] == "audio":
                yield event["data"]

    def cancel(self, played_ms: float | None = None) -> types.StreamCancelled | None:
        """Stop the speech, and return the text that was spoken and the text that was not. Any thread may call it.

        ``played_ms`` is how much of the audio was played; the default is what can have been played by now. ``None`` is returned
        when the speech is over, or has not begun.
        """
        if self._loop is None or self._stream is None:
            return None
        return asyncio.run_coroutine_threadsafe(self._stream.cancel(played_ms), self._loop).result()

    def _run(self) -> Generator[SpeechEvent, None, None]:
        loop = asyncio.new_event_loop()
        thread = threading.Thread(target=loop.run_forever, name="parlance-speech", daemon=True)
        thread.start()
        requests = self._create_requests()
        self._stream = AsyncSpeechStream(requests, self._text, self._start)
        self._loop = loop
        events = aiter(self._stream)

        reading: asyncio.Task[Any] | None = None

        async def next_event() -> SpeechEvent | None:
            nonlocal reading
            reading = asyncio.current_task()
            return await anext(events, None)

        async def close(stream: AsyncSpeechStream) -> None:
            # The thread was interrupted while it waited.
            if reading is not None and not reading.done():
                reading.cancel()
                await asyncio.gather(reading, return_exceptions=True)
            await stream.aclose()
            await requests.http.aclose()

        try:
            while (event := asyncio.run_coroutine_threadsafe(next_event(), loop).result()) is not None:
                yield event
        finally:
            asyncio.run_coroutine_threadsafe(close(self._stream), loop).result()
            self._loop = None
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()
