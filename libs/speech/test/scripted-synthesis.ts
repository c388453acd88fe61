import type { SynthesisChunk } from '@parlance/contracts'
import { flowOf } from '@parlance/flow'
import type { Segment } from '../src/index.js'

export const msPerCharacter = 50
/** Audio of a chunk: this many characters of text. */
const charactersPerChunk = 4

const output = { format: 'pcm_s16le', sample_rate: 8000, bit_rate: null } as const

/** What a synthesis says of a text: a chunk of audio for every four characters, and every word where it stands. */
export const chunksOf = (text: string): SynthesisChunk[] => {
  const chunks: SynthesisChunk[] = [{ event: 'started', output, queue_ms: 1, ttfa_ms: text.length }]
  for (let at = 0; at < text.length; at += charactersPerChunk) {
    const length = Math.min(charactersPerChunk, text.length - at)
    chunks.push({
      event: 'audio',
      seq: at / charactersPerChunk,
      segment: 0,
      start_ms: at * msPerCharacter,
      duration_ms: length * msPerCharacter,
      data: new TextEncoder().encode(text.slice(at, at + length)),
    })
  }
  const words = [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: word, index }) => ({
    text: word,
    start_ms: index * msPerCharacter,
    end_ms: (index + word.length) * msPerCharacter,
  }))
  chunks.push({ event: 'alignment', segment: 0, words, phonemes: [], visemes: [{ id: 'aa', start_ms: 0, end_ms: 50 }] })
  chunks.push({ event: 'segment', segment: 0, characters: [...text].length })
  const audio_duration_ms = text.length * msPerCharacter
  chunks.push({ event: 'done', audio_duration_ms, characters_billed: [...text].length, ttfa_ms: text.length })
  return chunks
}

export const segmentOf = (text: string): Segment => ({ text, speakable: /\p{L}/u.test(text) })

export async function* segmentsOf(texts: readonly string[]): AsyncGenerator<Segment> {
  yield* texts.map(segmentOf)
}

/** A synthesis that keeps a record of what became of each segment, and fails or hangs where it is told to. */
export const createScriptedSynthesis = ({
  failAfter = {},
  hangAfter = {},
}: {
  failAfter?: Record<string, number>
  hangAfter?: Record<string, number>
} = {}) => {
  const begun: string[] = []
  const finished: string[] = []
  const stopped: string[] = []
  /** How many chunks each text has given. */
  const given = new Map<string, number>()
  const failure = new Error('the engine stopped')

  const synthesize = (segment: Segment) => flowOf((signal) => speak(segment, signal))
  async function* speak({ text }: Segment, signal: AbortSignal): AsyncGenerator<SynthesisChunk> {
    begun.push(text)
    try {
      for (const [index, chunk] of chunksOf(text).entries()) {
        if (failAfter[text] === index) throw failure
        if (hangAfter[text] === index) await aborted(signal)
        await new Promise(setImmediate)
        signal.throwIfAborted()
        given.set(text, index + 1)
        yield chunk
      }
      finished.push(text)
    } finally {
      if (finished.at(-1) !== text) stopped.push(text)
    }
  }

  return { synthesize, begun, finished, stopped, given, failure }
}

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

/** Everything that can happen without anybody doing anything has happened. */
export const settled = async () => {
  for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate)
}
