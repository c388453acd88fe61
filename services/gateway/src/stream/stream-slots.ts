import { ServiceError } from '@parlance/contracts'
import type { TtlStore } from '@parlance/store'
import { reportOpen } from './report-open.js'

/** A stream that is counted. */
export interface StreamSlot {
  /** Throws `concurrency_limited` when the workspace had `limit` other streams open; 0 is no limit. */
  check(limit: number): void
  release(): void
}

/** Counts the open streams of each workspace, across all replicas that share a store. */
export interface StreamSlots {
  /**
   * Counts a stream, whose limit need not be known yet. A slot that is over the limit counts until it is released. While
   * the store cannot be reached, no slot is over a limit.
   */
  take(workspaceId: string): Promise<StreamSlot>
  /** Releases all slots. */
  stop(): Promise<void>
}

export interface StreamSlotsOptions {
  readonly ttl: Pick<TtlStore, 'run'>
  /** Unique among running processes. */
  readonly instanceId: string
}

const renewEveryMs = 5_000
/** The slots of a killed replica are released after this time. */
const shareTtlMs = 3 * renewEveryMs

export const createStreamSlots = ({ ttl, instanceId }: StreamSlotsOptions): StreamSlots => {
  const open = new Map<string, number>()

  const change = (workspaceId: string, by: 1 | -1): void => {
    const count = (open.get(workspaceId) ?? 0) + by
    if (count === 0) open.delete(workspaceId)
    else open.set(workspaceId, count)
  }

  /** Resolves with the sum over all replicas, or 0 while the store cannot be reached: a limit must not stop the service. */
  const report = (workspaceId: string): Promise<number> => {
    const args = [instanceId, String(open.get(workspaceId) ?? 0), String(shareTtlMs)]
    return ttl.run(reportOpen, [`streams:{${workspaceId}}`], args).catch(() => 0)
  }

  const timer = setInterval(() => {
    for (const workspaceId of open.keys()) void report(workspaceId)
  }, renewEveryMs)
  timer.unref()

  return {
    async take(workspaceId) {
      change(workspaceId, 1)
      const count = await report(workspaceId)
      let isReleased = false
      return {
        check(limit) {
          if (limit === 0 || count <= limit) return
          throw new ServiceError(
            'concurrency_limited',
            `This workspace has ${limit} open streams, which is the limit. Try again when one has ended.`,
          )
        },
        release() {
          if (isReleased) return
          isReleased = true
          change(workspaceId, -1)
          void report(workspaceId)
        },
      }
    },
    async stop() {
      clearInterval(timer)
      const workspaceIds = [...open.keys()]
      open.clear()
      await Promise.all(workspaceIds.map((workspaceId) => report(workspaceId)))
    },
  }
}
