/**
 * A synthesis that finds itself a worker. Until the first chunk nothing was heard of it, so what a worker refuses, or
 * takes and is lost with, another may do instead:
 *
 * - where all workers are full it tries again: for longer in a burst, which is over soon, and for a moment under a load
 *   that lasts, so that who overloads the platform is told at once;
 * - a worker that hangs costs its callers time, not their speech: it is tried elsewhere for as long as the deadline allows;
 * - where workers end with the request in hand, two more may try, since it may be the request that ends them;
 * - from the first chunk on, everything is passed on as it is.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { type Client, type StreamOptions, whyUnanswered } from '@parlance/bus'
import type { SynthesisChunk, SynthesisRequest, ttsContract } from '@parlance/contracts'
import { ServiceError } from '@parlance/contracts'
import type { Flow } from '@parlance/flow'
import { createPatience } from './patience.js'

export interface SynthesizeOptions extends Omit<StreamOptions, 'deadlineMs' | 'lane' | 'onBegin'> {
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
  const patience = createPatience()

  return (request, { deadlineMs, seenThrough = false, ...options }) =>
    async (take, signal) => {
      const askedAtMs = performance.now()
      const expiresAtMs = askedAtMs + deadlineMs
      let losses = 0
      let refusedWaitMs = waitsMs.first
      let heard = false

      /** Until when another try after this failure may begin. Throws when there is to be none. */
      const mayTryUntil = (error: unknown, nowMs: number): number => {
        if (isRefusal(error)) {
          const endsAtMs = patience.refused(askedAtMs, nowMs)
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
      }
      for (;;) {
        const leftMs = Math.max(1, Math.round(expiresAtMs - performance.now()))
        try {
          return await tts.synthesize(request, { ...options, deadlineMs: leftMs, onBegin })(take, signal)
        } catch (error) {
          if (heard) throw error
          await outlive(error)
        }
      }
    }
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
