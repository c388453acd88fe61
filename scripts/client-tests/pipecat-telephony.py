"""Pipecat's serializers of telephone networks judge the messages of a call."""

import asyncio
import base64
import hashlib
import hmac
import json
import os
import time
import urllib.parse
import urllib.request
import xml.etree.ElementTree as xml
from functools import partial
from types import SimpleNamespace

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from pipecat.frames.frames import InputAudioRawFrame, OutputAudioRawFrame
from pipecat.serializers.plivo import PlivoFrameSerializer
from pipecat.serializers.telnyx import TelnyxFrameSerializer
from pipecat.serializers.twilio import TwilioFrameSerializer
from websockets.asyncio.client import connect

from checks import agent, check, credit, pcm_of, url

run = partial(check, "pipecat-ai")
questions = ["Good morning, are you open today?", "When does the library open?", "Thank you, goodbye."]
number, caller = "+493012345679", "+4915112345678"
stream_id, call_id = f"MZ{'3' * 32}", f"CA{'4' * 32}"


def ask(path, body, headers, method=None):
    request = urllib.request.Request(url + path, body, headers, method=method)
    with urllib.request.urlopen(request) as response:
        return response.read()


def text_of(data):
    return base64.b64encode(data).decode()


def parameters_of(stream):
    return {each.get("name"): each.get("value") for each in stream.iter("Parameter")}


class Twilio:
    name, account_sid, auth_token = "twilio", f"AC{'1' * 32}", "5" * 32
    fields = {"AccountSid": account_sid, "CallSid": call_id, "From": caller, "To": number}
    serializer = TwilioFrameSerializer(
        stream_id, params=TwilioFrameSerializer.InputParams(sample_rate=16_000, auto_hang_up=False)
    )
    inbound = outbound = "media"

    def sign(self, address, body):
        signed = address + "".join(name + self.fields[name] for name in sorted(self.fields))
        return {"x-twilio-signature": text_of(hmac.digest(self.auth_token.encode(), signed.encode(), hashlib.sha1))}

    def socket(self, stream):
        return stream.get("url")

    def start(self, stream):
        media = {"encoding": "audio/x-mulaw", "sampleRate": 8000, "channels": 1}
        call = {"streamSid": stream_id, "callSid": call_id, "accountSid": self.account_sid, "tracks": ["inbound"]}
        start = {**call, "mediaFormat": media, "customParameters": parameters_of(stream)}
        return [
            {"event": "connected", "protocol": "Call", "version": "1.0.0"},
            {"event": "start", "streamSid": stream_id, "start": start},
        ]


class Telnyx:
    name, auth_token = "telnyx", f"KEY{'5' * 32}"
    key = Ed25519PrivateKey.generate()
    account_sid = text_of(key.public_key().public_bytes_raw())
    fields = {"AccountSid": "account", "CallSid": call_id, "From": caller, "To": number, "CallStatus": "ringing"}
    serializer = TelnyxFrameSerializer(
        stream_id, "PCMU", "PCMU", params=TelnyxFrameSerializer.InputParams(sample_rate=16_000, auto_hang_up=False)
    )
    inbound = outbound = "media"

    def sign(self, address, body):
        now = str(int(time.time()))
        signature = self.key.sign(f"{now}|{body}".encode())
        return {"telnyx-timestamp": now, "telnyx-signature-ed25519": text_of(signature)}

    def socket(self, stream):
        return stream.get("url")

    def start(self, stream):
        media = {"encoding": "PCMU", "sample_rate": 8000, "channels": 1}
        call = {"user_id": "account", "call_control_id": call_id, "from": caller, "to": number}
        start = {**call, "media_format": media, "custom_parameters": parameters_of(stream)}
        return [
            {"event": "connected", "version": "1.0.0"},
            {"event": "start", "stream_id": stream_id, "start": start},
        ]


