import { fileURLToPath } from 'node:url'
import { logErrorOutput, openEngineProcess } from '../../libs/engine/dist/client/index.js'
import { helloSchema, speakInProcess } from '../../services/tts/dist/engine/process-engine.js'

const programOf = (engine) => fileURLToPath(new URL(`../../engines/${engine}/dist/main.js`, import.meta.url))

/** The engines that can be tested, with their programs and arguments. */
export const commands = {
  'espeak-ng-native': [programOf('espeak-ng'), '--implementation', 'native'],
  'espeak-ng-wasm': [programOf('espeak-ng'), '--implementation', 'wasm'],
  flite: [programOf('flite')],
}

/** A text of 5,000 characters takes an engine a second on a busy machine. */
const limits = { jobSilenceTimeoutMs: 20_000, cancelTimeoutMs: 2000 }
const startTimeoutMs = 60_000

const maxAudioMs = 8000

const silentLogger = { child: () => silentLogger }
for (const level of ['trace', 'debug', 'info', 'warn', 'error']) silentLogger[level] = () => {}

const checkMarks = (text, { words, phonemes }, audioMs) => {
  for (const { text: spoken, textStart, textEnd, startMs, endMs } of words) {
    if (spoken !== text.slice(textStart, textEnd) || spoken === '') throw new Error('a word is not in the text')
    if (startMs > endMs || endMs > audioMs) throw new Error('a word is not within the audio')
  }
  for (const { startMs, endMs } of phonemes) {
    if (startMs > endMs || endMs > audioMs) throw new Error('a phoneme is not within the audio')
  }
  for (const [index, word] of words.entries()) {
    const before = words[index - 1]
    if (before !== undefined && (word.textStart < before.textEnd || word.startMs < before.startMs)) {
      throw new Error('words are not in order')
    }
  }
}

/** An engine in its process, which is replaced after it ended. */
export const openEngineUnderTest = async (engine) => {
  const open = () =>
    openEngineProcess(
      {
        command: [process.execPath, ...commands[engine]],
        niceness: 0,
        logger: silentLogger,
        startTimeoutMs,
        helloSchema,
        readErrors: logErrorOutput,
      },
      new AbortController().signal,
    )
  let speaking = await open()
  const { voices } = speaking.hello

  return {
    /** The last voice of each main language, as `[tag, voice]`. */
    languages: [...new Map(voices.map((voice) => [voice.languages[0], voice]))],

    /**
     * Rejects when the process ends, does not answer, or returns invalid marks. A speech that is longer than
     * `maxAudioMs` is cancelled: a synthesizer reads a clause before it makes its audio.
     */
    async speak(text, language, voice) {
      if (speaking.gone.aborted) speaking = await open()
      const { id: voiceId, variants } = voice
      const command = { text, voiceId, variant: variants[0].id, language, speed: 2, volume: 1 }
      const marks = { words: [], phonemes: [] }
      let samples = 0
      const enough = new AbortController()
      const onEvent = (event) => {
        if (event.kind === 'audio') samples += event.pcm.length
        else for (const kind of ['words', 'phonemes']) marks[kind].push(...event[kind])
        if (samples > maxAudioMs * (speaking.hello.sampleRateHz / 1000)) enough.abort()
      }
      await speakInProcess(speaking, command, { ...limits, signal: enough.signal, onEvent })
      if (enough.signal.aborted) return
      checkMarks(text, marks, (samples * 1000) / speaking.hello.sampleRateHz)
    },

    close: () => speaking.close(),
  }
}
