import { ServiceError } from '@parlance/contracts'
import type { TtlStore } from '@parlance/store'
import { reportOpen } from './report-open.js'

/** Counts the open streams of each workspace, across all replicas that share a store. */
export interface StreamSlots {
  /**
   * Resolves with a function that releases the slot. Rejects with `concurrency_limited` when the workspace has `limit`
   * streams open; 0 is no limit. While the store cannot be reached, every stream gets a slot.
   */
  take(workspaceId: string, limit: number): Promise<() => void>
  /** Releases all slots. */
  stop(): Promise<void>
}

export interface StreamSlotsOptions {
  readonly ttl: Pick<TtlStore, 'run'>
  /** Unique among running processes. */
  readonly instanceId: string
}

const renewEveryMs = 5_000
/** The slots of a replica that was killed are free after this. */
const shareTtlMs = 3 * renewEveryMs
const noLimit = 0

export const createStreamSlots = ({ ttl, instanceId }: StreamSlotsOptions): StreamSlots => {
  const open = new Map<string, number>()

  const change = (workspaceId: string, by: 1 | -1): void => {
    const count = (open.get(workspaceId) ?? 0) + by
    if (count === 0) open.delete(workspaceId)
    else open.set(workspaceId, count)
  }

  /** True also while the store cannot be reached: a limit that protects the service must not stop it. */
  const report = async (workspaceId: string, limit: number): Promise<boolean> => {
    const args = [instanceId, String(open.get(workspaceId) ?? 0), String(limit), String(shareTtlMs)]
    return (await ttl.run(reportOpen, [`streams:{${workspaceId}}`], args).catch(() => 1)) === 1
  }

  const release = (workspaceId: string): Promise<boolean> => {
    change(workspaceId, -1)
    return report(workspaceId, noLimit)
  }

  const timer = setInterval(() => {
    for (const workspaceId of open.keys()) void report(workspaceId, noLimit)
  }, renewEveryMs)
  timer.unref()

  return {
    async take(workspaceId, limit) {
      change(workspaceId, 1)
      if (!(await report(workspaceId, limit))) {
        await release(workspaceId)
        throw new ServiceError(
          'concurrency_limited',
          `This workspace has ${limit} open streams, which is the limit. Try again when one has ended.`,
        )
      }
      let isReleased = false
      return () => {
        if (isReleased) return
        isReleased = true
        void release(workspaceId)
      }
    },
    async stop() {
      clearInterval(timer)
      const workspaceIds = [...open.keys()]
      open.clear()
      await Promise.all(workspaceIds.map((workspaceId) => report(workspaceId, noLimit)))
    },
  }
}
