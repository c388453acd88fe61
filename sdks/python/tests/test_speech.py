import asyncio
import contextlib
import json
import threading
from typing import Any, AsyncIterator, Dict, Iterator, List

import pytest
from parlance_client import AsyncParlance, Parlance, ParlanceError, SpeechEvent
from parlance_client._requests import AsyncRequests, Requests
from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection

from stand_in import SpeechStandIn, send, send_audio

started = {"event": "started", "context_index": 1, "output": {}}
done = {"event": "done", "audio_duration_ms": 40, "characters_billed": 5, "ttfa_ms": 1}
words = ["word0 ", "word1 ", "word2 "]


@pytest.fixture(autouse=True)
def tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stand-in of speech has WebSockets alone."""

    def mint(self: Requests, method: str, path: str, **_: Any) -> Dict[str, str]:
        return {"token": "awtt_test"}

    async def mint_async(self: AsyncRequests, method: str, path: str, **_: Any) -> Dict[str, str]:
        return {"token": "awtt_test"}

    monkeypatch.setattr(Requests, "json", mint)
    monkeypatch.setattr(AsyncRequests, "json", mint_async)


def messages_of(socket: ServerConnection) -> Iterator[Dict[str, Any]]:
    with contextlib.suppress(ConnectionClosed):
        while True:
            yield json.loads(socket.recv())


class SpeaksAtEnd:
    def __init__(self) -> None:
        self.text = ""

    def __call__(self, socket: ServerConnection) -> None:
        for message in messages_of(socket):
            if message["event"] == "start":
                send(socket, started)
            if message["event"] == "text":
                self.text += message["text"]
            if message["event"] == "end":
                send_audio(socket, 0)
                send_audio(socket, 1)
                send(socket, done)


def lost_at_text(socket: ServerConnection) -> None:
    for message in messages_of(socket):
        if message["event"] == "start":
            send(socket, started)
        if message["event"] == "text":
            return


def names(events: List[SpeechEvent]) -> List[str]:
    return [event["event"] for event in events]


def test_the_parts_of_a_generator_are_spoken_after_a_lost_connection_too() -> None:
    speaks = SpeaksAtEnd()
    with SpeechStandIn(lost_at_text, speaks) as stand_in, Parlance(stand_in.url, "k") as parlance:
        events = list(parlance.stream_speech((word for word in words), voice_id="v"))
        assert stand_in.count == 2
    assert names(events) == ["started", "audio", "audio", "done"]
    assert speaks.text == "".join(words)
    assert events[2] == {"event": "audio", "seq": 1, "start_ms": 20, "data": b"\x01" * 4}


def test_asyncio_speaks_the_parts_of_a_generator() -> None:
    speaks = SpeaksAtEnd()

    async def generate() -> AsyncIterator[str]:
        for word in words:
            await asyncio.sleep(0)
            yield word

    async def speak(url: str) -> List[SpeechEvent]:
        async with AsyncParlance(url, "k") as parlance:
            return [event async for event in parlance.stream_speech(generate(), voice_id="v")]

    with SpeechStandIn(lost_at_text, speaks) as stand_in:
        assert names(asyncio.run(speak(stand_in.url))) == ["started", "audio", "audio", "done"]
    assert speaks.text == "".join(words)


def test_a_connection_that_is_lost_after_the_first_audio_is_an_error() -> None:
    def loses(socket: ServerConnection) -> None:
        next(messages_of(socket))
        send_audio(socket, 0)

    with SpeechStandIn(loses) as stand_in, Parlance(stand_in.url, "k") as parlance:
        events = iter(parlance.stream_speech("Hello.", voice_id="v"))
        assert next(events)["event"] == "audio"
        with pytest.raises(ParlanceError) as raised:
            next(events)
        assert raised.value.code == "connection_failed"


def answers_cancel(socket: ServerConnection) -> None:
    for message in messages_of(socket):
        if message["event"] == "text":
            for seq in range(200):
                send_audio(socket, seq)
        if message["event"] == "cancel":
            assert message["played_ms"] == 120
            send(socket, {"event": "cancelled", "text_spoken": "Hello", "text_remaining": " there"})


def test_cancel_stops_the_speech_inside_of_the_loop() -> None:
    events = []
    with SpeechStandIn(answers_cancel) as stand_in, Parlance(stand_in.url, "k") as parlance:
        with parlance.stream_speech("Hello there", voice_id="v") as speech:
            for event in speech:
                events.append(event)
                if event["event"] == "audio":
                    cancelled = speech.cancel(played_ms=120)
                    assert cancelled is not None and cancelled["text_remaining"] == " there"
    assert names(events) == ["audio", "cancelled"]


def test_asyncio_cancels_the_speech_inside_of_the_loop() -> None:
    async def speak(url: str) -> List[SpeechEvent]:
        events = []
        async with AsyncParlance(url, "k") as parlance, parlance.stream_speech("Hello there", voice_id="v") as speech:
            async for event in speech:
                events.append(event)
                if event["event"] == "audio":
                    await speech.cancel(played_ms=120)
        return events

    with SpeechStandIn(answers_cancel) as stand_in:
        assert names(asyncio.run(speak(stand_in.url))) == ["audio", "cancelled"]


def test_to_leave_the_loop_closes_the_connection_and_the_generator() -> None:
    generator_closed = threading.Event()
    connection_closed = threading.Event()

    def endless() -> Iterator[str]:
        try:
            while True:
                yield "on and on "
        finally:
            generator_closed.set()

    def speaks(socket: ServerConnection) -> None:
        try:
            for message in messages_of(socket):
                if message["event"] == "text":
                    for seq in range(20):
                        send_audio(socket, seq, 8_192)
        except ConnectionClosed:
            pass  # The client may leave while audio is sent.
        connection_closed.set()

    with SpeechStandIn(speaks) as stand_in, Parlance(stand_in.url, "k") as parlance:
        with parlance.stream_speech(endless(), voice_id="v") as speech:
            for event in speech:
                if event["event"] == "audio":
                    break
        assert generator_closed.wait(60)
        assert connection_closed.wait(60)


def test_an_error_of_the_generator_reaches_the_reader() -> None:
    def fails() -> Iterator[str]:
        yield "Hello "
        raise RuntimeError("the model failed")

    with SpeechStandIn(SpeaksAtEnd()) as stand_in, Parlance(stand_in.url, "k") as parlance:
        with pytest.raises(RuntimeError, match="the model failed"):
            list(parlance.stream_speech(fails(), voice_id="v"))


def test_a_long_text_is_sent_no_faster_than_it_is_spoken() -> None:
    text = ("word " * 19 + "end. ") * 150
    received = ""
    most_waiting = 0

    def speaks_slowly(socket: ServerConnection) -> None:
        nonlocal received, most_waiting
        spoken = 0
        for message in messages_of(socket):
            received += message.get("text", "")
            most_waiting = max(most_waiting, len(received) - spoken)
            if message["event"] == "flush":
                assert received.endswith(". ")
                spoken = int(message["flush_id"])
                send(socket, {"event": "flushed", "flush_id": message["flush_id"]})
            if message["event"] == "end":
                send(socket, done)

    with SpeechStandIn(speaks_slowly) as stand_in, Parlance(stand_in.url, "k") as parlance:
        list(parlance.stream_speech((word + " " for word in text[:-1].split(" ")), voice_id="v"))
    assert received == text
    assert most_waiting <= 8_000
