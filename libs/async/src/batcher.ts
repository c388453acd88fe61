import { createSemaphore } from './semaphore.js'

/** How items are put into batches. Durations in ms. */
export interface BatcherOptions<Item, Result> {
  /** Processes a batch of 1 to `maxItems` items, and resolves with their results in the same order. */
  run(items: readonly Item[]): Promise<readonly Result[]>
  readonly maxItems: number
  /** From the start of one batch to that of the next, unless `eagerItems` are waiting. Default 0. */
  readonly intervalMs?: number
  /** This many waiting items start a batch before the interval has passed. Default `maxItems`. */
  readonly eagerItems?: number
  /** Batches that run at the same time. Default 1: items that are added meanwhile wait for the next batch. */
  readonly concurrency?: number
  /**
   * Whether the items of a batch that failed with this error are run again one by one, so that one item that cannot be
   * processed does not fail the others. Default: never.
   */
  readonly shouldSplit?: (error: unknown) => boolean
}

interface Entry<Item, Result> {
  readonly item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * Collects items and processes them together. The first item after a pause starts a batch at the end of the same tick, with
 * all that is added in that tick.
 */
export const createBatcher = <Item, Result>(options: BatcherOptions<Item, Result>) => {
  const { run, maxItems, intervalMs = 0, eagerItems = maxItems, concurrency = 1, shouldSplit } = options
  const permits = createSemaphore(concurrency)
  const running = new Set<Promise<void>>()
  const waiting: Entry<Item, Result>[] = []
  let starting: Promise<void> | undefined
  let flushing = false
  let endInterval = () => {}

  const process = async (batch: readonly Entry<Item, Result>[]): Promise<void> => {
    try {
      const results = await run(batch.map(({ item }) => item))
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
    } catch (error) {
      if (batch.length > 1 && shouldSplit?.(error)) for (const entry of batch) await process([entry])
      else for (const { reject } of batch) reject(error)
    }
  }
  const startBatch = async (): Promise<void> => {
    const release = await permits.acquire()
    const batch = process(waiting.splice(0, maxItems)).finally(() => {
      running.delete(batch)
      release()
    })
    running.add(batch)
  }
  const interval = (): Promise<void> =>
    new Promise((resolve) => {
      if (intervalMs === 0 || flushing || waiting.length >= eagerItems) return resolve()
      const timer = setTimeout(resolve, intervalMs)
      endInterval = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const startAll = async (): Promise<void> => {
    await new Promise(setImmediate)
    while (waiting.length > 0) {
      await startBatch()
      await interval()
    }
    starting = undefined
  }

  return {
    /** Resolves with the result of this item. Rejects with what its batch failed with. */
    add: (item: Item): Promise<Result> =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        starting ??= startAll()
        if (waiting.length >= eagerItems) endInterval()
      }),
    /** Starts the waiting items without regard to the interval; resolves when no item is waiting or being processed. */
    async flush(): Promise<void> {
      flushing = true
      endInterval()
      while (starting !== undefined || running.size > 0) await Promise.all([starting, ...running])
      flushing = false
    },
  }
}
