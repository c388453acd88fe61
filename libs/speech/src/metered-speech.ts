import type { PushStream } from '@parlance/async/push-stream'
import type { SynthesisChunk, SynthesisRequest } from '@parlance/contracts'
import { countCodePoints } from './code-points.js'
import { cutText } from './segment-batch.js'
import { createSpeechRecord, type SpeechRecord } from './speech-record.js'
import { createSpeechTimeline } from './speech-timeline.js'

/** A speech whose whole text is known before it begins, and how much of that was delivered. */
export interface MeteredSpeech {
  /** The same speech, on one clock. A chunk counts as delivered once the sink took it, whether or not there is room for more. */
  readonly chunks: PushStream<SynthesisChunk>
  /** The code points of the segments that were delivered completely; all code points when the speech is complete. */
  completed(): number
  /** The code points that were delivered: the complete segments, and the next one up to the end of the word reached. */
  delivered(): number
}

/** The same speech, and a meter of what was delivered of it. Deliveries count when the sink has taken them. */
export const meterSpeech = (
  speech: PushStream<SynthesisChunk>,
  { text, cuts, speed }: Pick<SynthesisRequest, 'text' | 'cuts' | 'speed'>,
): MeteredSpeech => {
  const marks: { readonly chunk: SynthesisChunk; readonly atMs: number }[] = []
  let sentMs = 0
  let complete = false

  const follow = (chunk: SynthesisChunk) => {
    if (chunk.event === 'audio') sentMs = chunk.start_ms + chunk.duration_ms
    else marks.push({ chunk, atMs: sentMs })
    if (chunk.event === 'done') complete = true
  }

  /** Created only for an interrupted speech, since a complete one needs no segments. */
  const recorded = (): SpeechRecord => {
    let nowMs = 0
    const record = createSpeechRecord({ sentMs: () => nowMs, speed })
    for (const segment of cutText(text, cuts)) record.add({ text: segment })
    for (const { chunk, atMs } of marks) {
      nowMs = atMs
      record.follow(chunk)
    }
    nowMs = sentMs
    return record
  }

  return {
    chunks(sink, signal) {
      const timeline = createSpeechTimeline()
      return speech((chunk) => {
        const placed = timeline.place(chunk)
        if (placed === undefined) return
        const room = sink(placed)
        follow(placed)
        return room
      }, signal)
    },
    completed: () => (complete ? countCodePoints(text) : recorded().completed()),
    delivered: () => (complete ? countCodePoints(text) : recorded().delivered()),
  }
}