class Plivo:
    name, account_sid, auth_token = "plivo", f"MA{'1' * 18}", "5" * 40
    fields = {"CallUUID": call_id, "From": caller[1:], "To": number[1:], "CallStatus": "ringing"}
    serializer = PlivoFrameSerializer(
        stream_id, params=PlivoFrameSerializer.InputParams(sample_rate=16_000, auto_hang_up=False)
    )
    inbound, outbound = "media", "playAudio"

    def sign(self, address, body):
        signed = f"{address}?{''.join(name + self.fields[name] for name in sorted(self.fields))}.17"
        signature = text_of(hmac.digest(self.auth_token.encode(), signed.encode(), hashlib.sha256))
        return {"x-plivo-signature-v3": signature, "x-plivo-signature-v3-nonce": "17"}

    def socket(self, stream):
        return stream.text

    def start(self, stream):
        media = {"encoding": "audio/x-mulaw", "sampleRate": 8000}
        start = {"callId": call_id, "streamId": stream_id, "accountId": self.account_sid, "mediaFormat": media}
        return [{"event": "start", "start": start, "extra_headers": stream.get("extraHeaders")}]


def form_of(message):
    """The message without its audio."""
    return {**message, "media": {**message["media"], "payload": ""}}


async def call(network, stream):
    """Asks the three questions on a call. The answers' seconds, as the serializer reads them.

    The serializer is that of a bot, so here it reads its own kind of messages as those of the network, and the other way round.
    """
    serializer = network.serializer
    await serializer.setup(SimpleNamespace(audio_in_sample_rate=16_000))
    written = json.loads(await serializer.serialize(OutputAudioRawFrame(bytes(6_400), 16_000, 1)))
    differing = []
    speech = bytearray()
    seconds = [0.0]
    heard_at = 0.0
    clock = asyncio.get_running_loop().time

    async with connect(network.socket(stream)) as socket:

        async def speak():
            next_at = clock()
            while True:
                samples = bytes(speech[:640]).ljust(640, b"\0")
                del speech[:640]
                if text := await serializer.serialize(InputAudioRawFrame(samples, 16_000, 1)):
                    message = {"event": network.inbound, "media": {"payload": json.loads(text)["media"]["payload"]}}
                    await socket.send(json.dumps(message))
                next_at += 0.02
                await asyncio.sleep(max(0, next_at - clock()))

        async def listen():
            nonlocal heard_at
            async for text in socket:
                message = json.loads(text)
                if message["event"] != network.outbound:
                    continue
                if form_of(message) != form_of(written):
                    differing.append(form_of(message))
                if frame := await serializer.deserialize(json.dumps({**message, "event": network.inbound})):
                    seconds[-1] += len(frame.audio) / 2 / frame.sample_rate
                    heard_at = clock()

        for message in network.start(stream):
            await socket.send(json.dumps(message))
        tasks = [asyncio.create_task(speak()), asyncio.create_task(listen())]
        async with asyncio.timeout(90):
            for question in questions:
                speech += await asyncio.to_thread(pcm_of, question)
                while speech:
                    await asyncio.sleep(0.02)
                seconds.append(0.0)
                while seconds[-1] < 0.5 or clock() < heard_at + 1:
                    await asyncio.sleep(0.1)
        for task in tasks:
            task.cancel()
    if differing:
        raise ValueError(f"{differing[0]} is not {form_of(written)}")
    return seconds[1:]


def converses(network):
    before = credit()
    member = {"cookie": os.environ["PARLANCE_OWNER_COOKIE"]}
    [workspace, *_] = json.loads(ask("/dashboard/api/signed-in", None, member))["workspaces"]
    member |= {"x-parlance-workspace": workspace["id"], "content-type": "application/json"}
    account = {"provider": network.name, "account_sid": network.account_sid, "auth_token": network.auth_token}
    entry = json.dumps({"number": number, "agent_id": agent, **account}).encode()
    added = json.loads(ask("/dashboard/api/phone-numbers", entry, member))
    try:
        body = urllib.parse.urlencode(network.fields)
        headers = network.sign(added["webhook_url"], body)
        answer = xml.fromstring(ask(added["webhook_url"].removeprefix(url), body.encode(), headers))
        [stream] = answer.iter("Stream")
        seconds = asyncio.run(call(network, stream))
    finally:
        ask(f"/dashboard/api/phone-numbers/{added['id']}", None, member, "DELETE")
    return credit(changed_from=before) < before and ", ".join(f"{each:.1f} s" for each in seconds)


for network in (Twilio(), Telnyx(), Plivo()):
    name = type(network.serializer).__name__
    run(f"its {name} is understood and understands on a call of three turns", partial(converses, network))
