import asyncio
import re
import sys
from functools import partial

from loguru import logger
from pipecat.frames.frames import (
    BotStoppedSpeakingFrame,
    EndFrame,
    InputAudioRawFrame,
    InterruptionFrame,
    LLMFullResponseEndFrame,
    LLMFullResponseStartFrame,
    LLMTextFrame,
    TranscriptionFrame,
    TTSAudioRawFrame,
    TTSStoppedFrame,
    TTSTextFrame,
    UserStartedSpeakingFrame,
    UserStoppedSpeakingFrame,
    VADUserStartedSpeakingFrame,
    VADUserStoppedSpeakingFrame,
)
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
from pipecat.services.cartesia.tts import CartesiaTTSService
from pipecat.services.deepgram.tts import DeepgramTTSService
from pipecat.services.openai.stt import OpenAISTTService
from pipecat.services.openai.tts import OpenAITTSService
from pipecat.workers.runner import WorkerRunner

from checks import check, credit, key, pcm_of, run_documented, url, voice

logger.remove()
logger.add(sys.stderr, level="WARNING")

run = partial(check, "pipecat-ai")
sockets = url.replace("http", "ws", 1)
questions = ["Good morning, are you open today?", "When does the library open?", "Thank you, goodbye."]
answers = ["Good morning. Yes, we are open.", "The library opens at nine.", "You are welcome. Goodbye."]


def deepgram_stt():
    return run_documented("docs/clients.md", "pipecat")["stt"]


def openai_stt():
    return OpenAISTTService(api_key=key, base_url=f"{url}/v1", settings=OpenAISTTService.Settings(model="whisper-1"))


def elevenlabs_tts(api_key=key):
    return run_documented("docs/clients.md", "pipecat", KEY=api_key)["tts"]


def cartesia_tts():
    settings = CartesiaTTSService.Settings(voice=voice)
    return CartesiaTTSService(api_key=key, url=f"{sockets}/v1/compat/cartesia/tts/websocket", settings=settings)


def deepgram_tts():
    settings = DeepgramTTSService.Settings(voice=voice)
    return DeepgramTTSService(api_key=key, base_url=f"{sockets}/v1/compat/deepgram", settings=settings)


def openai_tts():
    # This service takes OpenAI's names of voices alone.
    settings = OpenAITTSService.Settings(voice="alloy", model="tts-1")
    return OpenAITTSService(api_key=key, base_url=f"{url}/v1", settings=settings)


def words_of(text):
    return re.findall(r"\w+", text)


class Answers(FrameProcessor):
    """Answers a turn of the caller with the next sentence, once the caller has stopped and there is a transcript."""

    def __init__(self, sentences):
        super().__init__()
        self.sentences = iter(sentences)
        self.transcript = ""
        self.transcripts = []
        self.stopped = False

    async def process_frame(self, frame, direction):
        await super().process_frame(frame, direction)
        await self.push_frame(frame, direction)
        if isinstance(frame, UserStartedSpeakingFrame):
            self.transcript, self.stopped = "", False
        if isinstance(frame, TranscriptionFrame):
            self.transcript = f"{self.transcript} {frame.text}".strip()
        if isinstance(frame, UserStoppedSpeakingFrame):
            self.stopped = True
        if self.stopped and self.transcript:
            self.stopped = False
            self.transcripts.append(self.transcript)
            await self.push_frame(LLMFullResponseStartFrame())
            await self.push_frame(LLMTextFrame(next(self.sentences)))
            await self.push_frame(LLMFullResponseEndFrame())


class Ear(FrameProcessor):
    """Keeps the seconds and the words of each turn's speech, in place of a transport that plays it."""

    def __init__(self):
        super().__init__()
        self.seconds = [0.0]
        self.words = [[]]
        self.spoke = asyncio.Event()
        self.ended = asyncio.Event()

    async def process_frame(self, frame, direction):
        await super().process_frame(frame, direction)
        if isinstance(frame, InterruptionFrame):
            self.next_turn()
        if isinstance(frame, TTSAudioRawFrame):
            self.seconds[-1] += len(frame.audio) / 2 / frame.sample_rate
            self.spoke.set()
        if isinstance(frame, TTSTextFrame):
            self.words[-1] += words_of(frame.text)
        if isinstance(frame, TTSStoppedFrame):
            await self.push_frame(BotStoppedSpeakingFrame(), FrameDirection.UPSTREAM)
            self.ended.set()
        await self.push_frame(frame, direction)

    def next_turn(self):
        self.seconds.append(0.0)
        self.words.append([])
        self.spoke.clear()
        self.ended.clear()


