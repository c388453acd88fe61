import { setMaxListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '@parlance/bus'
import { type creditContract, toServiceError } from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'

type Resolve = Client<typeof creditContract>['resolve']
type Ending = Parameters<Resolve>[0]

const retryMs = { first: 50, most: 2_000 }
/** Each that leaves by itself wakes this process, the bus's and the ledger's. */
const togetherMs = 100
/** So many are worth it at once. */
const enough = 16

/**
 * Tells the ledger how holds ended, again and again until it answers. The first after a pause is told at once, those that
 * follow it within a moment together, as soon as there are many.
 */
export const createHoldDelivery = (credit: { resolve: Resolve }, logger: Logger) => {
  const running = new Set<Promise<void>>()
  const giveUp = new AbortController()
  // Each ending that is on its way listens, and there may be thousands.
  setMaxListeners(0, giveUp.signal)

  let leftAtMs = Number.NEGATIVE_INFINITY
  let departure: Promise<void> | undefined
  let depart = () => {}
  let waiting = 0
  let finishing = false

  /** Resolves when the next leave; undefined when that is now. */
  const nextDeparture = (): Promise<void> | undefined => {
    const nowMs = performance.now()
    const waitMs = leftAtMs + togetherMs - nowMs
    if (finishing || (departure === undefined && waitMs <= 0)) {
      leftAtMs = nowMs
      return undefined
    }
    departure ??= new Promise((resolve) => {
      const timer = setTimeout(() => depart(), waitMs)
      depart = () => {
        clearTimeout(timer)
        leftAtMs = performance.now()
        departure = undefined
        waiting = 0
        resolve()
      }
    })
    const next = departure
    waiting += 1
    if (waiting >= enough) depart()
    return next
  }

  const tell = async (ending: Ending): Promise<void> => {
    const { workspace_id: workspaceId } = ending.hold
    await nextDeparture()
    for (let waitMs = retryMs.first; !giveUp.signal.aborted; waitMs = Math.min(waitMs * 2, retryMs.most)) {
      try {
        const { resolution } = await credit.resolve(ending, { signal: giveUp.signal })
        if (resolution === 'expired') logger.warn({ workspaceId }, 'credit was returned before its work was settled')
        return
      } catch (thrown) {
        if (giveUp.signal.aborted) break
        const error = toServiceError(thrown)
        if (!error.retryable) {
          logger.error({ workspaceId, code: error.code, err: error }, 'the ledger refused how a hold ended')
          return
        }
        await delay(waitMs, undefined, { signal: giveUp.signal }).catch(() => {})
      }
    }
    logger.error({ workspaceId }, 'the ledger was not told how a hold ended')
  }

  return {
    /** Never rejects. */
    deliver(ending: Ending): Promise<void> {
      const telling = tell(ending).finally(() => running.delete(telling))
      running.add(telling)
      return telling
    },
    /** Resolves when all is told, or the time is up. */
    async finish(withinMs: number): Promise<void> {
      const timer = setTimeout(() => giveUp.abort(), withinMs)
      finishing = true
      depart()
      while (running.size > 0) await Promise.all(running)
      clearTimeout(timer)
    },
  }
}
