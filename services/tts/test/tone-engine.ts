import type { OfferedVoice, SynthesisMethod } from '@parlance/contracts'
import { standInOfferedVoice } from '@parlance/testing'
import type { Engine, SpeakOptions, SpeechEvent } from '../src/engine/engine.js'

/** Every character of text is this much of a tone. */
export const msPerCharacter = 50

export const voice: OfferedVoice = {
  ...standInOfferedVoice,
  languages: ['en-US', 'en'],
  variants: standInOfferedVoice.variants.map((variant) => ({ ...variant, alignment: ['word', 'phoneme', 'viseme'] })),
}

export interface ToneEngine extends Engine {
  /** Texts whose making has begun. */
  readonly begun: string[]
  /** How many utterances were stopped before their end. */
  readonly stopped: () => number
  setHealthy(healthy: boolean): void
}

export interface ToneEngineOptions {
  readonly name?: string
  readonly voices?: readonly OfferedVoice[]
  readonly synthesis?: SynthesisMethod
  readonly sampleRateHz?: number
  readonly capacity?: number
  readonly isPiecewise?: boolean
  /** Fails a text in its middle. */
  readonly failAt?: (text: string) => Error | undefined
  /** Whether it knows its last samples as such. Default false. */
  readonly knowsLast?: boolean
  /** Texts for which it makes no audio. */
  readonly silentTexts?: readonly string[]
  /** The pause that it reports after a text. Default none. */
  readonly pauseMsAfter?: (text: string) => number
  /** What a text waits for before its first sound; may throw. */
  readonly before?: (text: string) => void | Promise<void>
}

/** An engine whose audio can be foretold: a character is 50 ms of tone, and every word is one long phoneme. */
export const createToneEngine = ({
  name = 'tone',
  voices = [voice],
  synthesis = 'formant',
  sampleRateHz = 22050,
  capacity = 1,
  isPiecewise = false,
  failAt,
  knowsLast = false,
  silentTexts = [],
  pauseMsAfter,
  before,
}: ToneEngineOptions = {}): ToneEngine => {
  const listeners = new Set<() => void>()
  let healthy = true
  const begun: string[] = []
  let stopped = 0

  async function* speak(text: string, { signal, onStart, onEnd }: SpeakOptions): AsyncGenerator<SpeechEvent> {
    let finished = false
    begun.push(text)
    onStart?.()
    let spokenMs = 0
    try {
      await before?.(text)
      const failure = failAt?.(text)
      for (let at = 0; at < text.length && !silentTexts.includes(text); at++) {
        signal.throwIfAborted()
        if (failure && at > text.length / 2) throw failure
        await new Promise(setImmediate)
        const samples =
          Math.round(((at + 1) * msPerCharacter * sampleRateHz) / 1000) -
          Math.round((at * msPerCharacter * sampleRateHz) / 1000)
        spokenMs += msPerCharacter
        const pcm = new Int16Array(samples).fill(at % 2 === 0 ? 8000 : -8000)
        yield { kind: 'audio', pcm, isLast: knowsLast && at === text.length - 1 }
      }
      const words = [...text.matchAll(/\p{L}+/gu)].map((match) => ({
        text: match[0],
        textStart: match.index,
        textEnd: match.index + match[0].length,
        startMs: match.index * msPerCharacter,
        endMs: (match.index + match[0].length) * msPerCharacter,
      }))
      const phonemes = words.map(({ startMs, endMs }) => ({ ipa: 'aɪ', startMs, endMs }))
      yield { kind: 'marks', words, phonemes, pauseMs: pauseMsAfter?.(text) }
      finished = true
    } finally {
      if (!finished) stopped += 1
      onEnd?.({ audioMs: spokenMs, engineMs: 1 })
    }
  }

  return {
    name,
    info: {},
    synthesis,
    sampleRateHz,
    voices,
    capacity,
    isPiecewise,
    begun,
    stopped: () => stopped,
    active: () => 0,
    healthy: () => healthy,
    setHealthy(now) {
      healthy = now
      for (const listener of listeners) listener()
    },
    onHealthChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    speak: ({ text }, options) => speak(text, options),
    close: async () => undefined,
  }
}
