import type { PushStream } from '@parlance/async/push-stream'
import type { SynthesisChunk, SynthesisRequest } from '@parlance/contracts'
import { countCodePoints } from './code-points.js'
import { segmentText } from './segment-text.js'
import { createSpeechRecord, type SpeechRecord } from './speech-record.js'

/** A speech whose whole text is known before it begins, and how much of that was delivered. Workers cut the text. */
export interface MeteredSpeech {
  /** The same speech. A chunk counts as delivered once it is taken, whether or not there is room for another. */
  readonly chunks: PushStream<SynthesisChunk>
  /** Code points of the segments that were delivered whole; of a speech that is complete, all. */
  completed(): number
  /** Code points that were delivered: those, and of the next segment the text up to the end of the word reached. */
  delivered(): number
}

export interface MeteredSpeechOptions {
  readonly request: Pick<SynthesisRequest, 'text' | 'speed'>
  /** A BCP 47 tag: the language in which the text is spoken. */
  readonly language: string
}

export const meterSpeech = (
  speech: PushStream<SynthesisChunk>,
  { request: { text, speed }, language }: MeteredSpeechOptions,
): MeteredSpeech => {
  const marks: { readonly chunk: SynthesisChunk; readonly atMs: number }[] = []
  let sentMs = 0
  let complete = false

  const follow = (chunk: SynthesisChunk) => {
    if (chunk.event === 'audio') sentMs = chunk.start_ms + chunk.duration_ms
    else marks.push({ chunk, atMs: sentMs })
    if (chunk.event === 'done') complete = true
  }

  /** Made only for a speech that was interrupted: a complete one needs no segments. */
  const recorded = (): SpeechRecord => {
    let nowMs = 0
    const record = createSpeechRecord({ sentMs: () => nowMs, speed })
    const codePoints = [...text]
    const take = (count: number) => codePoints.splice(0, count).join('')
    for (const { chunk } of marks) if (chunk.event === 'segment') record.add({ text: take(chunk.characters) })
    for (const segment of segmentText(take(codePoints.length), language)) record.add({ text: segment })
    for (const { chunk, atMs } of marks) {
      nowMs = atMs
      record.follow(chunk)
    }
    nowMs = sentMs
    return record
  }

  return {
    chunks: (take, signal) =>
      speech((chunk) => {
        const room = take(chunk)
        follow(chunk)
        return room
      }, signal),
    completed: () => (complete ? countCodePoints(text) : recorded().completed()),
    delivered: () => (complete ? countCodePoints(text) : recorded().delivered()),
  }
}
