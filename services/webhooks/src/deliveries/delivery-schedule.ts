/** The schedule of a delivery, and how long an endpoint may fail. Times are in ms. */

const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000]

/** The delay after each failed attempt. A failure without a further delay fails the delivery. */
export const retryDelaysMs: readonly number[] = [
  ...[5 * secondMs, 5 * minuteMs, 30 * minuteMs],
  ...[2 * hourMs, 5 * hourMs, 10 * hourMs],
]

/**
 * When the next attempt is due after `failures` failed attempts, of which the last was at `now`. Undefined when there is no
 * next attempt.
 */
export const nextAttemptAt = (failures: number, now: Date): Date | undefined => {
  const delayMs = retryDelaysMs[failures - 1]
  return delayMs === undefined ? undefined : new Date(now.getTime() + delayMs)
}

const maxFailingMs = 5 * 24 * hourMs

/** Whether an endpoint without a success since `failingSince` is disabled at `now`. */
export const hasFailedTooLong = (failingSince: Date, now: Date): boolean =>
  now.getTime() - failingSince.getTime() >= maxFailingMs
