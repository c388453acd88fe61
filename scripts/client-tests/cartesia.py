from functools import partial

from cartesia import APIStatusError

from checks import check, credit, run_documented, url, voice

run = partial(check, "cartesia")
documented = run_documented("docs/cartesia.md")
client = documented["client"]
# Without this the library opens its WebSocket with TLS.
client.websocket_base_url = f"{url}/v1/compat/cartesia".replace("http", "ws", 1)
text = "Good morning. The library opens at nine."
raw = {"container": "raw", "encoding": "pcm_f32le", "sample_rate": 44100}
common = {"model_id": "sonic-3", "voice": {"mode": "id", "id": voice}, "language": "en", "output_format": raw}


def lists_voices():
    return any(one.id == voice for one in documented["voices"]) and client.voices.get(voice).id == voice


def speaks():
    before = credit()
    audio = client.tts.generate(transcript=text, **common).read()
    return len(audio) > 100_000 and credit(before) < before


def streams():
    events = list(client.tts.generate_sse(transcript=text, add_timestamps=True, **common))
    words = [word for event in events if event.type == "timestamps" for word in event.word_timestamps.words]
    return events[-1].type == "done" and "library" in words


def speaks_while_text_is_written():
    with client.tts.websocket_connect() as connection:
        contexts = {"a": ["Good morn", "ing. "], "b": ["The library opens ", "at nine."]}
        for id, parts in contexts.items():
            for part in parts:
                connection.send({"transcript": part, "context_id": id, "continue": True, **common})
            connection.send({"transcript": "", "context_id": id, "continue": False, **common})
        sizes = {}
        done = set()
        for event in connection:
            if event.type == "chunk":
                sizes[event.context_id] = sizes.get(event.context_id, 0) + len(event.audio)
            if event.type == "done":
                done.add(event.context_id)
            if done == set(contexts):
                return min(sizes.values()) > 50_000 and str(sizes)


def cancels():
    before = credit()
    with client.tts.websocket_connect() as connection:
        long = "This sentence is one of many that are never heard. " * 60
        connection.send({"transcript": long, "context_id": "long", "continue": False, **common})
        for event in connection:
            if event.type == "chunk":
                connection.send({"context_id": "long", "cancel": True})
                break
        for event in connection:
            if event.type == "done":
                break
    return f"{before - credit(before):.6f} spent"


def gets_an_error():
    try:
        client.tts.generate(transcript=text, **{**common, "voice": {"mode": "id", "id": "nobody"}})
    except APIStatusError as error:
        return error.status_code == 404 and error.body["error_code"] == "voice_not_found"


run("lists voices", lists_voices)
run("speaks", speaks)
run("streams, with the times of words", streams)
run("speaks in contexts while text is being written", speaks_while_text_is_written)
run("cancels a context, and pays for what was sent", cancels)
run("gets an error by its name", gets_an_error)
