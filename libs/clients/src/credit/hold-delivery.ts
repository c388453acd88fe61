import { setMaxListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '@parlance/bus'
import { type creditContract, type HoldEnding, type HoldOutcome, toServiceError } from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'

const retryMs = { first: 50, most: 2_000 }
/** Each request wakes this process, the bus's and the ledger's, and costs the same whatever is in it. */
const togetherMs = 100
/** So many are worth a request at once; fewer than one may hold. */
const enough = 16

interface Waiting {
  readonly ending: HoldEnding
  /** Called when nothing more will be told of it. */
  over(): void
}

/**
 * Tells the ledger how holds ended, again and again until it answers. The first after a pause is told at once, those that
 * follow it within a moment in one request, as soon as there are many. What is refused together is told one by one: a charge
 * is not lost because of another.
 */
export const createHoldDelivery = (credit: Pick<Client<typeof creditContract>, 'resolve'>, logger: Logger) => {
  const running = new Set<Promise<void>>()
  const giveUp = new AbortController()
  // Each request that is on its way listens, and while there is no answer there may be many.
  setMaxListeners(0, giveUp.signal)

  let waiting: Waiting[] = []
  let leftAtMs = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let finishing = false

  const logAll = (endings: readonly HoldEnding[], message: string, fields: { code?: string; err?: unknown } = {}) => {
    for (const workspaceId of new Set(endings.map(({ hold }) => hold.workspace_id))) {
      logger.error({ workspaceId, ...fields }, message)
    }
  }
  const check = ({ hold }: HoldEnding, outcome: HoldOutcome | undefined) => {
    const workspaceId = hold.workspace_id
    if (outcome === undefined || 'refused' in outcome) {
      const detail = outcome?.refused ?? 'it was not answered'
      logger.error({ workspaceId, err: new Error(detail) }, 'the ledger refused how a hold ended')
    } else if (outcome.resolution === 'expired') {
      logger.warn({ workspaceId }, 'credit was returned before its work was settled')
    }
  }

  const tell = async (endings: readonly HoldEnding[]): Promise<void> => {
    for (let waitMs = retryMs.first; !giveUp.signal.aborted; waitMs = Math.min(waitMs * 2, retryMs.most)) {
      try {
        const { outcomes } = await credit.resolve({ endings: [...endings] }, { signal: giveUp.signal })
        for (const [index, ending] of endings.entries()) check(ending, outcomes[index])
        return
      } catch (thrown) {
        if (giveUp.signal.aborted) break
        const error = toServiceError(thrown)
        if (!error.retryable) {
          if (endings.length > 1) return void (await Promise.all(endings.map((ending) => tell([ending]))))
          return logAll(endings, 'the ledger refused how a hold ended', { code: error.code, err: error })
        }
        await delay(waitMs, undefined, { signal: giveUp.signal }).catch(() => {})
      }
    }
    logAll(endings, 'the ledger was not told how holds ended')
  }

  const leave = () => {
    clearTimeout(timer)
    timer = undefined
    leftAtMs = performance.now()
    if (waiting.length === 0) return
    const together = waiting
    waiting = []
    const telling = tell(together.map(({ ending }) => ending)).finally(() => {
      running.delete(telling)
      for (const { over } of together) over()
    })
    running.add(telling)
  }

  return {
    /** Resolves when it is told, or never will be. Never rejects. */
    deliver(ending: HoldEnding): Promise<void> {
      return new Promise((over) => {
        waiting.push({ ending, over })
        const waitMs = leftAtMs + togetherMs - performance.now()
        if (finishing || waiting.length >= enough || waitMs <= 0) leave()
        else timer ??= setTimeout(leave, waitMs)
      })
    },
    /** Resolves when all is told, or the time is up. */
    async finish(withinMs: number): Promise<void> {
      const limit = setTimeout(() => giveUp.abort(), withinMs)
      finishing = true
      leave()
      while (running.size > 0) await Promise.all(running)
      clearTimeout(limit)
    },
  }
}
