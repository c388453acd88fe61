import type { Logger } from '@parlance/telemetry'
import type { Deliver } from './deliver.js'
import type { JobQueue, TakenJob } from './job-queue.js'

export interface DeliveryRunnerOptions {
  readonly jobs: Pick<JobQueue, 'take' | 'complete' | 'recover'>
  readonly deliver: Deliver
  /** Most attempts at a time. */
  readonly concurrency: number
  readonly recoverEveryMs: number
  readonly logger: Pick<Logger, 'warn'>
  /** Default 1,000. */
  readonly pollEveryMs?: number
}

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
  const begin = (taken: TakenJob): void => {
    const work: Promise<void> = run(taken).finally(() => {
      running.delete(work)
      wake()
    })
    running.add(work)
  }
  const poll = async (): Promise<void> => {
    while (isAwake && !stopped && running.size < concurrency) {
      isAwake = false
      for (const taken of await jobs.take(concurrency - running.size)) begin(taken)
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
