import { startSweep } from '@parlance/store'
import type { Logger } from '@parlance/telemetry'
import type { Deliver } from './deliver.js'
import type { ClaimedDelivery } from './delivery-repository.js'

interface DeliveryRunnerOptions {
  /** Claims due deliveries of all workspaces except these; fewer than `limit` when no more are due. */
  claim(limit: number, exceptWorkspaces: readonly string[]): Promise<ClaimedDelivery[]>
  readonly deliver: Deliver
  /** The maximum number of simultaneous attempts. A workspace has at most a quarter of them. */
  readonly concurrency: number
  readonly logger: Pick<Logger, 'warn'>
}

/** An endpoint that hangs occupies an attempt until the time limit, and must not delay the deliveries of other workspaces. */
const shareOfWorkspace = 4
const pollEveryMs = 1_000

/** Makes the attempts that are due, until it is stopped. */
export const startDeliveryRunner = (options: DeliveryRunnerOptions) => {
  const { claim, deliver, concurrency, logger } = options
  const running = new Set<Promise<void>>()
  const maxOfWorkspace = Math.ceil(concurrency / shareOfWorkspace)
  /** The number of running attempts by workspace. */
  const runningOf = new Map<string, number>()

  const count = (workspaceId: string, change: 1 | -1): void => {
    const number = (runningOf.get(workspaceId) ?? 0) + change
    if (number === 0) runningOf.delete(workspaceId)
    else runningOf.set(workspaceId, number)
  }
  /** A delivery that could not be attempted stays claimed for its time, and is claimed again. */
  const begin = (claimed: ClaimedDelivery): void => {
    const { workspaceId } = claimed
    count(workspaceId, 1)
    const work: Promise<void> = deliver(claimed)
      .catch((err: unknown) => logger.warn({ err }, 'A delivery could not be attempted and will be attempted again'))
      .finally(() => {
        running.delete(work)
        count(workspaceId, -1)
        polling.wake()
      })
    running.add(work)
  }
  /** Claims at most as many as any single workspace has room for. Resolves with whether more may be due. */
  const claimSome = async (): Promise<boolean> => {
    const full: string[] = []
    let highest = 0
    for (const [workspaceId, number] of runningOf) {
      if (number >= maxOfWorkspace) full.push(workspaceId)
      else highest = Math.max(highest, number)
    }
    const limit = Math.min(concurrency - running.size, maxOfWorkspace - highest)
    const claimed = await claim(limit, full)
    for (const one of claimed) begin(one)
    return claimed.length === limit
  }
  const polling = startSweep(
    async (signal) => {
      for (let more = true; more && !signal.aborted && running.size < concurrency; ) more = await claimSome()
    },
    {
      everyMs: pollEveryMs,
      onFailed: (err) => logger.warn({ err }, 'Due deliveries could not be read and will be read again'),
    },
  )
  polling.wake()
  return {
    /** Claims deliveries now, because some have become due. */
    wake: polling.wake,
    /** Resolves when no attempt is being made. */
    async stop(): Promise<void> {
      await polling.stop()
      await Promise.all(running)
    },
  }
}
