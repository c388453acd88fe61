"""OpenAI's client for Python converses over its Realtime protocol: by text, by voice, with a function call and an interruption."""

import asyncio
import base64
import json
import os
import urllib.request

from checks import run_documented
from openai import AsyncOpenAI

URL = os.environ["PARLANCE_URL"]
KEY = os.environ["PARLANCE_API_KEY"]
VOICE = os.environ["PARLANCE_VOICE_ID"]
WITHIN_SECONDS = 30


def request(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"authorization": f"Bearer {KEY}", "content-type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(URL + path, data, headers)) as response:
        return response.read()


def credit():
    return float(json.loads(request("/v1/credit"))["balance"])


def new_agent():
    voice = next(one for one in json.loads(request("/v1/voices"))["voices"] if one["id"] == VOICE)
    agent = json.loads(
        request(
            "/v1/agents",
            {
                "slug": f"realtime-python-{os.getpid()}",
                "display_name": "Realtime",
                "voice_id": VOICE,
                "voice_config": {"tts_variant": voice["variants"][0]["id"]},
                "llm_provider": "builtin",
                "llm_model": "rules",
                "session_config": {"overrides": ["system_prompt"]},
            },
        )
    )
    request(f"/v1/agents/{agent['id']}/publish", {})
    return agent["id"]


def spoken(text):
    """24 kHz PCM of a text, with the silence after it that ends a turn."""
    body = {"text": text, "voice_id": VOICE, "output": {"format": "pcm_s16le", "sample_rate": 24000}}
    return request("/v1/tts", body) + bytes(24000 * 2 * 2)


class Printed(Exception):
    """Ends a program of the documentation, which goes on otherwise, at the first line that it prints."""


def end_with(line):
    raise Printed(line)


async def printed(program):
    try:
        await program()
    except Printed as first:
        return str(first)


async def check(name, work):
    try:
        detail = await asyncio.wait_for(work(), WITHIN_SECONDS) or ""
        print(json.dumps({"client": "openai", "check": name, "ok": True, "detail": detail}))
    except Exception as error:
        print(json.dumps({"client": "openai", "check": name, "ok": False, "detail": repr(error)}))


async def main():
    before = credit()
    agent = new_agent()
    documented = run_documented(
        "docs/openai-realtime.md",
        AsyncOpenAI=AsyncOpenAI,
        AGENT=agent,
        audio_in_base64=base64.b64encode(spoken("Hello.")).decode(),
        print=end_with,
    )
    client = documented["client"]
    async with client.realtime.connect(model=agent) as connection:

        async def event(kind):
            while True:
                received = await connection.recv()
                if received.type == kind:
                    return received

        async def say(text):
            content = [{"type": "input_text", "text": text}]
            await connection.conversation.item.create(item={"type": "message", "role": "user", "content": content})
            await connection.response.create()

        async def answer():
            response = (await event("response.done")).response
            assert response.status == "completed", response
            return " ".join(part.transcript for item in response.output for part in item.content or [])

        async def updates():
            await event("session.created")
            tool = {
                "type": "function",
                "name": "get_weather",
                "description": "The weather of a city.",
                "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
            }
            await connection.session.update(session={"type": "realtime", "instructions": "Be brief.", "tools": [tool]})
            assert (await event("session.updated")).session.tools[0].name == "get_weather"

        async def by_text():
            await say("What is two plus three?")
            text = await answer()
            assert "5" in text, text
            return text

        async def by_voice():
            audio = base64.b64encode(spoken("Hello.")).decode()
            await connection.input_audio_buffer.append(audio=audio)
            await event("input_audio_buffer.speech_started")
            heard = (await event("conversation.item.input_audio_transcription.completed")).transcript
            return f"heard “{heard}”, said “{await answer()}”"

        async def interrupted():
            await say("What can you do?")
            await event("response.output_audio.delta")
            await connection.input_audio_buffer.append(audio=base64.b64encode(spoken("What time is it now?")).decode())
            response = (await event("response.done")).response
            assert response.status == "cancelled", response
            await event("response.done")

        async def with_function():
            await say("Call get weather with city Rome.")
            call = await event("response.function_call_arguments.done")
            await event("response.done")
            output = {"type": "function_call_output", "call_id": call.call_id, "output": "It is sunny in Rome"}
            await connection.conversation.item.create(item=output)
            await connection.response.create()
            text = await answer()
            assert "sunny" in text, text

        async def cancelled():
            await say("What can you do?")
            await event("response.output_audio.delta")
            await connection.response.cancel()
            assert (await event("response.done")).response.status == "cancelled"

        async def with_error():
            await connection.response.cancel(event_id="mine")
            error = (await event("error")).error
            assert error.event_id == "mine", error
            return error.message

        await check("session.update with tools", updates)
        await check("a turn by text", by_text)
        await check("a turn by voice", by_voice)
        await check("an interruption by voice", interrupted)
        await check("a function call", with_function)
        await check("a cancelled response", cancelled)
        await check("errors name the event", with_error)

    async def transcription():
        async with client.realtime.connect(extra_query={"intent": "transcription"}) as connection:
            audio_input = {"turn_detection": None, "transcription": {"model": "whisper-1", "language": "en"}}
            await connection.session.update(session={"type": "transcription", "audio": {"input": audio_input}})
            await connection.input_audio_buffer.append(audio=base64.b64encode(spoken("Hello.")).decode())
            await connection.input_audio_buffer.commit()
            async for received in connection:
                assert received.type != "error", received
                if received.type == "conversation.item.input_audio_transcription.completed":
                    assert received.transcript, received
                    return f"heard “{received.transcript}”"

    async def of_the_documentation():
        assert await printed(documented["converse"]) == "session.created"
        heard = await printed(documented["transcribe"])
        assert heard
        return f"heard “{heard}”"

    await check("a transcription session", transcription)
    await check("the programs of the documentation", of_the_documentation)

    async def charged():
        while credit() == before:
            await asyncio.sleep(0.2)
        assert credit() < before

    await check("credit afterwards", charged)


asyncio.run(main())
