import type { SynthesisChunk } from '@parlance/contracts'
import { ServiceError } from '@parlance/contracts'
import { type Flow, flowOf } from '@parlance/flow'
import { lookAhead } from './look-ahead.js'
import type { Segment } from './segmenter.js'

export interface SpeechStreamOptions {
  /** Asked for one more only when it is about to be spoken, so what has not been asked for can still be taken back. */
  readonly segments: AsyncIterable<Segment>
  /** Speaks one segment as a whole of its own: its chunks run from `started` to `done`, its clock begins at 0. */
  readonly synthesize: (segment: Segment) => Flow<SynthesisChunk>
  /** How many segments beyond the one being given may be spoken already. Default 1. */
  readonly segmentsAhead?: number
  /** How much audio may wait here for its turn. Default 10 s, 1 MiB. */
  readonly maxWaitingMs?: number
  readonly maxWaitingBytes?: number
}

/**
 * Speaks segments in order as if they were one synthesis: one `started`, one `done`, and between them every segment's
 * chunks on one clock, numbered through; `segment` is the segment's place in `segments`, from 0. The next segment is
 * spoken while this one is given. A segment with nothing to say is not spoken but counted, with a `segment` of its own.
 *
 * Rejects with what `segments` and `synthesize` fail with, after the chunks of all that came before; a synthesis that ends
 * without `done` is `upstream_error`, never a short stream. Ending it stops every synthesis.
 */
export const speechStream =
  ({
    segments,
    synthesize,
    segmentsAhead = 1,
    maxWaitingMs = 10_000,
    maxWaitingBytes = 1024 * 1024,
  }: SpeechStreamOptions): Flow<SynthesisChunk> =>
  async (take, signal) => {
    let started = false
    let seq = 0
    let offsetMs = 0
    let characters = 0
    let ttfaMs = 0
    /** Segments: asked for, and spoken to their end. */
    let asked = 0
    let spoken = 0

    const atMs = (ms: number) => roundMs(offsetMs + ms)
    const moved = <Timed extends { start_ms: number; end_ms: number }>(marks: readonly Timed[]): Timed[] =>
      marks.map((mark) => ({ ...mark, start_ms: atMs(mark.start_ms), end_ms: atMs(mark.end_ms) }))

    const made = lookAhead({
      items: segments,
      produce: (segment) => {
        asked += 1
        return segment.speakable ? synthesize(segment) : unspoken(segment)
      },
      ahead: segmentsAhead,
      share: (chunk) =>
        chunk.event === 'audio' ? Math.max(chunk.duration_ms / maxWaitingMs, chunk.data.length / maxWaitingBytes) : 0,
    })
    const takeMade = ({ index, product: chunk }: { index: number; product: SynthesisChunk }): void | Promise<void> => {
      if (index !== spoken) throw brokenOff()
      switch (chunk.event) {
        case 'started':
          if (started) return
          started = true
          ttfaMs = chunk.ttfa_ms
          return take(chunk)
        case 'audio': {
          const start_ms = atMs(chunk.start_ms)
          const duration_ms = roundMs(atMs(chunk.start_ms + chunk.duration_ms) - start_ms)
          return take({ event: 'audio', seq: seq++, segment: index, start_ms, duration_ms, data: chunk.data })
        }
        case 'alignment': {
          const { words, phonemes, visemes } = chunk
          const onClock = { words: moved(words), phonemes: moved(phonemes), visemes: moved(visemes) }
          return take({ event: 'alignment', segment: index, ...onClock })
        }
        case 'segment':
          return take({ ...chunk, segment: index })
        case 'done':
          spoken += 1
          offsetMs += chunk.audio_duration_ms
          characters += chunk.characters_billed
      }
    }
    await made(takeMade, signal)
    if (spoken !== asked) throw brokenOff()
    await take({ event: 'done', audio_duration_ms: roundMs(offsetMs), characters_billed: characters, ttfa_ms: ttfaMs })
  }

const brokenOff = () => new ServiceError('upstream_error', 'The speech ended before it was complete. Try again.')

const unspoken = ({ text }: Segment): Flow<SynthesisChunk> => {
  const characters = [...text].length
  return flowOf<SynthesisChunk>(() => [
    { event: 'segment', segment: 0, characters },
    { event: 'done', audio_duration_ms: 0, characters_billed: characters, ttfa_ms: 0 },
  ])
}

/** A tenth of a millisecond is finer than any engine means it. */
const roundMs = (ms: number): number => Math.round(ms * 10) / 10
