/**
 * Requests a synthesis from a worker (`worker-search.ts`), and continues it with another when that one is lost.
 *
 * - A worker that can start soon is called first. When all are busy, one whose queue is not full queues the request.
 * - Until its first chunk, a request that was refused or lost is sent to another worker.
 * - A worker that is lost later is replaced by another, which speaks the segments that are not complete
 *   (`resumable-speech.ts`).
 */
import type { PushStream, Sink } from '@parlance/async/push-stream'
import { type Client, missingReplyOf, type StreamOptions } from '@parlance/bus'
import {
  queueLaneOf,
  type SpeechPurpose,
  type SynthesisChunk,
  type SynthesisRequest,
  type ttsContract,
} from '@parlance/contracts'
import { createResumableSpeech, type SegmentBufferLimits } from '@parlance/speech'
import { isLostAnswer, WorkerSearch } from './worker-search.js'

export interface SynthesizeOptions extends Pick<StreamOptions, 'context'> {
  /** The engine that speaks the variant: any worker that has it may be called. */
  readonly lane: string
  /** How long to wait for the first chunk, in ms; after a loss, for the first of the rest. */
  readonly deadlineMs: number
  /** Default `one_shot`. */
  readonly purpose?: SpeechPurpose
  /** How much audio of the text before it the listener has not played yet, in ms. Default 0. */
  readonly aheadMs?: number
  /** How much of a segment is kept until the segment is complete. */
  readonly buffer?: SegmentBufferLimits
}

/**
 * Speaks a request whose text is cut into segments. The chunks of each worker have their own clock; `createSpeechTimeline`
 * places them on one. Rejects with the error of a worker, with `capacity_exhausted` when all workers are busy or no worker is
 * running, and with `unavailable` when a worker was lost and its speech cannot be continued.
 */
export type Synthesize = (request: SynthesisRequest, options: SynthesizeOptions) => PushStream<SynthesisChunk>

/** For this time after all workers were busy the queue is called first, which saves a round trip on the bus. */
const busyForMs = 100

/** Asks the workers over the bus. Errors: see `Synthesize`. */
export const createSynthesize = (tts: Pick<Client<typeof ttsContract>, 'synthesize'>): Synthesize => {
  const busyUntilMs = new Map<string, number>()

  /**
   * Calls a worker that can start soon, or else one that queues the request; in the reverse order when all were busy
   * recently.
   */
  const askWorker = async (lane: string, ask: (lane: string) => Promise<void>): Promise<void> => {
    const queueLane = queueLaneOf(lane)
    const wereBusy = performance.now() < (busyUntilMs.get(lane) ?? 0)
    try {
      await ask(wereBusy ? queueLane : lane)
    } catch (error) {
      if (missingReplyOf(error) !== 'no-responders') throw error
      if (!wereBusy) busyUntilMs.set(lane, performance.now() + busyForMs)
      await ask(wereBusy ? lane : queueLane)
    }
  }

  return (request, { deadlineMs, lane, purpose = 'one_shot', aheadMs, buffer, ...options }) =>
    async (sink, signal) => {
      const speech = createResumableSpeech(request, sink, buffer)
      const search = new WorkerSearch({ purpose, deadlineMs })
      let hasBegun = false
      const onBegin = () => {
        hasBegun = true
      }

      const ask = (name: string): Promise<void> => {
        const { waitedMs, leftMs, purpose, losses } = search
        const workerSink = waitedMs === 0 ? speech.sink : addWait(waitedMs, speech.sink)
        const answer = tts.synthesize(
          // The listener of a lost speech may run out of audio at any moment.
          { ...speech.request(), purpose, ended_processes: losses, ...(losses === 0 && { ahead_ms: aheadMs }) },
          { ...options, lane: name, deadlineMs: leftMs, onBegin },
        )
        return answer(workerSink, signal)
      }

      try {
        for (;;) {
          try {
            await askWorker(lane, ask)
            return await speech.drained()
          } catch (error) {
            signal.throwIfAborted()
            if (hasBegun) {
              const rest = isLostAnswer(error) ? speech.resume() : undefined
              if (rest !== 'incomplete') await speech.drained()
              if (rest === 'complete') return
              if (rest === undefined) throw error
              hasBegun = false
              search.continueAfter(error)
            }
            await search.retryAfter(error, signal).catch(async (final: unknown) => {
              await speech.drained()
              throw final
            })
          }
        }
      } finally {
        speech.close()
      }
    }
}

/** Adds the time before the request was accepted to that of its queue. */
const addWait =
  (waitedMs: number, sink: Sink<SynthesisChunk>): Sink<SynthesisChunk> =>
  (chunk) =>
    chunk.event === 'started'
      ? sink({ ...chunk, queue_ms: chunk.queue_ms + waitedMs, ttfa_ms: chunk.ttfa_ms + waitedMs })
      : sink(chunk)