class Bot:
    """A pipeline of recognition, fixed answers and speech, and its caller."""

    def __init__(self, stt, tts, sentences=answers):
        self.answers, self.ear, self.errors = Answers(sentences), Ear(), []
        self.worker = PipelineWorker(
            Pipeline([stt, self.answers, tts, self.ear]),
            params=PipelineParams(audio_in_sample_rate=16_000, audio_out_sample_rate=24_000),
            enable_rtvi=False,
        )
        self.worker.add_event_handler("on_pipeline_error", self.on_error)
        self.started = asyncio.Event()
        self.worker.add_event_handler("on_pipeline_started", self.on_started)

    async def on_error(self, worker, frame):
        self.errors.append(frame.error)

    async def on_started(self, worker, frame):
        self.started.set()

    async def __aenter__(self):
        runner = WorkerRunner(handle_sigint=False)
        await runner.add_workers(self.worker)
        self.running = asyncio.create_task(runner.run())
        await asyncio.wait_for(self.started.wait(), 30)
        return self

    async def __aexit__(self, *error):
        await self.worker.queue_frame(EndFrame())
        await asyncio.wait_for(self.running, 30)

    async def hear(self, speech):
        """Speaks to the bot at the pace of speech, with 0.4 s of silence behind it."""
        await self.worker.queue_frames([VADUserStartedSpeakingFrame(), UserStartedSpeakingFrame()])
        audio = speech + bytes(12_800)
        start = asyncio.get_running_loop().time()
        for at in range(0, len(audio), 640):
            await self.worker.queue_frame(InputAudioRawFrame(audio[at : at + 640], 16_000, 1))
            await asyncio.sleep(max(0, start + (at + 640) / 32_000 - asyncio.get_running_loop().time()))
        await self.worker.queue_frames([VADUserStoppedSpeakingFrame(stop_secs=0.4), UserStoppedSpeakingFrame()])


async def converse(stt, tts):
    async with Bot(stt(), tts()) as bot:
        for question in questions:
            await bot.hear(pcm_of(question))
            await asyncio.wait_for(bot.ear.ended.wait(), 60)
            bot.ear.next_turn()
    transcripts, seconds = bot.answers.transcripts, bot.ear.seconds[:-1]
    assert not bot.errors, bot.errors
    assert len(transcripts) == len(seconds) == 3 and min(seconds) >= 0.5, (transcripts, seconds)
    assert bot.ear.words[:-1] == [words_of(answer) for answer in answers], bot.ear.words
    return " | ".join(f"{text} ({each:.1f} s)" for text, each in zip(transcripts, seconds))


def converses(stt, tts):
    before = credit()
    detail = asyncio.run(converse(stt, tts))
    return credit(changed_from=before) < before and detail


async def interrupt(tts):
    long = "This sentence is one of many that are never heard. " * 40
    async with Bot(openai_stt(), tts(), [long, answers[1]]) as bot:
        await bot.hear(pcm_of(questions[0]))
        await asyncio.wait_for(bot.ear.spoke.wait(), 60)
        await bot.worker.queue_frame(InterruptionFrame())
        await bot.hear(pcm_of(questions[1]))
        await asyncio.wait_for(bot.ear.ended.wait(), 60)
    first, second = bot.ear.seconds
    assert not bot.errors, bot.errors
    return first < 20 and 0.5 <= second < 5 and f"{first:.1f} s, {second:.1f} s"


async def be_refused():
    async with Bot(openai_stt(), elevenlabs_tts("awp_nothing")) as bot:
        await bot.hear(pcm_of(questions[0]))
        async with asyncio.timeout(30):
            while not bot.errors:
                await asyncio.sleep(0.1)
    return "401" in bot.errors[0] and bot.errors[0]


for services, stt, tts in [
    ("Deepgram's recognition and ElevenLabs' speech", deepgram_stt, elevenlabs_tts),
    ("OpenAI's recognition and Cartesia's speech", openai_stt, cartesia_tts),
    ("Deepgram's recognition and speech", deepgram_stt, deepgram_tts),
    ("OpenAI's recognition and speech", openai_stt, openai_tts),
]:
    run(f"a bot of {services} holds three turns", partial(converses, stt, tts))
run("an interruption ends the speech, and the next turn is spoken", lambda: asyncio.run(interrupt(elevenlabs_tts)))
run("gets an error", lambda: asyncio.run(be_refused()))
