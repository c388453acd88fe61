import base64
import json
from functools import partial

from elevenlabs.core.api_error import ApiError
from elevenlabs.types import VoiceSettings
from websockets.sync.client import connect

from checks import check, credit, key, run_documented, url, voice

run = partial(check, "elevenlabs")
sockets = f"{url}/v1/compat/elevenlabs".replace("http", "ws", 1)
documented = run_documented(
    "docs/elevenlabs.md", parts_of_a_text=lambda: iter(["Good morn", "ing. The library ", "opens at nine."])
)
client = documented["client"]
# The library opens its WebSocket with TLS at any address.
client.text_to_speech._ws_base_url = sockets
text = "Good morning. The library opens at nine."


def speaks():
    before = credit()
    audio = b"".join(client.text_to_speech.convert(voice, text=text, output_format="mp3_44100_128"))
    return len(audio) > 5_000 and credit(before) < before


def streams():
    parts = list(client.text_to_speech.stream(voice, text=text, output_format="pcm_16000"))
    return len(parts) > 1


def gives_times():
    spoken = client.text_to_speech.convert_with_timestamps(voice, text=text)
    streamed = "".join(
        "".join(item.alignment.characters) for item in client.text_to_speech.stream_with_timestamps(voice, text=text)
    )
    return "".join(spoken.alignment.characters) == text and streamed == text


def speaks_while_text_is_written():
    sizes = [len(b"".join(documented["audio"]))]
    for output_format in ["mp3_22050_32", "pcm_24000", "ulaw_8000"]:
        before = credit()
        audio = b"".join(
            client.text_to_speech.convert_realtime(
                voice,
                text=iter(["Good morn", "ing. The library ", "opens at nine."]),
                output_format=output_format,
                voice_settings=VoiceSettings(stability=0.4, speed=1.1),
            )
        )
        sizes.append(len(audio))
        assert credit(before) < before
    return min(sizes) > 5_000 and str(sizes)


def lists_voices():
    return any(one.voice_id == voice for one in client.voices.search().voices)


def gets_an_error():
    try:
        list(client.text_to_speech.convert("21m00Tcm4TlvDq8ikWAM", text=text))
    except ApiError as error:
        assert error.status_code == 404 and error.body["code"] == "voice_not_found", error
    try:
        list(client.text_to_speech.convert_realtime("21m00Tcm4TlvDq8ikWAM", text=iter([text])))
    except ApiError as error:
        return error.body["code"] == "voice_not_found"


def open_contexts():
    return connect(
        f"{sockets}/v1/text-to-speech/{voice}/multi-stream-input?output_format=pcm_16000&enable_logging=false",
        additional_headers={"xi-api-key": key},
    )


def receive_until_final(socket, count):
    """The messages of each context, until `count` of them are final."""
    received = {}
    finals = 0
    while finals < count:
        message = json.loads(socket.recv(20))
        assert "error" not in message, message
        received.setdefault(message["contextId"], []).append(message)
        finals += message["isFinal"] is True
    return received


def characters_of(messages):
    return "".join("".join(one["alignment"]["chars"]) for one in messages if "alignment" in one)


def speaks_in_contexts():
    with open_contexts() as socket:
        texts = {"a": "The first one says this. ", "b": "And the second says that. "}
        for id in texts:
            socket.send(json.dumps({"text": " ", "context_id": id, "voice_settings": {"stability": 0.5}}))
        for id, each in texts.items():
            socket.send(json.dumps({"text": each, "context_id": id, "flush": True}))
            socket.send(json.dumps({"context_id": id, "text": ""}))
            socket.send(json.dumps({"context_id": id, "close_context": True}))
        received = receive_until_final(socket, 2)
        for id, each in texts.items():
            assert characters_of(received[id]).strip() == each.strip(), characters_of(received[id])
            audio = [one for one in received[id] if one.get("audio")]
            assert all(one["alignment"] and one["normalizedAlignment"] for one in audio)
            assert sum(len(base64.b64decode(one["audio"])) for one in audio) > 16_000
            assert "enable_logging" in audio[0]["warning"] and "stability" in audio[0]["warning"], audio[0]
        socket.send(json.dumps({"close_socket": True}))
        try:
            socket.recv(10)
        except Exception as closed:
            return closed.rcvd.code == 1000


def stops_a_context():
    before = credit()
    long = "This sentence is one of many that are never heard. " * 60
    with open_contexts() as socket:
        socket.send(json.dumps({"text": " ", "context_id": "long"}))
        socket.send(json.dumps({"text": long, "context_id": "long"}))
        first = json.loads(socket.recv(20))
        socket.send(json.dumps({"context_id": "long", "close_context": True}))
        received = receive_until_final(socket, 1)
        assert first["audio"]
        heard = len(characters_of([first, *received["long"]]))
    spent = before - credit(before)
    return heard < len(long) and f"{heard} of {len(long)} characters, {spent:.6f} spent"


run("lists voices", lists_voices)
run("speaks", speaks)
run("streams", streams)
run("gives the times of characters", gives_times)
run("speaks while text is being written", speaks_while_text_is_written)
run("speaks in contexts side by side, each character with its time", speaks_in_contexts)
run("stops a context, and pays for what was sent", stops_a_context)
run("gets an error by its name", gets_an_error)
