import type { SynthesisChunk } from '@parlance/contracts'
import { ServiceError } from '@parlance/contracts'
import { lookAhead } from './look-ahead.js'
import type { Segment } from './segmenter.js'

export interface SpeechStreamOptions {
  /** Asked for one more only when it is about to be spoken, so what has not been asked for can still be taken back. */
  readonly segments: AsyncIterable<Segment>
  /** Speaks one segment as a whole of its own: its chunks run from `started` to `done`, its clock begins at 0. */
  readonly synthesize: (segment: Segment, signal: AbortSignal) => AsyncIterable<SynthesisChunk>
  readonly signal: AbortSignal
  /** How many segments beyond the one being read may be spoken already. Default 1. */
  readonly segmentsAhead?: number
  /** How much audio may wait here unread. Default 10 s, 1 MiB. */
  readonly maxWaitingMs?: number
  readonly maxWaitingBytes?: number
}

/**
 * Speaks segments in order as if they were one synthesis: one `started`, one `done`, and between them every segment's
 * chunks on one clock, numbered through; `segment` is the segment's place in `segments`, from 0. The next segment is
 * spoken while this one is read. A segment with nothing to say is not spoken but counted, with a `segment` of its own.
 *
 * Throws what `segments` and `synthesize` throw, after the chunks of all that came before, and the signal's reason; a
 * synthesis that ends without `done` is `upstream_error`, never a short stream. Leaving the loop stops every synthesis.
 */
export async function* speechStream({
  segments,
  synthesize,
  signal,
  segmentsAhead = 1,
  maxWaitingMs = 10_000,
  maxWaitingBytes = 1024 * 1024,
}: SpeechStreamOptions): AsyncGenerator<SynthesisChunk> {
  let started = false
  let seq = 0
  let offsetMs = 0
  let characters = 0
  let ttfaMs = 0

  const atMs = (ms: number) => roundMs(offsetMs + ms)
  const moved = <Timed extends { start_ms: number; end_ms: number }>(marks: readonly Timed[]): Timed[] =>
    marks.map((mark) => ({ ...mark, start_ms: atMs(mark.start_ms), end_ms: atMs(mark.end_ms) }))

  const made = lookAhead({
    items: segments,
    produce: (segment, stop) => (segment.speakable ? complete(synthesize(segment, stop)) : unspoken(segment)),
    ahead: segmentsAhead,
    share: (chunk) =>
      chunk.event === 'audio' ? Math.max(chunk.duration_ms / maxWaitingMs, chunk.data.length / maxWaitingBytes) : 0,
    signal,
  })
  for await (const { index, product: chunk } of made) {
    switch (chunk.event) {
      case 'started':
        if (started) break
        started = true
        ttfaMs = chunk.ttfa_ms
        yield chunk
        break
      case 'audio': {
        const start_ms = atMs(chunk.start_ms)
        const duration_ms = roundMs(atMs(chunk.start_ms + chunk.duration_ms) - start_ms)
        yield { ...chunk, seq, segment: index, start_ms, duration_ms }
        seq += 1
        break
      }
      case 'alignment': {
        const { words, phonemes, visemes } = chunk
        const onClock = { words: moved(words), phonemes: moved(phonemes), visemes: moved(visemes) }
        yield { event: 'alignment', segment: index, ...onClock }
        break
      }
      case 'segment':
        yield { ...chunk, segment: index }
        break
      case 'done':
        offsetMs += chunk.audio_duration_ms
        characters += chunk.characters_billed
    }
  }
  yield { event: 'done', audio_duration_ms: roundMs(offsetMs), characters_billed: characters, ttfa_ms: ttfaMs }
}

async function* complete(chunks: AsyncIterable<SynthesisChunk>): AsyncGenerator<SynthesisChunk> {
  let done = false
  for await (const chunk of chunks) {
    done ||= chunk.event === 'done'
    yield chunk
  }
  if (!done) throw new ServiceError('upstream_error', 'The speech ended before it was complete. Try again.')
}

async function* unspoken({ text }: Segment): AsyncGenerator<SynthesisChunk> {
  const characters = [...text].length
  yield { event: 'segment', segment: 0, characters }
  yield { event: 'done', audio_duration_ms: 0, characters_billed: characters, ttfa_ms: 0 }
}

/** A tenth of a millisecond is finer than any engine means it. */
const roundMs = (ms: number): number => Math.round(ms * 10) / 10
