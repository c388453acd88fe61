import { type PushStream, pushStreamFrom } from '@parlance/async/push-stream'
import { ServiceError, type SynthesisChunk } from '@parlance/contracts'
import { lookAhead } from './look-ahead.js'
import type { SegmentBatch } from './segment-queue.js'
import type { Segment } from './segmenter.js'
import { punctuationPauseMs } from './sentences/punctuation-pause.js'
import { leadingBlankLine } from './sentences/sentences-of.js'
import { createSpeechTimeline } from './speech-timeline.js'

export interface SpeechStreamOptions<Each extends SegmentBatch = SegmentBatch> {
  /** The next batch is requested only when it is about to be spoken, so the source can still withdraw later batches. */
  readonly batches: AsyncIterable<Each> | Iterable<Each>
  /**
   * Speaks one batch independently: its chunks run from `started` to `done`, and its clock begins at 0. A batch that is
   * not speakable is passed to `unspoken`.
   */
  readonly synthesize: (batch: Each) => PushStream<SynthesisChunk>
  /** The pace of the voice, by which pauses are shorter or longer. Default 1. */
  readonly speed?: number
  /** How many batches after the one being delivered may already be spoken. Default 1. */
  readonly batchesAhead?: number
  /** How much audio may wait here to be delivered. Default 10 s, 1 MiB. */
  readonly maxWaitingMs?: number
  readonly maxWaitingBytes?: number
}

/**
 * Speaks batches in order as if they were one synthesis: one `started`, one `done`, and between them every segment's
 * chunks on one clock, numbered consecutively; `segment` is the segment's index among those of all batches, from 0. The next
 * batch is spoken while the last segment of this one is delivered.
 *
 * Rejects with the error of `batches` or `synthesize`, after the chunks of everything before it. A synthesis that ends
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
    /** The numbers of batches that were requested, and that were spoken completely. */
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

/** How much longer a pause is when a blank line arrived only after the batch before it was requested. */
const latePauseMs = (before: string, text: string, speed: number): number => {
  const blankLine = leadingBlankLine(text)
  if (blankLine === '' || before === '') return 0
  const pauseMs = (spoken: string) => punctuationPauseMs(spoken, { language: null, speed })
  return Math.max(0, pauseMs(before + blankLine) - pauseMs(before))
}

const brokenOff = () => new ServiceError('upstream_error', 'The speech ended before it was complete. Try again.')

/** A batch without speakable text has no audio, and a `segment` that counts its text. */
export const unspoken = ({ text }: Pick<Segment, 'text'>): PushStream<SynthesisChunk> => {
  const characters = [...text].length
  return pushStreamFrom<SynthesisChunk>(() => [
    { event: 'segment', segment: 0, characters },
    { event: 'done', audio_duration_ms: 0, characters_billed: characters, ttfa_ms: 0 },
  ])
}
