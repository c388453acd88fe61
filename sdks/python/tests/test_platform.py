"""A running installation: PARLANCE_URL and PARLANCE_API_KEY name it. It must allow webhooks to 127.0.0.1."""

import asyncio
import io
import os
import queue
import time
import uuid
import wave
from typing import AsyncIterator, Iterator

import pytest
from parlance_client import AsyncParlance, Parlance, ParlanceError, types, verify_webhook

from stand_in import Answer, Received, StandIn

url = os.environ.get("PARLANCE_URL", "")
key = os.environ.get("PARLANCE_API_KEY", "")
pytestmark = pytest.mark.skipif(not url, reason="PARLANCE_URL is not set")

text = "The first sentence is short. The second one has a few more words in it."


@pytest.fixture(scope="module")
def parlance() -> Iterator[Parlance]:
    with Parlance(url, key, max_retries=5) as client:
        yield client


@pytest.fixture(scope="module")
def voice(parlance: Parlance) -> types.Voice:
    return next(iter(parlance.list_voices(language="en", limit=1)))


def test_a_text_is_spoken(parlance: Parlance, voice: types.Voice) -> None:
    with parlance.speak({"text": text, "voice_id": voice["id"], "output": {"format": "wav"}}) as speech:
        assert speech.characters_billed == len(text)
        audio = wave.open(io.BytesIO(speech.read()))
    assert audio.getframerate() == speech.sample_rate_hz
    times = parlance.speak_with_times({"text": "Hello there.", "voice_id": voice["id"], "alignment": ["word"]})
    assert [word["text"].strip(".") for word in times["alignment"]["words"]] == ["Hello", "there"]


def test_a_generator_of_tokens_is_spoken(parlance: Parlance, voice: types.Voice) -> None:
    audio = b""
    for event in parlance.stream_speech((word + " " for word in text.split(" ")), voice_id=voice["id"]):
        if event["event"] == "audio":
            audio += event["data"]
        if event["event"] == "done":
            assert event["characters_billed"] == len(text) + 1
            assert abs(len(audio) / 48 - event["audio_duration_ms"]) < 1


def test_asyncio_speaks_tokens_and_cancels(voice: types.Voice) -> None:
    async def tokens() -> AsyncIterator[str]:
        for word in (text + " ").split(" ") * 20:
            yield word + " "

    async def speak() -> types.StreamCancelled:
        async with AsyncParlance(url, key) as client:
            async with client.stream_speech(tokens(), voice_id=voice["id"]) as speech:
                async for event in speech:
                    if event["event"] == "audio":
                        cancelled = await speech.cancel(played_ms=100)
                        assert cancelled is not None
                        return cancelled
        raise AssertionError("There was no audio.")

    assert asyncio.run(speak())["text_remaining"] != ""


def test_an_agent_lives_from_its_creation_to_its_deletion_and_its_webhook_is_verified(
    parlance: Parlance, voice: types.Voice
) -> None:
    received: "queue.Queue[Received]" = queue.Queue()

    def take(request: Received) -> Answer:
        received.put(request)
        return 204, None, {}

    with StandIn(take) as receiver:
        webhook = parlance.create_webhook({"url": receiver.url, "events": ["agent.published"]})
        agent = parlance.create_agent(
            {
                "slug": f"python-{uuid.uuid4().hex[:8]}",
                "display_name": "Front desk",
                "voice_id": voice["id"],
                "voice_config": {"tts_variant": voice["variants"][0]["id"]},
                "llm_provider": "builtin",
                "llm_model": "rules",
            }
        )
        changed = parlance.update_agent(agent["id"], {"display_name": "Reception"}, if_match='"rev-1"')
        assert changed["display_name"] == "Reception"
        with pytest.raises(ParlanceError) as conflict:
            parlance.update_agent(agent["id"], {"display_name": "Desk"}, if_match='"rev-1"')
        assert conflict.value.code == "revision_conflict"
        parlance.publish_agent(agent["id"])
        assert parlance.create_session_token(agent["id"])["token"].startswith("awst_")
        assert agent["id"] in [one["id"] for one in parlance.list_agents(limit=1)]

        request = received.get(timeout=120)
        event = verify_webhook(request.body, request.headers, webhook["secret"])
        assert event["type"] == "agent.published" and event["data"]["agent_id"] == agent["id"]
        parlance.delete_webhook(webhook["id"])

    file = parlance.add_knowledge_file(agent["id"], ("hours.txt", b"We open at nine.", "text/plain"))
    while parlance.get_knowledge_file(agent["id"], file["id"])["status"] == "indexing":
        time.sleep(0.1)
    parlance.delete_agent(agent["id"])
    with pytest.raises(ParlanceError) as gone:
        parlance.get_agent(agent["id"])
    assert gone.value.code == "agent_not_found"
