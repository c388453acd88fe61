import type { Sink } from '@parlance/async/push-stream'
import { joinableAudio } from '@parlance/audio'
import type { SynthesisChunk, SynthesisRequest } from '@parlance/contracts'
import { SegmentBuffer, type SegmentBufferLimits } from './segment-buffer.js'

/**
 * One speech made of the responses of several workers, each of which was lost and continued by the next. It delivers its
 * chunks to `sink`, none twice and none left out. The chunks of each worker begin with `started`, on a clock of their own:
 * `speech-timeline.ts` places them on one clock.
 *
 * - The next worker speaks the segments that are not complete.
 * - When part of a segment was delivered, the next worker speaks that segment again, and its audio is delivered from the
 *   moment that the delivered audio has reached. Only in formats of plain samples; a compressed speech cannot be continued
 *   then.
 */
export const createResumableSpeech = (
  whole: SynthesisRequest,
  sink: Sink<SynthesisChunk>,
  limits?: SegmentBufferLimits,
) => {
  const buffer = new SegmentBuffer(sink, limits)
  const { encoderLagMs = Number.POSITIVE_INFINITY, sampleBytes } = joinableAudio(whole.output) ?? {}
  let request = whole
  /** Whether the audio so far can be followed by that of another encoder. */
  let canBeJoined = true
  let hasAudio = false

  return {
    /** The request for the next worker. */
    request: (): SynthesisRequest => request,

    /** Receives the chunks of the current worker's response. */
    sink(chunk: SynthesisChunk): void | Promise<void> {
      if (chunk.event === 'audio') hasAudio = true
      if (chunk.event === 'segment') canBeJoined = !hasAudio || (chunk.pause_ms ?? 0) >= encoderLagMs
      return buffer.add(chunk)
    },

    /** The worker was lost. Returns whether the speech is complete; undefined when it cannot be continued. */
    resume(): 'complete' | 'incomplete' | undefined {
      const { completeSegments, isPartlyDelivered } = buffer.cut()
      if (completeSegments > request.cuts.length) {
        void buffer.add(lostDone)
        return 'complete'
      }
      if (completeSegments === 0 && !isPartlyDelivered) return 'incomplete'
      if (isPartlyDelivered ? sampleBytes === undefined : !canBeJoined) return undefined
      request = restOf(request, completeSegments)
      return 'incomplete'
    },

    /** Resolves when everything that the workers produced was delivered. Rejects with the error of the sink. */
    drained: (): Promise<void> => buffer.drained(),
    /** Delivers nothing more. */
    close: (): void => buffer.close(),
  }
}

/** In place of the end that was lost after all segments. The timeline has the totals. */
const lostDone: SynthesisChunk = { event: 'done', audio_duration_ms: 0, characters_billed: 0, ttfa_ms: 0 }

/** The request for the rest of a text after `segments` complete segments. */
const restOf = (request: SynthesisRequest, segments: number): SynthesisRequest => {
  if (segments === 0) return request
  const { text, cuts } = request
  const from = cuts[segments - 1]!
  return { ...request, text: text.slice(from), cuts: cuts.slice(segments).map((cut) => cut - from) }
}
