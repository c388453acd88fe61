import type { Sink } from '@parlance/async/push-stream'
import { joinableAudio } from '@parlance/audio'
import type { SynthesisChunk, SynthesisRequest } from '@parlance/contracts'
import { createSegmentBuffer, type SegmentBufferLimits } from './segment-buffer.js'
import { createSpeechTimeline } from './speech-timeline.js'

/**
 * One speech made of the answers of several workers, each of which was lost and continued by the next.
 *
 * - It is continued after a segment that is complete. Nothing is given twice, and nothing is left out.
 * - A speech of which part of a segment was given, and the rest of that segment was lost, cannot be continued.
 */
export interface ResumableSpeech {
  /** What to ask a worker for now. */
  request(): SynthesisRequest
  /** Takes the chunks of the present worker's answer. */
  readonly take: Sink<SynthesisChunk>
  /** The worker was lost. Returns whether there is something to ask another for; undefined when it cannot be continued. */
  resume(): 'complete' | 'incomplete' | undefined
  /** Resolves when everything was given that the workers made. Rejects with what the sink failed with. */
  drained(): Promise<void>
  /** Gives nothing more. */
  close(): void
}

/** A speech that gives its chunks to `sink`, beginning with the request for all of its text. */
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

    take(chunk) {
      if (chunk.event === 'audio') hasAudio = true
      if (chunk.event === 'segment') canBeJoined = !hasAudio || (chunk.pause_ms ?? 0) >= encoderLagMs
      return buffer.add(chunk)
    },

    resume() {
      const segments = buffer.cut()
      if (segments === undefined) return undefined
      if (segments > request.cuts.length) {
        buffer.whenGiven(() => sink(timeline.done()))
        return 'complete'
      }
      if (segments === 0) return 'incomplete'
      if (!canBeJoined) return undefined
      request = restOf(request, segments)
      buffer.whenGiven(timeline.continueElsewhere)
      return 'incomplete'
    },

    drained: buffer.drained,
    close: buffer.close,
  }
}

/** What is left of a request of which so many segments are complete. */
const restOf = (request: SynthesisRequest, segments: number): SynthesisRequest => {
  const { text, cuts } = request
  const from = cuts[segments - 1]!
  return { ...request, text: text.slice(from), cuts: cuts.slice(segments).map((cut) => cut - from) }
}
