import type { Database } from './database.js'

/** Work that is done at an interval and when it is woken, one run at a time. */
export interface Sweep {
  /** Starts a run because there is work. Returns at once. */
  wake(): void
  /** Stops the sweep. Resolves when no run is in progress. */
  stop(): Promise<void>
}

export interface SweepOptions {
  readonly everyMs: number
  /** Called with the error of `work`, which runs again at the next interval. */
  readonly onFailed: (error: unknown) => void
}

/** `signal` is aborted by `stop`. Any number of processes may sweep the same rows at the same time. */
export const startSweep = (
  work: (signal: AbortSignal) => Promise<unknown>,
  { everyMs, onFailed }: SweepOptions,
): Sweep => {
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<void> | undefined
  let isWoken = false

  const run = async (): Promise<void> => {
    while (isWoken && !signal.aborted) {
      isWoken = false
      await work(signal).catch(onFailed)
    }
    running = undefined
  }
  const wake = (): void => {
    isWoken = true
    running ??= run()
  }
  const timer = setInterval(wake, everyMs)
  timer.unref()

  return {
    wake,
    async stop() {
      stopping.abort()
      clearInterval(timer)
      await running
    },
  }
}

/** Rows of a table, over all workspaces. */
export interface RemovableRows {
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
