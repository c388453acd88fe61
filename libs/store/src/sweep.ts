import { backoffMs, jitteredMs } from '@parlance/async'
import type { Database } from './database.js'

interface SweepOptions {
  /** The longest time between two runs. The shortest is half of it. */
  readonly everyMs: number
  /** Called with the error of `work`. The next run is later than usual when that comes soon. */
  readonly onFailed: (error: unknown) => void
}

/** The longest wait after failures in a row, unless `everyMs` is longer. */
const maxWaitMs = 10_000

/**
 * Does work at an interval and when it is woken, one run at a time. `signal` is aborted by `stop`. Any number of processes
 * may sweep the same rows at the same time.
 */
export const startSweep = (work: (signal: AbortSignal) => Promise<unknown>, { everyMs, onFailed }: SweepOptions) => {
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout
  let isWoken = false
  let failures = 0

  const runOnce = async (): Promise<void> => {
    try {
      await work(signal)
      failures = 0
    } catch (error) {
      failures += 1
      onFailed(error)
    }
  }
  const run = async (): Promise<void> => {
    clearTimeout(timer)
    while (isWoken && !signal.aborted) {
      isWoken = false
      await runOnce()
    }
    running = undefined
    if (!signal.aborted) wakeLater()
  }
  const wake = (): void => {
    isWoken = true
    running ??= run()
  }
  const wakeLater = (): void => {
    const waitMs = failures === 0 ? 0 : backoffMs({ firstMs: 2 * everyMs, maxMs: maxWaitMs }, failures)
    // At random, since sweeps that started together would otherwise always run together, each on a connection of its own.
    timer = setTimeout(wake, Math.max(jitteredMs(everyMs), waitMs)).unref()
  }
  wakeLater()

  return {
    /** Starts a run because there is work. Returns at once. */
    wake,
    /** Stops the sweep. Resolves when no run is in progress. */
    async stop(): Promise<void> {
      stopping.abort()
      clearTimeout(timer)
      await running
    },
  }
}

export type Sweep = ReturnType<typeof startSweep>

/** Rows of a table, over all workspaces. */
interface RemovableRows {
  /** The table, with the alias that `where` uses, such as `events e`. */
  readonly from: string
  readonly where: string
  readonly parameters: readonly unknown[]
}

/** Few enough for the time limit of a statement, even when each row cascades to others. */
const rowsPerBatch = 1_000

/**
 * Removes rows in batches, each in a separate transaction, so that their number does not matter. Rows that others have
 * locked are left for the next time. Resolves with the number of removed rows.
 */
export const removeInBatches = async (
  database: Pick<Database, 'acrossWorkspaces'>,
  { from, where, parameters }: RemovableRows,
  signal?: AbortSignal,
): Promise<number> => {
  const [table, alias] = from.split(' ')
  const sql = `with batch as (
      select ${alias}.ctid from ${from} where ${where} limit ${rowsPerBatch} for update of ${alias} skip locked)
    delete from ${table} where ctid = any (array(select ctid from batch)) returning 1`
  let removed = 0
  for (let count = rowsPerBatch; count === rowsPerBatch && signal?.aborted !== true; removed += count) {
    count = (await database.acrossWorkspaces((transaction) => transaction.query(sql, parameters))).length
  }
  return removed
}
