import { pushStreamFrom } from '@parlance/async/push-stream'
import type { SynthesisChunk } from '@parlance/contracts'
import { type SegmentBatch, unspoken } from '../src/index.js'

export const msPerCharacter = 50
/** Audio of a chunk: this many characters of text. */
const charactersPerChunk = 4

const output = { format: 'pcm_s16le', sample_rate: 8000, bit_rate: null } as const

/** The chunks of a text: for each segment a chunk of audio for every four characters, and every word where it stands. */
export const chunksOf = (text: string, cuts: readonly number[] = [], pauseMs = 0): SynthesisChunk[] => {
  const chunks: SynthesisChunk[] = [{ event: 'started', output, queue_ms: 1, ttfa_ms: text.length }]
  let seq = 0
  for (const [segment, start] of [0, ...cuts].entries()) {
    const end = cuts[segment] ?? text.length
    for (let at = start; at < end; at += charactersPerChunk) {
      const length = Math.min(charactersPerChunk, end - at)
      chunks.push({
        event: 'audio',
        seq: seq++,
        segment,
        start_ms: at * msPerCharacter,
        duration_ms: length * msPerCharacter,
        data: new TextEncoder().encode(text.slice(at, at + length)),
      })
    }
    const words = [...text.slice(start, end).matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: word, index }) => ({
      text: word,
      start_ms: (start + index) * msPerCharacter,
      end_ms: (start + index + word.length) * msPerCharacter,
    }))
    const visemes = [{ id: 'aa' as const, start_ms: start * msPerCharacter, end_ms: start * msPerCharacter + 50 }]
    chunks.push({ event: 'alignment', segment, words, phonemes: [], visemes })
    const characters = [...text.slice(start, end)].length
    chunks.push({ event: 'segment', segment, characters, ...(pauseMs > 0 && { pause_ms: pauseMs }) })
  }
  const audio_duration_ms = text.length * msPerCharacter
  chunks.push({ event: 'done', audio_duration_ms, characters_billed: [...text].length, ttfa_ms: text.length })
  return chunks
}

export const batchOf = (text: string, cuts: readonly number[] = []): SegmentBatch => ({
  text,
  cuts,
  speakable: /\p{L}/u.test(text),
})

export async function* batchesOf(texts: readonly string[]): AsyncGenerator<SegmentBatch> {
  yield* texts.map((text) => batchOf(text))
}

/** A synthesis that records the outcome of each batch, and fails or hangs where the test requests it. */
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
  /** The number of chunks that each text has produced. */
  const given = new Map<string, number>()
  const failure = new Error('the engine stopped')

  const synthesize = (batch: SegmentBatch) =>
    batch.speakable ? pushStreamFrom((signal) => speak(batch, signal)) : unspoken(batch)
  async function* speak({ text, cuts }: SegmentBatch, signal: AbortSignal): AsyncGenerator<SynthesisChunk> {
    begun.push(text)
    try {
      for (const [index, chunk] of chunksOf(text, cuts).entries()) {
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

/** Resolves when all work in progress has ended or waits. */
export const settled = async () => {
  for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate)
}
