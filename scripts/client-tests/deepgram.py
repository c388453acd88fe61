import threading

from checks import check, credit, key, run_documented, voice
from deepgram import DeepgramClient
from deepgram.core.api_error import ApiError
from deepgram.core.events import EventType
from deepgram.environment import DeepgramClientEnvironment
from deepgram.speak.v1.types import SpeakV1Text

documented = run_documented(
    "docs/deepgram.md", DeepgramClient=DeepgramClient, DeepgramClientEnvironment=DeepgramClientEnvironment
)
environment, client = documented["environment"], documented["client"]
text = "Good morning. The library opens at nine."


def speak(**options):
    return b"".join(client.speak.v1.audio.generate(text=text, model=voice, **options))


def listening(socket):
    """What a socket receives, in a thread of its own. `until` waits for a message."""
    messages = []
    changed = threading.Condition()

    def take(message):
        with changed:
            messages.append(message)
            changed.notify_all()

    socket.on(EventType.MESSAGE, take)
    threading.Thread(target=socket.start_listening, daemon=True).start()

    def until(wanted):
        found = []

        def is_there():
            found[:] = [message for message in messages if wanted(message)]
            return bool(found)

        with changed:
            if not changed.wait_for(is_there, timeout=60):
                raise TimeoutError(f"only {messages!r}"[:300])
        return found[0]

    return messages, until


def of_type(name):
    return lambda message: getattr(message, "type", None) == name


def speaks():
    before = credit()
    sizes = [
        len(b"".join(client.speak.v1.audio.generate(text=text, model="aura-2-thalia-en"))),
        len(speak(encoding="linear16", container="none", sample_rate=16_000)),
        len(speak(encoding="mulaw", container="none", sample_rate=8_000)),
    ]
    return all(size > 5_000 for size in sizes) and credit(changed_from=before) < before and str(sizes)


def streams_speech():
    with client.speak.v1.connect(model=voice, encoding="linear16", sample_rate=24_000) as socket:
        messages, until = listening(socket)
        socket.send_text(SpeakV1Text(text=text))
        socket.send_flush()
        until(of_type("Flushed"))
        socket.send_text(SpeakV1Text(text=text * 20))
        socket.send_clear()
        until(of_type("Cleared"))
        socket.send_close()
        size = sum(len(message) for message in messages if isinstance(message, bytes))
    return size > 48_000 and f"{size} bytes"


def recognizes_recording():
    before = credit()
    audio = speak(encoding="linear16", sample_rate=16_000)
    answer = client.listen.v1.media.transcribe_file(request=audio, model="nova-3", punctuate=True)
    transcript = answer.results.channels[0].alternatives[0].transcript
    return answer.metadata.duration > 1 and credit(changed_from=before) < before and transcript


def recognizes_stream():
    audio = speak(encoding="linear16", container="none", sample_rate=16_000) + bytes(32_000)
    with client.listen.v1.connect(model="nova-3", encoding="linear16", sample_rate=16_000) as socket:
        messages, until = listening(socket)
        for at in range(0, len(audio), 3_200):
            socket.send_media(audio[at : at + 3_200])
        socket.send_close_stream()
        metadata = until(of_type("Metadata"))
    results = [message for message in messages if of_type("Results")(message) and message.is_final]
    transcript = " ".join(result.channel.alternatives[0].transcript for result in results)
    return metadata.duration > 1 and len(transcript) > 5 and transcript


def gets_an_error():
    codes = []
    for api_key, options in [(key, {"sample_rate": 32_000}), ("awp_nothing", {})]:
        stranger = DeepgramClient(api_key=api_key, environment=environment)
        try:
            b"".join(stranger.speak.v1.audio.generate(text=text, encoding="linear16", **options))
        except ApiError as error:
            codes.append(f"{error.status_code} {error.body['err_code']}")
    assert codes == ["400 UNSUPPORTED_FORMAT", "401 UNAUTHORIZED"], codes
    return True


for name, work in [
    ("speaks, in MP3, PCM and µ-law", speaks),
    ("streams speech, and cancels it", streams_speech),
    ("recognizes a recording", recognizes_recording),
    ("recognizes a stream", recognizes_stream),
    ("gets an error by its name", gets_an_error),
]:
    check("deepgram-sdk", name, work)
