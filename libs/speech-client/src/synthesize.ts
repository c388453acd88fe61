/**
 * A synthesis that finds itself a worker. Until the first chunk nothing was heard of it, so what a worker refuses, or
 * takes and is lost with, another may do instead:
 *
 * - where all workers are full it tries again: for longer in a burst, which is over soon, and for a moment under a load
 *   that lasts, so that who overloads the platform is told at once;
 * - a worker that hangs costs its callers time, not their speech: it is tried elsewhere for as long as the deadline allows;
 * - where workers end with the request in hand, two more may try, since it may be the request that ends them;
 * - from the first chunk on, everything is passed on as it is. But where whoever asks has cut the text, and a worker is lost
 *   after one segment is complete and before there is any of the next, the rest is asked for in the same way.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { type Client, type StreamOptions, whyUnanswered } from '@parlance/bus'
import type { SynthesisChunk, SynthesisRequest, ttsContract } from '@parlance/contracts'
import { ServiceError } from '@parlance/contracts'
import type { Flow } from '@parlance/flow'
import { createJoinedSyntheses } from '@parlance/speech'
import { createPatience, type Patience } from './patience.js'

export interface SynthesizeOptions extends Pick<StreamOptions, 'context'> {
  /** The engine that speaks the variant: any worker that has it may be asked. */
  readonly lane: string
  readonly deadlineMs: number
  /** Looks for a worker with room until the deadline: its caller hears something meanwhile. */
  readonly seenThrough?: boolean
}

/** Rejects as the contract's own does, but where every worker is full, with `capacity_exhausted`. */
export type Synthesize = (request: SynthesisRequest, options: SynthesizeOptions) => Flow<SynthesisChunk>

const waitsMs = { first: 10, most: 60 }
const mostLosses = 2

export const createSynthesize = (tts: Pick<Client<typeof ttsContract>, 'synthesize'>): Synthesize => {
  /** One engine's workers may be full while another's have room. */
  const patienceOfLane = new Map<string, Patience>()
  const patienceFor = (lane: string): Patience => {
    const known = patienceOfLane.get(lane)
    if (known !== undefined) return known
    const created = createPatience()
    patienceOfLane.set(lane, created)
    return created
  }

  return (request, { deadlineMs, ...options }) =>
    async (take, signal) => {
      const askedAtMs = performance.now()
      const search = patienceFor(options.lane).comes(askedAtMs)
      let expiresAtMs = askedAtMs + deadlineMs
      let { seenThrough = false, ...at } = options
      let asked = request
      let losses = 0
      let refusedWaitMs = waitsMs.first
      let heard = false

      /** Until when another try after this failure may begin. Throws when there is to be none. */
      const mayTryUntil = (error: unknown, nowMs: number): number => {
        if (isRefusal(error)) {
          const endsAtMs = search.refused(nowMs)
          return seenThrough ? expiresAtMs : Math.min(endsAtMs, expiresAtMs)
        }
        if (whyUnanswered(error) === 'silent') return expiresAtMs
        if (!isLoss(error) || losses === mostLosses) throw error
        losses += 1
        return expiresAtMs
      }

      const outlive = async (error: unknown): Promise<void> => {
        const nowMs = performance.now()
        const refused = isRefusal(error)
        const endsAtMs = mayTryUntil(error, nowMs)
        // Callers who were refused together are not to come back together.
        const waitMs = (refused ? refusedWaitMs : waitsMs.first) * (0.5 + Math.random() / 2)
        if (refused) refusedWaitMs = Math.min(2 * refusedWaitMs, waitsMs.most)
        if (nowMs + waitMs > endsAtMs) throw refused ? allFull(error) : error
        await delay(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted())
      }

      const onBegin = () => {
        heard = true
        search.found(performance.now())
      }
      const joined = (request.cuts ?? []).length === 0 ? undefined : createJoinedSyntheses()
      const takeJoined = (chunk: SynthesisChunk): void | Promise<void> => {
        const moved = joined!.move(chunk)
        if (moved !== undefined) return take(moved)
      }

      /** Goes on with what nothing was heard of, if there is such. */
      const goOn = (): boolean => {
        const rest = joined && restOf(request, joined.segments())
        if (joined === undefined || rest === undefined) return false
        joined.goOn()
        asked = rest
        heard = false
        seenThrough = true
        expiresAtMs = performance.now() + deadlineMs
        return true
      }

      try {
        for (;;) {
          const leftMs = Math.max(1, Math.round(expiresAtMs - performance.now()))
          try {
            const speech = tts.synthesize(asked, { ...at, deadlineMs: leftMs, onBegin })
            return await speech(joined === undefined ? take : takeJoined, signal)
          } catch (error) {
            signal.throwIfAborted()
            if (heard && !goOn()) throw error
            await outlive(error)
          }
        }
      } finally {
        search.ends()
      }
    }
}

/** What is left of a request of which so many segments were spoken, and nothing of the next. */
const restOf = (request: SynthesisRequest, segments: number | undefined): SynthesisRequest | undefined => {
  const { text, cuts } = request
  const from = segments === undefined ? undefined : cuts?.[segments - 1]
  if (from === undefined) return undefined
  return { ...request, text: text.slice(from), cuts: cuts!.slice(segments).map((cut) => cut - from) }
}

const isRefusal = (error: unknown): boolean =>
  whyUnanswered(error) === 'nobody' ||
  (error instanceof ServiceError && (error.code === 'capacity_exhausted' || error.code === 'draining'))

/** The worker went away with the request, or its engine did. */
const isLoss = (error: unknown): boolean =>
  error instanceof ServiceError && (error.code === 'unavailable' || error.code === 'upstream_error')

const allFull = (error: unknown): unknown =>
  error instanceof ServiceError && error.code === 'capacity_exhausted'
    ? error
    : new ServiceError('capacity_exhausted', 'All speech engines are busy. Try again shortly.')
