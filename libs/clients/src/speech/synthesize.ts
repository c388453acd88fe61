/**
 * A synthesis that finds itself a worker. Until the first chunk nothing was heard of it, so what a worker refuses, or
 * takes and is lost with, another may do instead:
 *
 * - a worker that can begin soon is asked first. Where all are busy, one of them queues the request, in order of what it
 *   is for and fairly among workspaces, or refuses what it could not begin in time;
 * - a queue's refusal is final, so that an overload costs the workers one request for each and no more. A worker that was
 *   thought to be free is tried once more. Replies and continuations are tried until the deadline;
 * - while no worker is there at all, as when the only one is replaced, it looks for one for up to two seconds;
 * - a worker that hangs costs its callers time, not their speech: it is tried elsewhere for as long as the deadline allows;
 * - where workers end with the request in hand, two more may try, since it may be the request that ends them;
 * - what an engine answers is final: an engine that may be asked again is asked again by its worker;
 * - from the first chunk on, everything is passed on as it is. But where whoever asks has cut the text, and a worker is lost
 *   after one segment is complete and before there is any of the next, the rest is asked for in the same way.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { PushStream, Sink } from '@parlance/async/push-stream'
import { type Client, missingReplyOf, type StreamOptions } from '@parlance/bus'
import type { SpeechPurpose, SynthesisChunk, SynthesisRequest, ttsContract } from '@parlance/contracts'
import { queueLaneOf, ServiceError } from '@parlance/contracts'
import { createJoinedSyntheses } from '@parlance/speech'

export interface SynthesizeOptions extends Pick<StreamOptions, 'context'> {
  /** The engine that speaks the variant: any worker that has it may be asked. */
  readonly lane: string
  readonly deadlineMs: number
  /** Default `one_shot`. */
  readonly purpose?: SpeechPurpose
}

/** Rejects as the contract's own does, but where every worker is full, with `capacity_exhausted`. */
export type Synthesize = (request: SynthesisRequest, options: SynthesizeOptions) => PushStream<SynthesisChunk>

const waitsMs = { first: 10, most: 60 }
const mostLosses = 2
const mostRefusals = 2
/** A worker refuses at once, or lets the request wait for as long as it may: then it is not to wait again. */
const atOnceMs = 500
const withoutWorkersMs = 2_000
/** For so long after all workers were busy the queue is asked first, which saves a way over the bus. */
const busyForMs = 100

