import type { OfferedVoice } from '@parlance/contracts'
import type { Engine, SpeechEvent } from '../src/engine/engine.js'

const sampleRateHz = 22050
/** Every character of text is this much of a tone. */
export const msPerCharacter = 50

export const voice: OfferedVoice = {
  id: 'a'.repeat(32),
  display_name: 'Ada',
  description: '',
  languages: ['en-US', 'en'],
  gender: 'female',
  tags: [],
  preview_url: null,
  license: 'CC0-1.0',
  variants: [
    {
      id: 'standard',
      display_name: 'Standard',
      sample_rates: [24000],
      formats: ['mp3'],
      streaming: true,
      alignment: ['word', 'phoneme', 'viseme'],
      credit_per_1k_characters: '0.015',
    },
  ],
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
}

export interface ToneEngine extends Engine {
  /** Texts whose making has begun. */
  readonly begun: string[]
  /** How many utterances were stopped before their end. */
  readonly stopped: () => number
}

/** An engine whose audio can be foretold: a character is 50 ms of tone, and every word is one long phoneme. */
export const createToneEngine = ({ failAt }: { failAt?: (text: string) => Error | undefined } = {}): ToneEngine => {
  const begun: string[] = []
  let stopped = 0

  async function* speak(
    text: string,
    { signal, onStart }: { signal: AbortSignal; onStart?: () => void },
  ): AsyncGenerator<SpeechEvent> {
    let finished = false
    begun.push(text)
    onStart?.()
    try {
      const failure = failAt?.(text)
      for (let at = 0; at < text.length; at++) {
        signal.throwIfAborted()
        if (failure && at > text.length / 2) throw failure
        await new Promise(setImmediate)
        const samples =
          Math.round(((at + 1) * msPerCharacter * sampleRateHz) / 1000) -
          Math.round((at * msPerCharacter * sampleRateHz) / 1000)
        yield { kind: 'audio', pcm: new Int16Array(samples).fill(at % 2 === 0 ? 8000 : -8000) }
      }
      const words = [...text.matchAll(/\p{L}+/gu)].map((match) => ({
        text: match[0],
        textStart: match.index,
        textEnd: match.index + match[0].length,
        startMs: match.index * msPerCharacter,
        endMs: (match.index + match[0].length) * msPerCharacter,
      }))
      yield { kind: 'marks', words, phonemes: words.map(({ startMs, endMs }) => ({ ipa: 'aɪ', startMs, endMs })) }
      finished = true
    } finally {
      if (!finished) stopped += 1
    }
  }

  return {
    name: 'tone',
    info: {},
    sampleRateHz,
    voices: [voice],
    capacity: 1,
    begun,
    stopped: () => stopped,
    active: () => 0,
    healthy: () => true,
    onHealthChange: () => () => undefined,
    speak: ({ text }, options) => speak(text, options),
    close: async () => undefined,
  }
}
