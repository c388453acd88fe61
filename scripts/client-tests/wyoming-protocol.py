"""The Wyoming protocol's own package: describes, speaks a text and its parts, recognizes, pings, and gets an error."""
import asyncio
import json
import os
import urllib.request

from wyoming.asr import Transcribe, Transcript, TranscriptChunk, TranscriptStart, TranscriptStop
from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.client import AsyncTcpClient
from wyoming.error import Error
from wyoming.info import Describe, Info
from wyoming.ping import Ping, Pong
from wyoming.tts import Synthesize, SynthesizeChunk, SynthesizeStart, SynthesizeStop, SynthesizeStopped, SynthesizeVoice

PORT = int(os.environ["PARLANCE_WYOMING_PORT"])
TEXT = "One two three. The sea is calm today."


def check(name, ok, detail=""):
    print(json.dumps({"client": "wyoming", "check": name, "ok": bool(ok), "detail": "" if ok else str(detail)}))


def credit():
    request = urllib.request.Request(
        os.environ["PARLANCE_URL"] + "/v1/credit",
        headers={"Authorization": "Bearer " + os.environ["PARLANCE_API_KEY"]},
    )
    with urllib.request.urlopen(request) as response:
        return float(json.load(response)["balance"])


async def read(client):
    return await asyncio.wait_for(client.read_event(), 30)


async def speech(client, until):
    """The audio up to an event of this class, and the events."""
    rate, audio, types = 0, b"", []
    while True:
        event = await read(client)
        types.append(event.type)
        if AudioStart.is_type(event.type):
            rate = AudioStart.from_event(event).rate
        elif AudioChunk.is_type(event.type):
            chunk = AudioChunk.from_event(event)
            audio += chunk.audio
        elif Error.is_type(event.type) or until.is_type(event.type):
            return rate, audio, types


async def main():
    before = credit()
    async with AsyncTcpClient("127.0.0.1", PORT) as client:
        await client.write_event(Ping(text="hello").event())
        pong = Pong.from_event(await read(client))
        check("answers a ping", pong.text == "hello", pong)

        await client.write_event(Describe().event())
        info = Info.from_event(await read(client))
        voices = info.tts[0].voices
        check("describes the voices", len(voices) > 0 and info.tts[0].supports_synthesize_streaming, info)
        voice = next(v for v in voices if any(tag.startswith("en") for tag in v.languages))

        await client.write_event(Synthesize(text=TEXT, voice=SynthesizeVoice(name=voice.name)).event())
        rate, audio, types = await speech(client, AudioStop)
        check("speaks", len(audio) > rate and types[0] == "audio-start" and types[-1] == "audio-stop", types)

        await client.write_event(SynthesizeStart(voice=SynthesizeVoice(language="en")).event())
        for part in ("One two ", "three. The sea ", "is calm today."):
            await client.write_event(SynthesizeChunk(text=part).event())
        await client.write_event(Synthesize(text=TEXT).event())
        await client.write_event(SynthesizeStop().event())
        streamed_rate, streamed, types = await speech(client, SynthesizeStopped)
        once = 0.5 < len(streamed) / streamed_rate / (len(audio) / rate) < 1.5
        check("speaks a text in parts, once", once and types[-2:] == ["audio-stop", "synthesize-stopped"], types)

        await client.write_event(Synthesize(text=TEXT, voice=SynthesizeVoice(name="nobody")).event())
        event = await read(client)
        check("names an error", Error.is_type(event.type) and Error.from_event(event).code == "voice_not_found", event)

        if info.asr:
            await client.write_event(Transcribe(language="en").event())
            await client.write_event(AudioStart(rate=rate, width=2, channels=1).event())
            # A pause ends the last utterance.
            heard = audio + bytes(2 * rate)
            for at in range(0, len(heard), 2048):
                chunk = AudioChunk(rate=rate, width=2, channels=1, audio=heard[at : at + 2048])
                await client.write_event(chunk.event())
            await client.write_event(AudioStop().event())
            text, types = None, []
            while not types or not (TranscriptStop.is_type(types[-1]) or Error.is_type(types[-1])):
                event = await read(client)
                types.append(event.type)
                if Transcript.is_type(event.type):
                    text = Transcript.from_event(event).text
            streams = TranscriptStart.is_type(types[0]) and any(TranscriptChunk.is_type(one) for one in types)
            check("recognizes while the audio arrives", bool(text) and streams, (text, types))

    # Leaves in the middle of a speech.
    async with AsyncTcpClient("127.0.0.1", PORT) as client:
        await client.write_event(Synthesize(text=TEXT * 40).event())
        while not AudioChunk.is_type((await read(client)).type):
            pass
    async with AsyncTcpClient("127.0.0.1", PORT) as client:
        await client.write_event(Ping().event())
        check("a client that leaves disturbs no other", Pong.is_type((await read(client)).type))
    await asyncio.sleep(1)
    check("is charged to the key", credit() < before)


asyncio.run(main())
