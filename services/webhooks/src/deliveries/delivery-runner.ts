import type { Logger } from '@parlance/telemetry'
import type { Deliver } from './deliver.js'
import type { JobQueue, TakenJob } from './job-queue.js'

export interface DeliveryRunnerOptions {
  readonly jobs: Pick<JobQueue, 'take' | 'complete' | 'recover'>
  readonly deliver: Deliver
  /** Most attempts at a time. A workspace has a quarter of them at most. */
  readonly concurrency: number
  readonly recoverEveryMs: number
  readonly logger: Pick<Logger, 'warn'>
  /** Default 1,000. */
  readonly pollEveryMs?: number
}

/** An endpoint that hangs holds an attempt until the time limit, and must not hold up the deliveries of other workspaces. */
const shareOfWorkspace = 4

/** Makes the attempts that are due, until it is stopped. */
export interface DeliveryRunner {
  /** Looks for jobs now, because some were made. */
  wake(): void
  /** Resolves when no attempt is being made. */
  stop(): Promise<void>
}

export const startDeliveryRunner = (options: DeliveryRunnerOptions): DeliveryRunner => {
  const { jobs, deliver, concurrency, recoverEveryMs, logger, pollEveryMs = 1_000 } = options
  const running = new Set<Promise<void>>()
  const maxOfWorkspace = Math.ceil(concurrency / shareOfWorkspace)
  /** The number of running attempts by workspace. */
  const runningOf = new Map<string, number>()
  let polling: Promise<void> | undefined
  let isAwake = false
  let stopped = false

  /** A job that could not be done is not completed: it is recovered later. */
  const run = async ({ id, job }: TakenJob): Promise<void> => {
    try {
      await deliver(job)
      await jobs.complete(id)
    } catch (err) {
      logger.warn({ err }, 'A delivery could not be made; it is made again')
    }
  }
  const count = (workspaceId: string, change: 1 | -1): void => {
    const number = (runningOf.get(workspaceId) ?? 0) + change
    if (number === 0) runningOf.delete(workspaceId)
    else runningOf.set(workspaceId, number)
  }
  const begin = (taken: TakenJob): void => {
    const { workspaceId } = taken.job
    count(workspaceId, 1)
    const work: Promise<void> = run(taken).finally(() => {
      running.delete(work)
      count(workspaceId, -1)
      wake()
    })
    running.add(work)
  }
  /** Takes so few jobs that all of them may be of any one workspace that has room. Resolves to whether more may be due. */
  const takeSome = async (): Promise<boolean> => {
    const full: string[] = []
    let highest = 0
    for (const [workspaceId, number] of runningOf) {
      if (number >= maxOfWorkspace) full.push(workspaceId)
      else highest = Math.max(highest, number)
    }
    const limit = Math.min(concurrency - running.size, maxOfWorkspace - highest)
    const taken = await jobs.take(limit, full)
    for (const one of taken) begin(one)
    return taken.length === limit
  }
  const poll = async (): Promise<void> => {
    while (isAwake && !stopped && running.size < concurrency) {
      isAwake = false
      if (await takeSome()) isAwake = true
    }
  }
  const wake = (): void => {
    isAwake = true
    polling ??= poll()
      .catch((err: unknown) => logger.warn({ err }, 'Due deliveries could not be read; they are read again'))
      .finally(() => {
        polling = undefined
      })
  }
  let recovering: Promise<void> | undefined
  const recover = (): void => {
    recovering ??= jobs
      .recover()
      .catch((err: unknown) => logger.warn({ err }, 'Interrupted deliveries could not be recovered'))
      .finally(() => {
        recovering = undefined
      })
  }

  const timers = [setInterval(wake, pollEveryMs), setInterval(recover, recoverEveryMs)]
  for (const timer of timers) timer.unref()
  wake()
  return {
    wake,
    async stop() {
      stopped = true
      for (const timer of timers) clearInterval(timer)
      await Promise.all([polling, recovering])
      await Promise.all(running)
    },
  }
}
