import type { Sink } from '@parlance/async/push-stream'
import { joinableAudio } from '@parlance/audio'
import type { SynthesisChunk, SynthesisRequest } from '@parlance/contracts'
import { createSegmentBuffer, type SegmentBufferLimits } from './segment-buffer.js'
import { createSpeechTimeline } from './speech-timeline.js'

/**
 * One speech made of the responses of several workers, each of which was lost and continued by the next.
 *
 * - It is continued after a complete segment. Nothing is delivered twice, and nothing is left out.
 * - A speech cannot be continued when part of a segment was delivered and the rest of that segment was lost.
 */
export interface ResumableSpeech {
  /** The request for the next worker. */
  request(): SynthesisRequest
  /** Receives the chunks of the current worker's response. */
  readonly sink: Sink<SynthesisChunk>
  /** The worker was lost. Returns whether the speech is complete; undefined when it cannot be continued. */
  resume(): 'complete' | 'incomplete' | undefined
  /** Resolves when everything that the workers produced was delivered. Rejects with the error of the sink. */
  drained(): Promise<void>
  /** Delivers nothing more. */
  close(): void
}

/** Creates a speech that delivers its chunks to `sink`, starting with the request for its whole text. */
export const createResumableSpeech = (
  whole: SynthesisRequest,
  sink: Sink<SynthesisChunk>,
  limits?: SegmentBufferLimits,
): ResumableSpeech => {
  const timeline = createSpeechTimeline()
  const place = (chunk: SynthesisChunk): void | Promise<void> => {
    const placed = timeline.place(chunk)
    if (placed !== undefined) return sink(placed)
  }
  const buffer = createSegmentBuffer(place, limits)
  const encoderLagMs = joinableAudio(whole.output)?.encoderLagMs ?? Number.POSITIVE_INFINITY
  let request = whole
  /** Whether the audio so far can be followed by that of another encoder. */
  let canBeJoined = true
  let hasAudio = false

  return {
    request: () => request,

    sink(chunk) {
      if (chunk.event === 'audio') hasAudio = true
      if (chunk.event === 'segment') canBeJoined = !hasAudio || (chunk.pause_ms ?? 0) >= encoderLagMs
      return buffer.add(chunk)
    },

    resume() {
      const segments = buffer.cut()
      if (segments === undefined) return undefined
      if (segments > request.cuts.length) {
        buffer.whenDelivered(() => sink(timeline.done()))
        return 'complete'
      }
      if (segments === 0) return 'incomplete'
      if (!canBeJoined) return undefined
      request = restOf(request, segments)
      buffer.whenDelivered(timeline.continueElsewhere)
      return 'incomplete'
    },

    drained: buffer.drained,
    close: buffer.close,
  }
}

/** The request for the rest of a text after `segments` complete segments. */
const restOf = (request: SynthesisRequest, segments: number): SynthesisRequest => {
  const { text, cuts } = request
  const from = cuts[segments - 1]!
  return { ...request, text: text.slice(from), cuts: cuts.slice(segments).map((cut) => cut - from) }
}
