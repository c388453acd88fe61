import asyncio
import logging
from functools import partial

from livekit import rtc
from livekit.agents import Agent, AgentSession, APIConnectOptions, APIStatusError, llm, utils
from livekit.agents.voice import io
from livekit.plugins import cartesia, deepgram, elevenlabs, openai

from checks import check, credit, key, pcm_of, run_documented, url, voice

logging.basicConfig(level=logging.WARNING)

run = partial(check, "livekit-agents")
compat = f"{url}/v1/compat"
questions = ["Good morning, are you open today?", "When does the library open?", "Thank you, goodbye."]
answers = ["Good morning. Yes, we are open.", "The library opens at nine.", "You are welcome. Goodbye."]


def documented():
    return run_documented("docs/clients.md", "livekit", AgentSession=AgentSession)


def deepgram_stt():
    return documented()["stt"]


def openai_stt():
    return openai.STT(api_key=key, base_url=f"{url}/v1", model="whisper-1")


def elevenlabs_tts():
    return documented()["tts"]


def cartesia_tts():
    return cartesia.TTS(api_key=key, voice=voice, base_url=f"{compat}/cartesia")


def deepgram_tts():
    return deepgram.TTS(api_key=key, model=voice, base_url=f"{compat}/deepgram/v1/speak")


def openai_tts():
    return openai.TTS(api_key=key, voice=voice, model="tts-1", base_url=f"{url}/v1")


def documented_session():
    return documented()["session"]


def session_of(stt, tts, turn_detection):
    return AgentSession(stt=stt(), tts=tts(), turn_handling={"turn_detection": turn_detection})


class Microphone(io.AudioInput):
    """20 ms of what the caller says at a time, at the pace of speech, and silence otherwise."""

    def __init__(self):
        super().__init__(label="microphone")
        self.speech = bytearray()
        self.next_at = asyncio.get_running_loop().time()

    async def __anext__(self):
        self.next_at += 0.02
        await asyncio.sleep(max(0, self.next_at - asyncio.get_running_loop().time()))
        samples = bytes(self.speech[:640])
        del self.speech[:640]
        return rtc.AudioFrame(samples.ljust(640, b"\0"), 16_000, 1, 320)


class Speaker(io.AudioOutput):
    """Plays at once, and counts the seconds of each answer."""

    def __init__(self):
        super().__init__(label="speaker", capabilities=io.AudioOutputCapabilities(pause=False))
        self.playing = 0.0
        self.played = []
        self.began = asyncio.Event()
        self.ended = asyncio.Event()

    async def capture_frame(self, frame):
        await super().capture_frame(frame)
        self.playing += frame.duration
        self.began.set()

    def end(self, interrupted):
        if self.playing:
            self.played.append(self.playing)
            self.on_playback_finished(playback_position=self.playing, interrupted=interrupted)
            self.playing = 0.0
            self.ended.set()

    def flush(self):
        super().flush()
        self.end(False)

    def clear_buffer(self):
        self.end(True)


class NoModel(llm.LLM):
    """The session needs a model, though the Agent answers itself."""

    def chat(self, **options):
        raise NotImplementedError


class Librarian(Agent):
    """Answers each turn with its sentence."""

    def __init__(self, sentences):
        super().__init__(instructions="", llm=NoModel())
        self.sentences = sentences
        self.heard = {}

    def llm_node(self, chat_ctx, tools, model_settings):
        asked = [message.text_content for message in chat_ctx.messages() if message.role == "user"]
        # A session may ask for an answer before the turn has ended, and again after it.
        self.heard[len(asked)] = asked[-1]
        return self.sentences[len(asked) - 1]


