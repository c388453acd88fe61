import type { Logger } from '@parlance/telemetry'
import type { Deliver } from './deliver.js'
import type { ClaimedDelivery } from './delivery-repository.js'

export interface DeliveryRunnerOptions {
  /** Claims due deliveries of all workspaces except these; fewer than `limit` when no more are due. */
  claim(limit: number, exceptWorkspaces: readonly string[]): Promise<ClaimedDelivery[]>
  readonly deliver: Deliver
  /** The maximum number of simultaneous attempts. A workspace has at most a quarter of them. */
  readonly concurrency: number
  readonly logger: Pick<Logger, 'warn'>
  /** Default 1,000. */
  readonly pollEveryMs?: number
}

/** An endpoint that hangs occupies an attempt until the time limit, and must not delay the deliveries of other workspaces. */
const shareOfWorkspace = 4

/** Makes the attempts that are due, until it is stopped. */
export interface DeliveryRunner {
  /** Claims deliveries now, because some have become due. */
  wake(): void
  /** Resolves when no attempt is being made. */
  stop(): Promise<void>
}

export const startDeliveryRunner = (options: DeliveryRunnerOptions): DeliveryRunner => {
  const { claim, deliver, concurrency, logger, pollEveryMs = 1_000 } = options
  const running = new Set<Promise<void>>()
  const maxOfWorkspace = Math.ceil(concurrency / shareOfWorkspace)
  /** The number of running attempts by workspace. */
  const runningOf = new Map<string, number>()
  let polling: Promise<void> | undefined
  let isAwake = false
  let stopped = false

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
        wake()
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
  const poll = async (): Promise<void> => {
    while (isAwake && !stopped && running.size < concurrency) {
      isAwake = false
      if (await claimSome()) isAwake = true
    }
  }
  const wake = (): void => {
    isAwake = true
    polling ??= poll()
      .catch((err: unknown) => logger.warn({ err }, 'Due deliveries could not be read and will be read again'))
      .finally(() => {
        polling = undefined
      })
  }
  const timer = setInterval(wake, pollEveryMs)
  timer.unref()
  wake()
  return {
    wake,
    async stop() {
      stopped = true
      clearInterval(timer)
      await polling
      await Promise.all(running)
    },
  }
}
