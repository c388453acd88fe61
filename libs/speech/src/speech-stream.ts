import { type PushStream, pushStreamFrom } from '@parlance/async/push-stream'
import { ServiceError, type SynthesisChunk } from '@parlance/contracts'
import { lookAhead } from './look-ahead.js'
import type { SegmentBatch } from './segment-batch.js'
import type { Segment } from './segmenter.js'
import { punctuationPauseMs } from './sentences/punctuation-pause.js'
import { leadingBlankLine } from './sentences/sentences-of.js'
import { createSpeechTimeline } from './speech-timeline.js'

export interface SpeechStreamOptions<Each extends SegmentBatch = SegmentBatch> {
  /** Asked for one more only when it is about to be spoken, so what has not been asked for can still be taken back. */
  readonly batches: AsyncIterable<Each>
  /**
   * Speaks one batch as a whole of its own: its chunks run from `started` to `done`, its clock begins at 0. One that is
   * not speakable is `unspoken`.
   */
  readonly synthesize: (batch: Each) => PushStream<SynthesisChunk>
  /** The pace of the voice, by which pauses are shorter or longer. Default 1. */
  readonly speed?: number
  /** How many batches beyond the one being given may be spoken already. Default 1. */
  readonly batchesAhead?: number
  /** How much audio may wait here for its turn. Default 10 s, 1 MiB. */
  readonly maxWaitingMs?: number
  readonly maxWaitingBytes?: number
}

/**
 * Speaks batches in order as if they were one synthesis: one `started`, one `done`, and between them every segment's
 * chunks on one clock, numbered through; `segment` is the segment's place among those of all batches, from 0. The next
 * batch is spoken while the last segment of this one is given.
 *
 * Rejects with what `batches` and `synthesize` fail with, after the chunks of all that came before; a synthesis that ends
 * without `done` is `upstream_error`, never a short stream. Ending it stops every synthesis.
 */
export const speechStream =
  <Each extends SegmentBatch>({
    batches,
    synthesize,
    speed = 1,
    batchesAhead = 1,
    maxWaitingMs = 10_000,
    maxWaitingBytes = 1024 * 1024,
  }: SpeechStreamOptions<Each>): PushStream<SynthesisChunk> =>
  async (sink, signal) => {
    const { place, lengthenPause, done } = createSpeechTimeline()
    /** Batches: asked for, and spoken to their end. */
    let asked = 0
    let spoken = 0
    /** By batch. */
    const latePausesMs: number[] = []
    let textBefore = ''
    let latest = -1

    const made = lookAhead({
      items: batches,
      produce: (batch) => {
        asked += 1
        latePausesMs.push(latePauseMs(textBefore, batch.text, speed))
        if (batch.speakable) textBefore = batch.text
        return synthesize(batch)
      },
      ahead: batchesAhead,
      opensNext: ({ cuts }, chunk) => 'segment' in chunk && chunk.segment === cuts.length,
      share: (chunk) =>
        chunk.event === 'audio' ? Math.max(chunk.duration_ms / maxWaitingMs, chunk.data.length / maxWaitingBytes) : 0,
    })
    const takeMade = (product: SynthesisChunk, index: number): void | Promise<void> => {
      if (index !== spoken) throw brokenOff()
      if (index > latest) lengthenPause(latePausesMs[index]!)
      latest = index
      const chunk = place(product)
      if (product.event === 'done') spoken += 1
      else if (chunk !== undefined) return sink(chunk)
    }
    await made(takeMade, signal)
    if (spoken !== asked) throw brokenOff()
    await sink(done())
  }

/** How much longer a pause is for a blank line that came after the batch before it was handed out. */
const latePauseMs = (before: string, text: string, speed: number): number => {
  const blankLine = leadingBlankLine(text)
  if (blankLine === '' || before === '') return 0
  const pauseMs = (spoken: string) => punctuationPauseMs(spoken, { language: null, speed })
  return Math.max(0, pauseMs(before + blankLine) - pauseMs(before))
}

const brokenOff = () => new ServiceError('upstream_error', 'The speech ended before it was complete. Try again.')

/** A batch with nothing to say: it has no audio, and a `segment` that counts its text. */
export const unspoken = ({ text }: Pick<Segment, 'text'>): PushStream<SynthesisChunk> => {
  const characters = [...text].length
  return pushStreamFrom<SynthesisChunk>(() => [
    { event: 'segment', segment: 0, characters },
    { event: 'done', audio_duration_ms: 0, characters_billed: characters, ttfa_ms: 0 },
  ])
}
