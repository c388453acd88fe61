import { createLogger } from '@parlance/telemetry'
import {
  type SpeechStandIn,
  standInKey,
  startCartesiaStandIn,
  startElevenlabsStandIn,
  startOpenaiSpeechStandIn,
} from '@parlance/testing/stand-ins'
import type { Engine, EngineContext, SpeakOptions, Utterance } from '../../src/engine/engine.js'
import { cartesiaEngineConfig, openCartesiaEngines } from '../../src/remote/cartesia-engine.js'
import { elevenlabsEngineConfig, openElevenlabsEngines } from '../../src/remote/elevenlabs-engine.js'
import { openaiEngineConfig, openOpenaiEngines } from '../../src/remote/openai-engine.js'

/**
 * Of engines whose time-out a test awaits. Other engines keep the default, 10 s: the stand-in runs in the process of the test,
 * so a busy machine silences it.
 */
export const shortTimeouts = { connect_ms: 1000, first_audio_ms: 1000, idle_ms: 600, total_ms: 5000 }

/** A server that fails is asked again soon. */
const quick = {
  concurrency: 8,
  health: { failures: 3, probe_interval_ms: 60_000, first_retry_ms: 20, max_retry_ms: 40 },
}

export const logOf = () => {
  const lines: string[] = []
  const logger = createLogger({ name: 'test', level: 'debug', destination: { write: (line) => void lines.push(line) } })
  return { lines, logger }
}

export type Log = ReturnType<typeof logOf>

export const contextOf = ({ logger }: Log, secret = `${standInKey}\n`): EngineContext => ({
  logger: logger.child({ engine: 'cloud' }),
  readSecret: () => secret,
  onReplace: () => undefined,
})

export interface Kind {
  readonly type: 'openai' | 'elevenlabs' | 'cartesia'
  start(options?: { room?: number; maxCharacters?: number }): Promise<SpeechStandIn>
  open(url: string, log: Log, config?: Record<string, unknown>): Promise<Engine>
}

const api_key = { env: 'THE_KEY' }
const credit_per_1k_characters = '0.03'

export const kinds: readonly Kind[] = [
  {
    type: 'openai',
    start: startOpenaiSpeechStandIn,
    open: async (base_url, log, config) => {
      const models = [
        { id: 'tts-1', credit_per_1k_characters },
        { id: 'kokoro', credit_per_1k_characters },
      ]
      const parsed = openaiEngineConfig.parse({
        type: 'openai',
        base_url,
        api_key,
        models,
        voices: 'discover',
        ...quick,
        ...config,
      })
      return (await openOpenaiEngines('cloud', parsed, contextOf(log)))[0]!
    },
  },
  {
    type: 'elevenlabs',
    start: startElevenlabsStandIn,
    open: async (base_url, log, config) => {
      const models = [
        { id: 'eleven_flash_v2_5', takes_language: true, credit_per_1k_characters },
        { id: 'eleven_multilingual_v2', credit_per_1k_characters },
      ]
      const parsed = elevenlabsEngineConfig.parse({
        type: 'elevenlabs',
        base_url,
        api_key,
        models,
        ...quick,
        ...config,
      })
      return (await openElevenlabsEngines('cloud', parsed, contextOf(log)))[0]!
    },
  },
  {
    type: 'cartesia',
    start: startCartesiaStandIn,
    open: async (base_url, log, config) => {
      const models = [
        { id: 'sonic-3', credit_per_1k_characters },
        { id: 'sonic-turbo', credit_per_1k_characters },
      ]
      const parsed = cartesiaEngineConfig.parse({ type: 'cartesia', base_url, api_key, models, ...quick, ...config })
      return (await openCartesiaEngines('cloud', parsed, contextOf(log)))[0]!
    },
  },
]

export const kindOf = (type: Kind['type']): Kind => kinds.find((kind) => kind.type === type)!

export const utterance = (engine: Engine, text: string, changes: Partial<Utterance> = {}): Utterance => {
  const voice = engine.voices[0]!
  return { text, voiceId: voice.id, variant: voice.variants[0]!.id, language: null, speed: 1, volume: 1, ...changes }
}

export interface ReceivedSpeech {
  readonly pcm: Int16Array
  readonly audioMs: number
  readonly words: { text: string; textStart: number; textEnd: number; startMs: number; endMs: number }[]
  readonly phonemes: { ipa: string; startMs: number; endMs: number }[]
  /** The pause that the engine reports after the text. */
  readonly pauseMs: number | undefined
}

export const hear = async (
  engine: Engine,
  text: string,
  { onStart, ...changes }: Partial<Utterance> & Pick<SpeakOptions, 'onStart'> = {},
): Promise<ReceivedSpeech> => {
  const signal = new AbortController().signal
  const parts: Int16Array[] = []
  const received: Pick<ReceivedSpeech, 'words' | 'phonemes'> = { words: [], phonemes: [] }
  let pauseMs: number | undefined
  for await (const event of engine.speak(utterance(engine, text, changes), { signal, ...(onStart && { onStart }) })) {
    if (event.kind === 'audio') parts.push(event.pcm)
    else {
      received.words.push(...event.words)
      received.phonemes.push(...event.phonemes)
      pauseMs = event.pauseMs ?? pauseMs
    }
  }
  const pcm = new Int16Array(parts.reduce((samples, { length }) => samples + length, 0))
  let at = 0
  for (const part of parts) {
    pcm.set(part, at)
    at += part.length
  }
  return { ...received, pauseMs, pcm, audioMs: (pcm.length * 1000) / engine.sampleRateHz }
}

/** Resolves when the engine's health is as wanted. */
export const health = (engine: Engine, wanted: boolean): Promise<void> =>
  new Promise((resolve) => {
    if (engine.healthy() === wanted) return resolve()
    const stop = engine.onHealthChange(() => {
      if (engine.healthy() !== wanted) return
      stop()
      resolve()
    })
  })
