import io
from functools import partial

import openai

from checks import check, credit, key, url, voice

run = partial(check, "openai")
client = openai.OpenAI(api_key=key, base_url=f"{url}/v1", max_retries=0)
text = "Good morning. The library opens at nine."


def speaks():
    before = credit()
    audio = client.audio.speech.create(model="tts-1", voice=voice, input=text).content
    return len(audio) > 5_000 and credit(before) < before


def streams():
    speech = client.audio.speech.with_streaming_response
    with speech.create(model="tts-1", voice=voice, input=text, response_format="pcm") as response:
        return len(list(response.iter_bytes())) > 1


def recognizes():
    audio = client.audio.speech.create(model="tts-1", voice=voice, input=text, response_format="wav").content
    before = credit()
    recognized = client.audio.transcriptions.create(model="whisper-1", file=("speech.wav", io.BytesIO(audio)))
    return len(recognized.text) > 5 and credit(before) < before and recognized.text


def gets_an_error():
    try:
        client.audio.speech.create(model="tts-1", voice="nobody", input=text)
    except openai.NotFoundError as error:
        return error.code == "voice_not_found"


def cancels():
    before = credit()
    long = "This sentence is one of many that are never heard. " * 80
    speech = client.audio.speech.with_streaming_response
    with speech.create(model="tts-1", voice=voice, input=long, response_format="pcm") as response:
        next(response.iter_bytes())
    return f"{before - credit(before):.6f} spent"


run("speaks", speaks)
run("streams", streams)
run("recognizes what it spoke, and charges for it", recognizes)
run("gets an error by its name", gets_an_error)
run("cancels, and pays for what was sent", cancels)