export const createSynthesize = (tts: Pick<Client<typeof ttsContract>, 'synthesize'>): Synthesize => {
  const busyUntilMs = new Map<string, number>()

  return (request, { deadlineMs, lane, purpose: firstPurpose = 'one_shot', ...at }) =>
    async (take, signal) => {
      const askedAtMs = performance.now()
      let expiresAtMs = askedAtMs + deadlineMs
      let purpose = firstPurpose
      let asked = request
      let losses = 0
      let refusals = 0
      let retryWaitMs = waitsMs.first
      let heard = false
      let askedQueue = false
      let absentSinceMs: number | undefined

      /** Until when another try after this failure may begin. Throws when there is to be none. */
      const mayTryUntil = (error: unknown, nowMs: number): number => {
        const isSeenThrough = purpose === 'reply' || purpose === 'continuation'
        if (!isAbsence(error)) absentSinceMs = undefined
        else {
          absentSinceMs ??= nowMs
          return isSeenThrough ? expiresAtMs : Math.min(absentSinceMs + withoutWorkersMs, expiresAtMs)
        }
        if (isRefusal(error)) {
          refusals += 1
          if (isSeenThrough) return expiresAtMs
          return !askedQueue && refusals < mostRefusals ? Math.min(askedAtMs + atOnceMs, expiresAtMs) : nowMs
        }
        if (missingReplyOf(error) === 'no-reply') return expiresAtMs
        if (!isLoss(error) || losses === mostLosses) throw error
        losses += 1
        return expiresAtMs
      }

      const outlive = async (error: unknown): Promise<void> => {
        const nowMs = performance.now()
        const refused = isAbsence(error) || isRefusal(error)
        const endsAtMs = mayTryUntil(error, nowMs)
        // Callers who were refused together are not to come back together.
        const waitMs = (refused ? retryWaitMs : waitsMs.first) * (0.5 + Math.random() / 2)
        if (refused) retryWaitMs = Math.min(2 * retryWaitMs, waitsMs.most)
        if (nowMs + waitMs > endsAtMs) throw isAbsence(error) ? noWorker() : error
        await delay(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted())
      }

      const joined = (request.cuts ?? []).length === 0 ? undefined : createJoinedSyntheses()
      const takeJoined = (chunk: SynthesisChunk): void | Promise<void> => {
        const moved = joined!.move(chunk)
        if (moved !== undefined) return take(moved)
      }
      const sink = joined === undefined ? take : takeJoined

      const onBegin = () => {
        heard = true
      }
      const askIn = (name: string): Promise<void> => {
        askedQueue = name !== lane
        const waitedMs = Math.round(performance.now() - askedAtMs)
        const left = Math.max(1, Math.round(expiresAtMs - performance.now()))
        const speech = tts.synthesize({ ...asked, purpose }, { ...at, lane: name, deadlineMs: left, onBegin })
        return speech(waitedMs === 0 ? sink : waitedFor(waitedMs, sink), signal)
      }
      /** Asks a worker that can begin soon, or else one that queues the request; the other way round where all were busy just now. */
      const askWorker = (): Promise<void> => {
        const queueLane = queueLaneOf(lane)
        const wereBusy = performance.now() < (busyUntilMs.get(lane) ?? 0)
        return askIn(wereBusy ? queueLane : lane).catch((error) => {
          if (missingReplyOf(error) !== 'no-responders') throw error
          if (!wereBusy) busyUntilMs.set(lane, performance.now() + busyForMs)
          return askIn(wereBusy ? lane : queueLane)
        })
      }

      /** Goes on with what nothing was heard of, if there is such. */
      const goOn = (): boolean => {
        const rest = joined && restOf(request, joined.segments())
        if (joined === undefined || rest === undefined) return false
        joined.goOn()
        asked = rest
        heard = false
        purpose = 'continuation'
        expiresAtMs = performance.now() + deadlineMs
        return true
      }

      for (;;) {
        try {
          return await askWorker()
        } catch (error) {
          signal.throwIfAborted()
          if (heard && !goOn()) throw error
          await outlive(error)
        }
      }
    }
}

/** The chunks of a synthesis that was asked for so late: it waited for that time too. */
const waitedFor =
  (waitedMs: number, take: Sink<SynthesisChunk>): Sink<SynthesisChunk> =>
  (chunk) => {
    if (chunk.event !== 'started') return take(chunk.event === 'done' ? later(chunk, waitedMs) : chunk)
    return take({ ...later(chunk, waitedMs), queue_ms: chunk.queue_ms + waitedMs })
  }
const later = <Chunk extends { ttfa_ms: number }>(chunk: Chunk, ms: number): Chunk => ({
  ...chunk,
  ttfa_ms: chunk.ttfa_ms + ms,
})

/** What is left of a request of which so many segments were spoken, and nothing of the next. */
const restOf = (request: SynthesisRequest, segments: number | undefined): SynthesisRequest | undefined => {
  const { text, cuts } = request
  const from = segments === undefined ? undefined : cuts?.[segments - 1]
  if (from === undefined) return undefined
  return { ...request, text: text.slice(from), cuts: cuts!.slice(segments).map((cut) => cut - from) }
}

/** No worker is there, or the one that was is stopping. */
const isAbsence = (error: unknown): boolean =>
  missingReplyOf(error) === 'no-responders' || (error instanceof ServiceError && error.code === 'draining')

const isRefusal = (error: unknown): boolean => error instanceof ServiceError && error.code === 'capacity_exhausted'

/** The worker, or part of its answer, was lost. An engine that failed is none: its worker answers `upstream_error`. */
const isLoss = (error: unknown): boolean =>
  missingReplyOf(error) === 'incomplete' || (error instanceof ServiceError && error.code === 'unavailable')

const noWorker = () => new ServiceError('capacity_exhausted', 'No speech engine is there now. Try again shortly.')