class Conversation:
    """An `AgentSession` without a room, and its caller."""

    def __init__(self, new_session, sentences=answers):
        self.new_session, self.agent, self.errors = new_session, Librarian(sentences), []

    async def __aenter__(self):
        self.session = self.new_session()
        self.session.on("error", lambda event: self.errors.append(event.error))
        self.microphone, self.speaker = Microphone(), Speaker()
        self.session.input.audio, self.session.output.audio = self.microphone, self.speaker
        await self.session.start(self.agent)
        return self

    async def __aexit__(self, *error):
        await self.session.aclose()

    async def ask(self, question):
        """Says the question, and waits for the end of the answer."""
        self.speaker.ended.clear()
        self.microphone.speech += await asyncio.to_thread(pcm_of, question)
        await asyncio.wait_for(self.speaker.ended.wait(), 60)


async def converse(new_session):
    async with utils.http_context.open(), Conversation(new_session) as conversation:
        for question in questions:
            await conversation.ask(question)
    heard, played = list(conversation.agent.heard.values()), conversation.speaker.played
    assert not conversation.errors, conversation.errors
    assert len(heard) == len(played) == 3 and all(heard) and min(played) >= 0.5, (heard, played)
    return " | ".join(f"{text} ({seconds:.1f} s)" for text, seconds in zip(heard, played))


def converses(new_session):
    before = credit()
    detail = asyncio.run(converse(new_session))
    return credit(changed_from=before) < before and detail


async def interrupt():
    long = "This sentence is one of many that are never heard. " * 40
    async with (
        utils.http_context.open(),
        Conversation(documented_session, [long, answers[1]]) as conversation,
    ):
        conversation.microphone.speech += await asyncio.to_thread(pcm_of, questions[0])
        await asyncio.wait_for(conversation.speaker.began.wait(), 60)
        await conversation.session.interrupt()
        await conversation.ask(questions[1])
    first, second = conversation.speaker.played
    assert not conversation.errors, conversation.errors
    return first < 20 and 0.5 <= second < 5 and f"{first:.1f} s, {second:.1f} s"


async def speak_by_request():
    seconds = []
    async with utils.http_context.open():
        for tts in [elevenlabs_tts(), cartesia_tts(), deepgram_tts(), openai_tts()]:
            frame = await tts.synthesize(answers[1]).collect()
            seconds.append(frame.duration)
            await tts.aclose()
    return min(seconds) > 0.5 and f"{min(seconds):.1f} to {max(seconds):.1f} s"


async def recognize_by_request():
    speech = pcm_of(questions[1])
    frame = rtc.AudioFrame(speech, 16_000, 1, len(speech) // 2)
    texts = []
    async with utils.http_context.open():
        for stt in [deepgram_stt(), openai_stt()]:
            texts.append((await stt.recognize(frame)).alternatives[0].text)
            await stt.aclose()
    return all(texts) and " | ".join(texts)


async def be_refused():
    async with utils.http_context.open():
        tts = elevenlabs.TTS(api_key="awp_nothing", voice_id=voice, base_url=f"{compat}/elevenlabs/v1")
        try:
            await tts.synthesize(answers[1], conn_options=APIConnectOptions(max_retry=0)).collect()
        except APIStatusError as error:
            return error.status_code == 401 and f"{error}"


for services, new_session in [
    ("Deepgram's recognition and ElevenLabs' speech", documented_session),
    ("OpenAI's recognition and Cartesia's speech", partial(session_of, openai_stt, cartesia_tts, "vad")),
    ("Deepgram's recognition and speech", partial(session_of, deepgram_stt, deepgram_tts, "stt")),
    ("OpenAI's recognition and speech", partial(session_of, openai_stt, openai_tts, "vad")),
]:
    run(f"an AgentSession with {services} holds three turns", partial(converses, new_session))
run("an interruption ends the speech, and the next turn is spoken", lambda: asyncio.run(interrupt()))
run("speaks by request", lambda: asyncio.run(speak_by_request()))
run("recognizes by request", lambda: asyncio.run(recognize_by_request()))
run("gets an error", lambda: asyncio.run(be_refused()))
